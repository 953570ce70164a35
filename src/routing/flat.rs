//! All tables of a network in one array, for the many lookups of an exhaustive check.
//!
//! Holds the packed 16-bit words of the hardware, so the packing is under test as well; ports beyond those that a
//! word can name stand above it.

use std::collections::BTreeMap;

use crate::{DimensionTable, Routing, TableEntry};
use mkns_spec::NetworkSpec;
use mkns_topology::{Network, NetworkIndex};

/// A port number in the dense numbering of [`NetworkIndex::slot`]; [`NONE`] where there is none.
pub type Slot = u32;
pub const NONE: Slot = u32::MAX;

/// Where the words of one table are, and which address bits select among them. Tables of one length are interleaved,
/// so that what all blocks have for one destination lies side by side.
#[derive(Debug, Clone, Copy)]
struct TableIndex {
    first: u32,
    /// From an entry to the next one.
    stride: u32,
    shift: u32,
    bits: u32,
}

impl TableIndex {
    /// Place of the entry for an address.
    fn place(&self, layer: u32, address: u32) -> usize {
        let value = address >> self.shift & ((1 << self.bits) - 1);
        (self.first + self.stride * ((layer << self.bits) + value)) as usize
    }
}

#[derive(Debug)]
pub struct FlatTables {
    /// Bits 15:0 as in hardware, 23:16 the port beyond the 5 bits that these have for it.
    words: Vec<u32>,
    tables: Vec<TableIndex>,
    /// Per block: first table, first slot, network ports.
    blocks: Vec<(u32, Slot, u8)>,
    /// Virtual channels that behave differently: 1 when no table ever steps.
    channels: u32,
    /// Distance of the channels on which hosts' packets start.
    start_distance: u32,
    /// Per block: place of its first row in `steps`.
    first_step: Vec<u32>,
    /// Per block and input port (PCIe ports included): set of output ports that step.
    steps: Vec<u64>,
    /// Per slot: slot at the other end of the cable.
    peer: Vec<Slot>,
    /// Per slot: block it belongs to.
    owner: Vec<u32>,
}

/// What a block does with a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// Send it out of this network port.
    Forward(Slot),
    /// Hand it to this PCIe port.
    Deliver(u8),
    /// No valid entry.
    Drop,
}

impl FlatTables {
    /// Tables must have passed [`super::tables::check`].
    pub fn new(
        index: &NetworkIndex,
        network: &Network,
        routing: &Routing,
        spec: &NetworkSpec,
    ) -> Self {
        let mut flat = Self {
            channels: 1,
            start_distance: 1,
            first_step: Vec::new(),
            steps: Vec::new(),
            words: Vec::new(),
            tables: Vec::new(),
            blocks: Vec::new(),
            peer: Vec::with_capacity(index.slots()),
            owner: Vec::with_capacity(index.slots()),
        };
        let mut by_length: BTreeMap<usize, Vec<(usize, &DimensionTable)>> = BTreeMap::new();
        for (id, tables) in network.block_ids().zip(&routing.tables) {
            let ports = network.block(id).network_ports;
            let first_slot = index.first_slot(id) as Slot;
            flat.blocks
                .push((flat.tables.len() as u32, first_slot, ports));
            for table in &tables.tables {
                let field = &routing.layout.fields[table.field];
                let alike = by_length.entry(table.entries.len()).or_default();
                alike.push((flat.tables.len(), table));
                flat.tables.push(TableIndex {
                    first: 0,
                    stride: 0,
                    shift: field.offset,
                    bits: field.bits,
                });
            }
            flat.owner.extend((0..ports).map(|_| id.0));
            flat.first_step.push(flat.steps.len() as u32);
            flat.steps.extend(tables.step.iter().map(|row| bits(row)));
        }
        for (length, tables) in by_length {
            flat.interleave(length, &tables);
        }
        let entries = routing.paths.iter().flat_map(|paths| &paths.entry_channels);
        let has_entries = entries.copied().any(|channel| channel != 0);
        if has_entries || flat.steps.iter().any(|&row| row != 0) {
            let channels = spec.block.table_channels();
            let starts = spec.block.host_channels(routing.channels(spec));
            (flat.channels, flat.start_distance) = (channels, channels / starts);
        }
        flat.blocks
            .push((flat.tables.len() as u32, index.slots() as Slot, 0));
        let peers = (0..index.slots()).map(|slot| {
            let peer = index
                .peer(index.end_of(slot))
                .and_then(|end| index.slot(end));
            peer.map_or(NONE, |slot| slot as Slot)
        });
        flat.peer = peers.collect();
        flat
    }

