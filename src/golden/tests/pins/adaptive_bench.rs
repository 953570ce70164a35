//! Adaptive blocks on the bench (1.8): eight nodes, of which node x is reached by the escape on port x mod 4.

use super::host_header::Header;
use super::testbench::{PinTestbench, Sent, adapter_module, entry};
use mkns_design::{BlockModule, TableShape, switch_module};
use mkns_routing::{AddressLayout, BlockTables, DimensionTable, TableEntry, Turns};
use mkns_spec::BlockParameters;

pub const CANDIDATES: u32 = 0x6_0000;
/// Counters of a core port.
pub const COMMITTED: u32 = 9;
pub const ESCAPED: u32 = 10;
pub const DETOURS: u32 = 11;

/// A = 1, C = 24, packets of up to 12 flits: L is 5, 9, 12, 12.
pub fn adaptive_parameters() -> BlockParameters {
    BlockParameters {
        virtual_channels: 2,
        rx_buffer_flits: 24,
        max_packet_flits: 12,
        adaptive: true,
        ..BlockParameters::default()
    }
}

/// A switch block whose candidates, by node, are `candidates`; the others have none.
pub fn adaptive_switch(parameters: BlockParameters, candidates: &[u32]) -> PinTestbench {
    adaptive_switch_with(parameters, candidates, |_| {})
}

/// An adaptive switch block whose module was changed before it was built.
pub fn adaptive_switch_with(
    parameters: BlockParameters,
    candidates: &[u32],
    change: impl Fn(&mut BlockModule),
) -> PinTestbench {
    let mut module = BlockModule {
        layout: AddressLayout::new([("pcie", 2), ("x", 8)]),
        tables: vec![TableShape { lsb: 1, bits: 3 }],
        turns: Turns::between_all(4, 0),
        ..switch_module(4, parameters)
    };
    change(&mut module);
    let escape = |x: usize| TableEntry {
        allow_uturn: true,
        ..entry(x % 4)
    };
    let tables = BlockTables {
        tables: vec![DimensionTable {
            field: 1,
            entries: (0..8).map(escape).collect(),
        }],
        step: vec![vec![false; 4]; 4],
        candidates: candidates.to_vec(),
    };
    PinTestbench::new(module, &tables)
}

/// The adapter block of the other tests, made adaptive: x = 1…4 by port x − 1, hosts on ports 4 and 5.
pub fn adaptive_adapter(candidates: &[u32]) -> PinTestbench {
    let (mut module, mut tables) = adapter_module(adaptive_parameters());
    module.turns = Turns::between_all(6, 0);
    tables.candidates = candidates.to_vec();
    PinTestbench::new(module, &tables)
}

/// A header to node x, of `travel` in bits 57:56, whose packet has `flits` flits.
pub fn header(x: u32, travel: u32, flits: u32) -> u64 {
    let header = Header {
        destination: x << 1,
        length: 8 * (flits - 1),
        multicast: travel & 1 == 1,
        reserved: travel >> 1 == 1,
        ..Header::default()
    };
    header.pack()
}

impl PinTestbench {
    /// Sends a whole packet, whose payload counts up from 1; what left meanwhile.
    pub fn send_all(&mut self, port: usize, channel: usize, header: u64, flits: u64) -> Vec<Sent> {
        (0..flits)
            .flat_map(|n| {
                let data = if n == 0 { header } else { n };
                self.tick_sending(port, channel, n + 1 == flits, data)
            })
            .collect()
    }

    /// Sends a whole packet and returns all that leaves, without a credit for it.
    pub fn pass(&mut self, port: usize, channel: usize, header: u64, flits: u64) -> Vec<Sent> {
        let mut sent = self.send_all(port, channel, header, flits);
        sent.extend(self.run(12 + flits as usize));
        sent
    }

    /// Gives back the credits of what was sent, one per cycle; what left meanwhile.
    pub fn credit_all(&mut self, sent: &[Sent]) -> Vec<Sent> {
        let credit = |flit: &Sent| {
            self.give_credit(flit.port, flit.channel);
            self.tick()
        };
        sent.iter().flat_map(credit).collect()
    }

    /// The value of `room[o]`, which a report shows when it is not C.
    pub fn room(&self, o: usize) -> u32 {
        let text = self.block.describe();
        let name = format!("room[{o}] = ");
        let Some((_, rest)) = text.split_once(&name) else {
            return self.module.parameters.rx_buffer_flits;
        };
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next();
        digits.expect("digits").parse().expect("a number")
    }

    /// Counters 9 to 11 of a port.
    pub fn choices_of(&mut self, port: u32) -> [u32; 3] {
        [COMMITTED, ESCAPED, DETOURS].map(|c| self.counter(port, c))
    }
}
