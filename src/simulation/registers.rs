//! The register map behind the control port (section 4 of `docs/microarchitecture.md`).
//!
//! Holds the registers that belong to no other part; knows nothing of handshakes.

use super::control_port::Write;
use super::core::Core;
use super::counter_turn::{CORE_COUNTERS, CounterTurn, PCIE_COUNTERS};
use super::fabric::ports_below;
use super::host_port::HostPort;
use super::layer_choice::Layers;
use mkns_design::{BlockModule, ModuleKind};

const ID: u32 = 0x4D4B_4E53;
const VERSION: u32 = 0x0000_0100;
const FIRST_DROP_IS_FILLED: u32 = 1 << 7;
const NODE_ADDRESS_MASK: u32 = 0xF_FFFF;

const NODE_ADDRESS_AT: u32 = 0x0_0010;
const ERRORS_AT: u32 = 0x0_0018;
const STEP_AT: u32 = 0x0_1000;
const COUNTERS_AT: u32 = 0x0_2000;
const PCIE_COUNTERS_AT: u32 = 0x0_3000;
const TABLES_AT: u32 = 0x4_0000;
const LAYER_ENTRY_AT: u32 = 0x0_4000;
const MASKS_AT: u32 = 0x8_0000;
const TABLE_BYTES: u32 = 0x4000;
const COUNTER_BYTES: u32 = 0x40;

/// Where an address leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Fixed(u32),
    NodeAddress,
    LinkUp,
    Errors,
    FirstDropPort,
    FirstDropHeader { high: bool },
    Step(usize),
    Counter { port: usize, counter: usize },
    PcieCounter { port: usize, counter: usize },
    Table { table: usize, index: usize },
    LayerEntry(usize),
    Mask(usize),
}

/// Identification, errors, first-drop register, node address.
#[derive(Debug, Clone)]
pub struct Registers {
    /// NODE_ADDRESS is writable.
    has_address: bool,
    /// STEP is there.
    has_step: bool,
    /// Counters are there, and not only zeros in their place.
    has_counters: bool,
    core_ports: u32,
    network_ports: u32,
    pcie_ports: u32,
    block: u32,
    sizes: u32,
    initial_node_address: u32,
    pub node_address: u32,
    errors: u32,
    /// Port and header of the first drop of the last cycle.
    offered: Option<(u8, u64)>,
    first_drop_port: u8,
    first_drop_header: u64,
    /// Bits that a write of this cycle clears.
    errors_cleared: u32,
}

impl Registers {
    pub fn new(module: &BlockModule, node_address: u32) -> Registers {
        let parameters = &module.parameters;
        let has_address = module.kind.has_hosts();
        let kind = match module.kind {
            ModuleKind::Switch => 0,
            ModuleKind::Adapter => 1,
            ModuleKind::Rok => 2,
            ModuleKind::Terminal => 3,
        };
        let queue_flits = match module.kind {
            ModuleKind::Switch | ModuleKind::Adapter => parameters.queue_flits,
            ModuleKind::Rok | ModuleKind::Terminal => 0,
        };
        let node_address = if has_address {
            node_address & NODE_ADDRESS_MASK
        } else {
            0
        };
        Registers {
            has_address,
            has_step: module.has_step(),
            has_counters: parameters.counters,
            core_ports: module.core_ports(),
            network_ports: module.network_ports,
            pcie_ports: module.pcie_ports,
            block: module.network_ports
                | module.pcie_ports << 8
                | parameters.virtual_channels << 16
                | (module.tables.len() as u32) << 20
                | parameters.layers << 24
                | kind << 28,
            sizes: parameters.flit_bits | parameters.rx_buffer_flits << 10 | queue_flits << 20,
            initial_node_address: node_address,
            node_address,
            errors: 0,
            offered: None,
            first_drop_port: 0,
            first_drop_header: 0,
            errors_cleared: 0,
        }
    }

    pub fn reset(&mut self) {
        self.node_address = self.initial_node_address;
        self.errors = 0;
        self.offered = None;
        self.first_drop_port = 0;
        self.first_drop_header = 0;
        self.errors_cleared = 0;
    }

    /// What a read of this cycle returns; none when the address is not readable.
    pub fn read(&self, address: u32, core: &Core, hosts: &[HostPort], link_up: u32) -> Option<u32> {
        Some(match self.place(address)? {
            Place::Fixed(value) => value,
            Place::NodeAddress => self.node_address,
            Place::LinkUp => link_up & ports_below(self.network_ports),
            Place::Errors => self.errors,
            Place::FirstDropPort => u32::from(self.first_drop_port),
            Place::FirstDropHeader { high: false } => self.first_drop_header as u32,
            Place::FirstDropHeader { high: true } => (self.first_drop_header >> 32) as u32,
            Place::Step(input) => core.step_row(input),
            Place::Counter { port, counter } => core.counter(port, counter),
            Place::PcieCounter { port, counter } => hosts[port].counter(counter),
            Place::Table { .. } => return None,
            Place::LayerEntry(layer) => hosts.first()?.layers()?.entry(layer)?,
            Place::Mask(index) => hosts.first()?.layers()?.mask(index)?,
        })
    }