    /// Appends the words of tables of one length, each with its number, the first words of all before the second ones.
    fn interleave(&mut self, length: usize, tables: &[(usize, &DimensionTable)]) {
        /// Entries taken from each table in turn: as many as a cache holds for all of them.
        const AT_A_TIME: usize = 16;
        let (first, stride) = (self.words.len(), tables.len());
        self.words.resize(first + length * stride, 0);
        for from in (0..length).step_by(AT_A_TIME) {
            let entries = from..(from + AT_A_TIME).min(length);
            for (place, (_, table)) in tables.iter().enumerate() {
                for at in entries.clone() {
                    self.words[first + at * stride + place] = word(table.entries[at]);
                }
            }
        }
        for (place, (number, _)) in tables.iter().enumerate() {
            let table = &mut self.tables[*number];
            (table.first, table.stride) = ((first + place) as u32, stride as u32);
        }
    }

    /// The rule of the hardware: the first table whose entry is not `same` decides.
    pub fn decide(&self, block: usize, layer: u32, address: u32) -> Decision {
        let (first, first_slot, ports) = self.blocks[block];
        for table in &self.tables[first as usize..self.blocks[block + 1].0 as usize] {
            let (entry, port) = unpacked(self.words[table.place(layer, address)]);
            if !entry.valid {
                return Decision::Drop;
            }
            if !entry.same {
                return match port.checked_sub(ports) {
                    None => self.through(first_slot + u32::from(port)),
                    Some(pcie) => Decision::Deliver(pcie),
                };
            }
        }
        Decision::Drop
    }

    /// Port by which each block forwards, [`NONE`] where it delivers or drops.
    pub fn decide_all(&self, layer: u32, address: u32) -> Vec<Slot> {
        let blocks = 0..self.blocks.len() - 1;
        let forward = |block| match self.decide(block, layer, address) {
            Decision::Forward(slot) => slot,
            Decision::Deliver(_) | Decision::Drop => NONE,
        };
        blocks.map(forward).collect()
    }

    /// Hops of every block along its ports in `out` to block `to`; none where they lead elsewhere or in a circle.
    pub fn hops(&self, out: &[Slot], to: usize) -> Vec<Option<u32>> {
        let mut known: Vec<Option<Option<u32>>> = vec![None; out.len()];
        known[to] = Some((out[to] == NONE).then_some(0));
        let mut passed = Vec::new();
        for from in 0..out.len() {
            let mut at = from;
            while known[at].is_none() {
                // Whoever comes back here goes in a circle.
                known[at] = Some(None);
                passed.push(at);
                if out[at] == NONE {
                    break;
                }
                at = self.next_block(out[at]);
            }
            let mut hops = known[at].flatten();
            while let Some(block) = passed.pop() {
                if out[block] != NONE {
                    hops = hops.map(|hops| hops + 1);
                    known[block] = Some(hops);
                }
            }
        }
        known.into_iter().map(Option::flatten).collect()
    }

    /// Hops from a block to the adapter block `to`; none where packets are lost, delivered elsewhere or go in a circle.
    pub fn hops_from(&self, from: usize, to: usize, (layer, address): (u32, u32)) -> Option<u32> {
        let mut at = from;
        for hops in 0..self.blocks.len() as u32 {
            match self.decide(at, layer, address) {
                Decision::Forward(slot) => at = self.next_block(slot),
                Decision::Deliver(_) => return (at == to).then_some(hops),
                Decision::Drop => return None,
            }
        }
        None
    }

