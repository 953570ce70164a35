//! Section 4, counters: where they stand in the register map, and their turn.

use mkns_design::{BlockModule, COUNTER_STRIDE};

/// A counter, by its port and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    Core { port: usize, c: usize },
    Pcie { port: usize, c: usize },
}

/// Counters of a core port, also of an adaptive block, and of a PCIe port.
const CORE_COUNTERS: u32 = 9;
const ADAPTIVE_COUNTERS: u32 = 12;
const PCIE_COUNTERS: u32 = 14;

/// How many counters a block has.
#[derive(Debug, Clone, Copy)]
pub struct CounterMap {
    /// P
    ports: u32,
    /// M
    pcie_ports: u32,
    /// Counters of a core port.
    core_counters: u32,
}

impl CounterMap {
    pub fn new(module: &BlockModule) -> Self {
        Self {
            ports: module.core_ports(),
            pcie_ports: module.pcie_ports,
            core_counters: match module.candidates() {
                Some(_) => ADAPTIVE_COUNTERS,
                None => CORE_COUNTERS,
            },
        }
    }

    pub fn at(&self, address: u32) -> Option<Counter> {
        let in_group = |base: u32, ports: u32, counters: u32| {
            let offset = address.checked_sub(base)?;
            let (port, c) = (offset / COUNTER_STRIDE, offset % COUNTER_STRIDE / 4);
            let exists = port < ports && c < counters && address.is_multiple_of(4);
            exists.then_some((port as usize, c as usize))
        };
        if let Some((port, c)) = in_group(0x3000, self.pcie_ports, PCIE_COUNTERS) {
            return Some(Counter::Pcie { port, c });
        }
        let (port, c) = in_group(0x2000, self.ports, self.core_counters)?;
        Some(Counter::Core { port, c })
    }

    /// *turns*: their number.
    pub fn turns(&self) -> u32 {
        (self.core_counters * self.ports + PCIE_COUNTERS * self.pcie_ports).next_multiple_of(15)
    }

    pub fn turn(&self, counter: Counter) -> u32 {
        match counter {
            Counter::Core { port, c } => self.ports * c as u32 + port as u32,
            Counter::Pcie { port, c } => {
                self.core_counters * self.ports + self.pcie_ports * c as u32 + port as u32
            }
        }
    }
}