    /// Whether an address is that of a mask, if there are masks.
    pub fn is_mask(&self, address: u32, hosts: &[HostPort]) -> bool {
        let Some(Place::Mask(index)) = self.place(address) else {
            return false;
        };
        let layers = hosts.first().and_then(HostPort::layers);
        layers.is_some_and(|layers| layers.mask(index).is_some())
    }

    /// Whether a read that is asked for in this cycle waits for the turn of a counter; if so, whether
    /// this is the turn.
    pub fn counter_is_due(&self, address: u32, turn: &CounterTurn) -> Option<bool> {
        match self.place(address)? {
            _ if !self.has_counters => None,
            Place::Counter { port, counter } => Some(turn.is_of_core(port, counter)),
            Place::PcieCounter { port, counter } => Some(turn.is_of_pcie(port, counter)),
            _ => None,
        }
    }

    /// Carries out a write at the end of the cycle; false when nothing is written.
    pub fn write(&mut self, write: Write, core: &mut Core, hosts: &mut [HostPort]) -> bool {
        if !write.whole_word {
            return false;
        }
        match self.place(write.address) {
            Some(Place::NodeAddress) if self.has_address => {
                self.node_address = write.data & NODE_ADDRESS_MASK;
                true
            }
            Some(Place::Errors) => {
                self.errors_cleared = write.data;
                true
            }
            Some(Place::Step(input)) => {
                core.write_step_row(input, write.data);
                true
            }
            Some(Place::Table { table, index }) => {
                core.write_table(table, index, write.data as u16)
            }
            Some(Place::LayerEntry(layer)) => {
                all_layers(hosts, |layers| layers.write_entry(layer, write.data))
            }
            Some(Place::Mask(index)) => {
                all_layers(hosts, |layers| layers.write_mask(index, write.data))
            }
            _ => false,
        }
    }

    /// Whether a clock edge without events would change nothing.
    pub fn is_at_rest(&self) -> bool {
        self.offered.is_none()
    }

    /// The clock edge, after [`Self::write`]: events of this cycle win over its clear. The header of
    /// a drop is taken a cycle after its event.
    #[inline]
    pub fn step(&mut self, events: u32, first_drop: Option<(u8, u64)>) {
        let mut events = events;
        if let Some((port, header)) = std::mem::replace(&mut self.offered, first_drop)
            && self.errors & FIRST_DROP_IS_FILLED == 0
        {
            self.first_drop_port = port;
            self.first_drop_header = header;
            events |= FIRST_DROP_IS_FILLED;
        }
        self.errors = self.errors & !std::mem::take(&mut self.errors_cleared) | events;
    }

    /// What is at an address.
    pub fn place(&self, address: u32) -> Option<Place> {
        if !address.is_multiple_of(4) {
            return None;
        }
        match address {
            0x00 => Some(Place::Fixed(ID)),
            0x04 => Some(Place::Fixed(VERSION)),
            0x08 => Some(Place::Fixed(self.block)),
            0x0C => Some(Place::Fixed(self.sizes)),
            NODE_ADDRESS_AT => Some(Place::NodeAddress),
            0x14 => Some(Place::LinkUp),
            ERRORS_AT => Some(Place::Errors),
            0x1C => Some(Place::FirstDropPort),
            0x20 => Some(Place::FirstDropHeader { high: false }),
            0x24 => Some(Place::FirstDropHeader { high: true }),
            STEP_AT..COUNTERS_AT => {
                let input = (address - STEP_AT) / 4;
                (self.has_step && input < self.core_ports).then_some(Place::Step(input as usize))
            }
            COUNTERS_AT..PCIE_COUNTERS_AT => {
                let (port, counter) = counter_at(address - COUNTERS_AT);
                let exists = port < self.core_ports && counter < CORE_COUNTERS;
                exists.then_some(Place::Counter {
                    port: port as usize,
                    counter: counter as usize,
                })
            }
            PCIE_COUNTERS_AT..LAYER_ENTRY_AT => {
                let (port, counter) = counter_at(address - PCIE_COUNTERS_AT);
                let exists = port < self.pcie_ports && counter < PCIE_COUNTERS;
                exists.then_some(Place::PcieCounter {
                    port: port as usize,
                    counter: counter as usize,
                })
            }
            LAYER_ENTRY_AT..0x5000 => {
                Some(Place::LayerEntry(((address - LAYER_ENTRY_AT) / 4) as usize))
            }
            MASKS_AT.. => Some(Place::Mask(((address - MASKS_AT) / 4) as usize)),
            TABLES_AT.. => Some(Place::Table {
                table: ((address - TABLES_AT) / TABLE_BYTES) as usize,
                index: (address % TABLE_BYTES / 4) as usize,
            }),
            _ => None,
        }
    }
}

/// A write to the masks or entry channels of all ports; false when there are none, or no such one.
fn all_layers(hosts: &mut [HostPort], mut write: impl FnMut(&mut Layers) -> bool) -> bool {
    let mut exists = false;
    for layers in hosts.iter_mut().filter_map(HostPort::layers_mut) {
        exists = write(layers);
    }
    exists
}

fn counter_at(offset: u32) -> (u32, u32) {
    (offset / COUNTER_BYTES, offset % COUNTER_BYTES / 4)
}