    /// The network ports by which a block may forward while its entries are those of these tables or of `other`, of
    /// the same shape, as bits. A port whose cable has failed leads nowhere.
    pub fn outputs_of_either(&self, other: &Self, block: usize, layer: u32, address: u32) -> u64 {
        let (first, first_slot, ports) = self.blocks[block];
        let mut outputs = 0;
        for table in &self.tables[first as usize..self.blocks[block + 1].0 as usize] {
            let place = table.place(layer, address);
            let entries = [self, other].map(|flat| unpacked(flat.words[place]));
            for (_, port) in entries
                .iter()
                .filter(|(entry, _)| entry.valid && !entry.same)
            {
                let is_network = *port < ports;
                if is_network && self.peer[(first_slot + u32::from(*port)) as usize] != NONE {
                    outputs |= 1 << port;
                }
            }
            if !entries.iter().any(|(entry, _)| entry.valid && entry.same) {
                break;
            }
        }
        outputs
    }

    /// A port whose cable has failed leads nowhere.
    fn through(&self, slot: Slot) -> Decision {
        match self.peer[slot as usize] {
            NONE => Decision::Drop,
            _ => Decision::Forward(slot),
        }
    }

    /// Virtual channels to tell apart.
    pub fn channels(&self) -> u32 {
        self.channels
    }

    /// Channels on which hosts' packets start (`docs/microarchitecture.md`, 3.1).
    pub fn start_channels(&self) -> impl Iterator<Item = u32> {
        (0..self.channels).step_by(self.start_distance as usize)
    }

    /// Channel on which a packet leaves a block that it entered on `channel` by port `input`.
    pub fn next_channel(&self, block: usize, input: u8, output: u8, channel: u32) -> u32 {
        let row = self.steps(block, input);
        (channel + (row >> output & 1) as u32).min(self.channels - 1)
    }

    /// The output ports to which packets from an input port go a channel up, as bits.
    pub fn steps(&self, block: usize, input: u8) -> u64 {
        self.steps[self.first_step[block] as usize + usize::from(input)]
    }

    /// Port by which a packet sent from `slot` enters the block at the other end.
    pub fn entry_port(&self, slot: Slot) -> u8 {
        self.port(self.peer[slot as usize])
    }

    /// Slot of a block's network port.
    pub fn slot(&self, block: usize, port: u8) -> Slot {
        self.blocks[block].1 + u32::from(port)
    }

    /// Block at the other end of a port that has a cable.
    pub fn next_block(&self, slot: Slot) -> usize {
        self.owner[self.peer[slot as usize] as usize] as usize
    }

    /// Index of a port within its block.
    pub fn port(&self, slot: Slot) -> u8 {
        let block = self.owner[slot as usize] as usize;
        (slot - self.blocks[block].1) as u8
    }
}

/// Bits of the port number in a word of hardware.
const PORT_BITS: u32 = 5;

fn word(entry: TableEntry) -> u32 {
    u32::from(entry.pack()) | u32::from(entry.port >> PORT_BITS) << 16
}

/// An entry as the hardware reads it, and its port.
fn unpacked(word: u32) -> (TableEntry, u8) {
    let entry = TableEntry::unpack(word as u16);
    (entry, entry.port | ((word >> 16) as u8) << PORT_BITS)
}

/// The ports of a set of bits, lowest first.
pub fn ports_in(mut bits: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let port = (bits != 0).then(|| bits.trailing_zeros() as u8)?;
        bits &= bits - 1;
        Some(port)
    })
}

/// A row of the step matrix as bits.
fn bits(row: &[bool]) -> u64 {
    row.iter()
        .rev()
        .fold(0, |bits, &step| bits << 1 | u64::from(step))
}
