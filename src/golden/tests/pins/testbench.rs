//! A block on the bench: pins set and read by name, one cycle at a time.

use crate::Block;
use mkns_design::{BlockModule, ModuleKind, Pins, TableShape, switch_module, switch_tables};
use mkns_routing::{AddressLayout, BlockTables, DimensionTable, TableEntry, Turns};
use mkns_spec::BlockParameters;

/// A flit seen on the tx pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sent {
    pub port: usize,
    pub channel: usize,
    pub last: bool,
    pub bad: bool,
    pub data: u64,
}

pub struct PinTestbench {
    pub block: Block,
    pub module: BlockModule,
    pub inputs: Vec<u64>,
    pub outputs: Vec<u64>,
    pub at: Pins,
    pub cycle: u64,
}

/// Usual parameters of blocks, with two virtual channels.
pub fn two_channels() -> BlockParameters {
    BlockParameters {
        virtual_channels: 2,
        ..BlockParameters::default()
    }
}

/// An entry that leads to `port`.
pub fn entry(port: usize) -> TableEntry {
    TableEntry {
        valid: true,
        port: port as u8,
        ..TableEntry::default()
    }
}

/// Adapter block at x = 0 with 4 network ports and 2 PCIe ports: x − 1 is the network port, and
/// the address is PCIe port (1 bit), x (3 bits, values 0…4).
pub fn adapter_module(parameters: BlockParameters) -> (BlockModule, BlockTables) {
    let module = BlockModule {
        kind: ModuleKind::Adapter,
        pcie_ports: 2,
        tables: vec![
            TableShape { lsb: 1, bits: 3 },
            TableShape { lsb: 0, bits: 1 },
        ],
        turns: Turns::between_all(6, 4),
        alternates: true,
        layout: AddressLayout::new([("pcie", 2), ("x", 5)]),
        ..switch_module(4, parameters)
    };
    let mut line = vec![TableEntry::default(); 8];
    line[0] = TableEntry::same();
    line[1..5].copy_from_slice(&[0, 1, 2, 3].map(entry));
    let tables = BlockTables {
        tables: vec![
            DimensionTable {
                field: 1,
                entries: line,
            },
            DimensionTable {
                field: 0,
                entries: vec![entry(4), entry(5)],
            },
        ],
        step: vec![vec![false; 6]; 6],
        candidates: Vec::new(),
    };
    (module, tables)
}

impl PinTestbench {
    pub fn switch(ports: u32, parameters: BlockParameters) -> PinTestbench {
        let module = switch_module(ports, parameters);
        let tables = switch_tables(&module);
        PinTestbench::new(module, &tables)
    }

    /// A switch block with a STEP register for each input, where there are virtual channels to go up.
    pub fn switch_with_steps(ports: u32, parameters: BlockParameters) -> PinTestbench {
        let mut module = switch_module(ports, parameters);
        module.route_channels = module.parameters.virtual_channels;
        let tables = switch_tables(&module);
        PinTestbench::new(module, &tables)
    }

    pub fn adapter(parameters: BlockParameters) -> PinTestbench {
        PinTestbench::adapter_of(parameters, 1)
    }

    /// An adapter block where routes need `route_channels` channels.
    pub fn adapter_of(parameters: BlockParameters, route_channels: u32) -> PinTestbench {
        let (mut module, tables) = adapter_module(parameters);
        module.route_channels = route_channels;
        PinTestbench::new(module, &tables)
    }

    /// All links are up.
    pub fn new(module: BlockModule, tables: &BlockTables) -> PinTestbench {
        let block = Block::new(&module, 0, Some(tables));
        PinTestbench::of(module, block)
    }

    /// A block of a module, all links up.
    pub fn of(module: BlockModule, block: Block) -> PinTestbench {
        let at = Pins::new(&module);
        let mut inputs = vec![0; at.input_words];
        inputs[at.link_up] = (1 << module.network_ports) - 1;
        PinTestbench {
            block,
            inputs,
            outputs: vec![0; at.output_words],
            at,
            module,
            cycle: 0,
        }
    }

    /// Puts a flit on the rx pins of the coming cycle.
    pub fn send(&mut self, port: usize, channel: usize, last: bool, data: u64) {
        let vb = self.module.virtual_channel_bits() as usize;
        let words = self.module.parameters.flit_bits as usize / 64;
        let at = &self.at;
        self.inputs[at.rx.valid] |= 1 << port;
        self.inputs[at.rx.channel] |= (channel as u64) << (port * vb);
        self.inputs[at.rx.last] |= u64::from(last) << port;
        self.inputs[at.rx.data + port * words] = data;
    }

    /// One cycle with a flit on the rx pins.
    pub fn tick_sending(
        &mut self,
        port: usize,
        channel: usize,
        last: bool,
        data: u64,
    ) -> Vec<Sent> {
        self.send(port, channel, last, data);
        self.tick()
    }

