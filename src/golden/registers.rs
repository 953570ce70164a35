//! Section 4, the registers: what stands where, and what a write does.

use mkns_design::{BlockModule, ModuleKind, PathRegister};
use mkns_routing::TableEntry;

use crate::{DroppedHeader, Events};

/// What blocks and link ports call their kind.
pub fn kind_code(kind: ModuleKind) -> u16 {
    match kind {
        ModuleKind::Switch => 0,
        ModuleKind::Adapter => 1,
        ModuleKind::Pok => 2,
        ModuleKind::Terminal => 3,
    }
}

/// Bit of ERRORS: the first-drop register is filled.
const FIRST_DROP_FILLED: u32 = 1 << 7;
/// u32 of ERRORS.
const ERRORS: u32 = 0xff;

/// A write that is carried out at the end of a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    NodeAddress(u32),
    ClearErrors(u32),
    Path(PathRegister, u32),
}

/// The registers that are neither counters nor part of the core.
#[derive(Debug, Clone)]
pub struct Registers {
    module: BlockModule,
    /// Parameter `NODE_ADDRESS`.
    node_address_parameter: u32,

    pub node_address: u32,
    errors: u32,
    first_drop: DroppedHeader,
    /// Counted in the cycle before, not yet in the first-drop register.
    counted_drop: Option<DroppedHeader>,
}

impl Registers {
    /// In reset.
    pub fn new(module: &BlockModule, node_address: u32) -> Self {
        Self {
            module: module.clone(),
            node_address_parameter: node_address,
            node_address,
            errors: 0,
            first_drop: DroppedHeader { port: 0, header: 0 },
            counted_drop: None,
        }
    }

    /// A cycle with `rst`.
    pub fn reset(&mut self) {
        self.node_address = self.node_address_parameter;
        self.errors = 0;
        self.first_drop = DroppedHeader { port: 0, header: 0 };
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
                    | u32::from(kind_code(self.module.kind)) << 28
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

    /// D; 6.3: blocks without queues show 0.
    fn queue_flits(&self) -> u32 {
        match self.module.kind.is_pok() {
            true => 0,
            false => self.module.parameters.queue_flits,
        }
    }

    /// What of the data path is at this address.
    pub fn of_path(&self, address: u32) -> Option<PathRegister> {
        if !address.is_multiple_of(4) {
            return None;
        }
        let register = |base: u32| Some((address.checked_sub(base)? / 4) as usize);
        let module = &self.module;
        if let Some(a) = register(0x8_0000) {
            let exists = a < module.masks?.entries() as usize;
            return exists.then_some(PathRegister::Mask { a });
        }
        if let Some(a) = register(0x6_0000) {
            let exists = a < module.candidates()?.entries() as usize;
            return exists.then_some(PathRegister::Candidates { a });
        }
        if let Some(offset) = register(0x4_0000) {
            let (n, index) = (offset / 0x1000, offset % 0x1000);
            let entries = module.parameters.layers << module.tables.get(n)?.bits;
            return (index < entries as usize).then_some(PathRegister::Table { n, index });
        }
        if let Some(l) = register(0x4000) {
            let exists = module.masks.is_some() && l < module.parameters.layers as usize;
            return exists.then_some(PathRegister::Entry { l });
        }
        let is_row = |row: &usize| *row < module.core_ports() as usize;
        if let Some(row) = register(0x1800) {
            let exists = !module.kind.is_pok() && is_row(&row);
            return exists.then_some(PathRegister::Turns { row });
        }
        let row = register(0x1000).filter(is_row)?;
        module.has_step().then_some(PathRegister::Step { row })
    }

    /// What a write does; none when it is refused.
    pub fn write_at(&self, address: u32, data: u32) -> Option<Write> {
        match address {
            0x10 if self.module.kind.has_hosts() => Some(Write::NodeAddress(data & 0xf_ffff)),
            0x18 => Some(Write::ClearErrors(data)),
            _ => {
                let register = self.of_path(address)?;
                let is_refused = match register {
                    PathRegister::Turns { .. } => true,
                    PathRegister::Table { .. } => self.leads_nowhere(data),
                    _ => false,
                };
                (!is_refused).then_some(Write::Path(register, data))
            }
        }
    }

    /// Whether a table entry names a port to which no input turns, or an alternate where there are none.
    fn leads_nowhere(&self, data: u32) -> bool {
        let entry = TableEntry::unpack(data as u16);
        let is_missing = |port: u8| self.module.turns.inputs_of(port.into()) == 0;
        entry.valid
            && !entry.same
            && (is_missing(entry.port)
                || (entry.alternate)
                    .is_some_and(|port| !self.module.alternates || is_missing(port)))
    }

    /// The end of a cycle: the write that is carried out, then the events, which win over a clear.
    pub fn clock(&mut self, write: Option<Write>, events: &Events) {
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
