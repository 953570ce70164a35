//! Section 4, the registers: what stands where, and what a write does.

use mkns_design::{BlockModule, ModuleKind};

use crate::{CoreEvents, Drop};

/// Bit of ERRORS: the first-drop register is filled.
const FIRST_DROP_FILLED: u32 = 1 << 7;
/// u32 of ERRORS.
const ERRORS: u32 = 0xff;

/// A write that is carried out at the end of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    NodeAddress(u32),
    ClearErrors(u32),
    Step { row: usize, outputs: u32 },
    Table { n: usize, index: usize, entry: u16 },
    Mask { a: usize, mask: u32 },
    Entry { l: usize, channel: u32 },
}

/// The registers that are neither counters nor part of the core.
#[derive(Debug, Clone)]
pub struct Registers {
    module: BlockModule,
    /// Parameter `NODE_ADDRESS`.
    node_address_parameter: u32,

    pub node_address: u32,
    errors: u32,
    first_drop: Drop,
    /// Counted in the cycle before, not yet in the first-drop register.
    counted_drop: Option<Drop>,
}

impl Registers {
    /// In reset.
    pub fn new(module: &BlockModule, node_address: u32) -> Self {
        Self {
            module: module.clone(),
            node_address_parameter: node_address,
            node_address,
            errors: 0,
            first_drop: Drop { port: 0, header: 0 },
            counted_drop: None,
        }
    }

    /// A cycle with `rst`.
    pub fn reset(&mut self) {
        self.node_address = self.node_address_parameter;
        self.errors = 0;
        self.first_drop = Drop { port: 0, header: 0 };
        self.counted_drop = None;
    }

    /// The value of a readable register; `link_up` as on the pins in this cycle.
    pub fn read(&self, address: u32, link_up: u32) -> Option<u32> {
        let block = &self.module.parameters;
        let value = match address {
            0x00 => 0x4D4B_4E53,
            0x04 => 0x100,
            0x08 => {
                self.module.network_ports
                    | self.module.pcie_ports << 8
                    | block.virtual_channels << 16
                    | (self.module.tables.len() as u32) << 20
                    | block.layers << 24
                    | self.kind() << 28
            }
            0x0C => block.flit_bits | block.rx_buffer_flits << 10 | self.queue_flits() << 20,
            0x10 => self.node_address,
            0x14 => link_up,
            0x18 => self.errors,
            0x1C => self.first_drop.port as u32,
            0x20 => self.first_drop.header as u32,
            0x24 => (self.first_drop.header >> 32) as u32,
            _ => return None,
        };
        Some(value)
    }

    fn kind(&self) -> u32 {
        match self.module.kind {
            ModuleKind::Switch => 0,
            ModuleKind::Adapter => 1,
            ModuleKind::Rok => 2,
            ModuleKind::Terminal => 3,
        }
    }

    /// D; 6.3: blocks without queues show 0.
    fn queue_flits(&self) -> u32 {
        match self.module.kind.is_rok() {
            true => 0,
            false => self.module.parameters.queue_flits,
        }
    }

    /// The row of a STEP register at this address.
    pub fn step_row(&self, address: u32) -> Option<usize> {
        let row = address.checked_sub(0x1000)? / 4;
        let exists = self.module.has_step() && row < self.module.core_ports();
        (exists && address.is_multiple_of(4)).then_some(row as usize)
    }

    /// The layer of a LAYER_ENTRY register at this address.
    pub fn layer_entry(&self, address: u32) -> Option<usize> {
        let l = address.checked_sub(0x4000)? / 4;
        let exists = self.module.masks.is_some() && l < self.module.parameters.layers;
        (exists && address.is_multiple_of(4)).then_some(l as usize)
    }

    /// The node address of a mask at this address.
    pub fn mask_index(&self, address: u32) -> Option<usize> {
        let a = address.checked_sub(0x8_0000)? / 4;
        let exists = a < self.module.masks?.entries();
        (exists && address.is_multiple_of(4)).then_some(a as usize)
    }

    /// What a write does; none when the address is not writable.
    pub fn write_at(&self, address: u32, data: u32) -> Option<Write> {
        if let Some(row) = self.step_row(address) {
            let outputs = data & ((1 << self.module.core_ports()) - 1);
            return Some(Write::Step { row, outputs });
        }
        if let Some(l) = self.layer_entry(address) {
            return Some(Write::Entry { l, channel: data });
        }
        if let Some(a) = self.mask_index(address) {
            return Some(Write::Mask { a, mask: data });
        }
        match address {
            0x10 if self.module.kind.has_hosts() => Some(Write::NodeAddress(data & 0xf_ffff)),
            0x18 => Some(Write::ClearErrors(data)),
            _ => self.table_entry(address, data as u16),
        }
    }

    fn table_entry(&self, address: u32, entry: u16) -> Option<Write> {
        let offset = address.checked_sub(0x4_0000)?;
        let (n, index) = (offset / 0x4000, offset % 0x4000 / 4);
        let shape = self.module.tables.get(n as usize)?;
        let exists = index < self.module.parameters.layers << shape.bits;
        (exists && address.is_multiple_of(4)).then_some(Write::Table {
            n: n as usize,
            index: index as usize,
            entry,
        })
    }

    /// The end of a cycle: the write that is carried out, then the events, which win over a clear.
    pub fn clock(&mut self, write: Option<Write>, events: &CoreEvents) {
        // The header of a drop that was counted a cycle ago, when the register is armed.
        let taken = self
            .counted_drop
            .filter(|_| self.errors & FIRST_DROP_FILLED == 0);
        match write {
            Some(Write::NodeAddress(address)) => self.node_address = address,
            Some(Write::ClearErrors(bits)) => self.errors &= !bits,
            _ => {}
        }
        self.errors |= events.errors & ERRORS;
        if let Some(drop) = taken {
            self.first_drop = drop;
            self.errors |= FIRST_DROP_FILLED;
        }
        self.counted_drop = events.first_drop;
    }
}