    /// Gives a credit back in the coming cycle.
    pub fn give_credit(&mut self, port: usize, channel: usize) {
        let v = self.module.parameters.virtual_channels as usize;
        self.inputs[self.at.tx_credit] |= 1 << (port * v + channel);
    }

    pub fn set_link(&mut self, port: usize, up: bool) {
        let word = &mut self.inputs[self.at.link_up];
        *word = *word & !(1 << port) | u64::from(up) << port;
    }

    /// One cycle; flits and credits given for it are taken away again.
    pub fn tick(&mut self) -> Vec<Sent> {
        self.block.step(&self.inputs, &mut self.outputs);
        let at = &self.at;
        self.inputs[at.rx.valid..at.link_up].fill(0);
        self.cycle += 1;
        self.sent()
    }

    /// One cycle in which every flit sent is credited at once.
    pub fn tick_crediting(&mut self) -> Vec<Sent> {
        let sent = self.tick();
        for flit in &sent {
            self.give_credit(flit.port, flit.channel);
        }
        sent
    }

    /// All flits sent in the next cycles.
    pub fn run(&mut self, cycles: usize) -> Vec<Sent> {
        (0..cycles).flat_map(|_| self.tick()).collect()
    }

    /// The rx_credit pulse of a port's channel in the last cycle.
    pub fn returned_credit(&self, port: usize, channel: usize) -> bool {
        let v = self.module.parameters.virtual_channels as usize;
        self.outputs[self.at.rx_credit] >> (port * v + channel) & 1 == 1
    }

    /// A register read over the control port; the response code on refusal.
    pub fn read(&mut self, address: u32) -> Result<u32, u64> {
        self.inputs[self.at.control_in.araddr] = u64::from(address);
        self.inputs[self.at.control_in.arvalid] = 1;
        self.tick();
        self.tick();
        // A counter waits for its turn.
        while self.outputs[self.at.control_out.arready] == 0 {
            self.tick();
        }
        self.inputs[self.at.control_in.arvalid] = 0;
        self.inputs[self.at.control_in.rready] = 1;
        self.tick();
        self.inputs[self.at.control_in.rready] = 0;
        assert_eq!(self.outputs[self.at.control_out.rvalid], 1);
        match self.outputs[self.at.control_out.rresp] {
            0 => Ok(self.outputs[self.at.control_out.rdata] as u32),
            response => Err(response),
        }
    }

    /// A register write over the control port; the response code on refusal.
    pub fn write(&mut self, address: u32, data: u32) -> Result<(), u64> {
        self.start_write(address, data);
        self.tick();
        self.tick();
        assert_eq!(self.outputs[self.at.control_out.awready], 1);
        self.inputs[self.at.control_in.awvalid] = 0;
        self.inputs[self.at.control_in.wvalid] = 0;
        self.inputs[self.at.control_in.bready] = 1;
        self.tick();
        self.inputs[self.at.control_in.bready] = 0;
        assert_eq!(self.outputs[self.at.control_out.bvalid], 1);
        match self.outputs[self.at.control_out.bresp] {
            0 => Ok(()),
            response => Err(response),
        }
    }

    /// Puts a write on the control port's pins.
    pub fn start_write(&mut self, address: u32, data: u32) {
        let at = &self.at;
        self.inputs[at.control_in.awaddr] = u64::from(address);
        self.inputs[at.control_in.awvalid] = 1;
        self.inputs[at.control_in.wdata] = u64::from(data);
        self.inputs[at.control_in.wstrb] = 15;
        self.inputs[at.control_in.wvalid] = 1;
    }

    /// Counter c of core port p.
    pub fn counter(&mut self, port: u32, counter: u32) -> u32 {
        self.read(0x2000 + 0x40 * port + 4 * counter)
            .expect("readable")
    }

    /// Counter c of PCIe port q.
    pub fn pcie_counter(&mut self, port: u32, counter: u32) -> u32 {
        self.read(0x3000 + 0x40 * port + 4 * counter)
            .expect("readable")
    }

    /// Flits on the tx pins in the last cycle.
    pub fn sent(&self) -> Vec<Sent> {
        let at = &self.at;
        let vb = self.module.virtual_channel_bits() as usize;
        let words = self.module.parameters.flit_bits as usize / 64;
        let bit = |word: usize, port: usize| self.outputs[word] >> port & 1 == 1;
        (0..self.module.network_ports as usize)
            .filter(|&port| bit(at.tx.valid, port))
            .map(|port| Sent {
                port,
                channel: (self.outputs[at.tx.channel] >> (port * vb)) as usize & ((1 << vb) - 1),
                last: bit(at.tx.last, port),
                bad: bit(at.tx.bad, port),
                data: self.outputs[at.tx.data + port * words],
            })
            .collect()
    }
}
