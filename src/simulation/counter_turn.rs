//! Whose turn it is to be read among the counters of a block (section 4, *The turn of a counter*).

use mkns_design::BlockModule;

/// Counters of a core port and of a PCIe port.
pub const CORE_COUNTERS: u32 = 9;
pub const PCIE_COUNTERS: u32 = 14;
/// A round is a multiple of this.
const ROUND_UNIT: u32 = 15;

/// State `turn`; starts in reset.
#[derive(Debug, Clone)]
pub struct CounterTurn {
    turn: u32,
    round: u32,
    core_ports: u32,
    pcie_ports: u32,
}

impl CounterTurn {
    pub fn new(module: &BlockModule) -> CounterTurn {
        let (core_ports, pcie_ports) = (module.core_ports(), module.pcie_ports);
        let counters = CORE_COUNTERS * core_ports + PCIE_COUNTERS * pcie_ports;
        CounterTurn {
            turn: 0,
            round: counters.next_multiple_of(ROUND_UNIT),
            core_ports,
            pcie_ports,
        }
    }

    pub fn reset(&mut self) {
        self.turn = 0;
    }

    /// The clock edge.
    #[inline]
    pub fn step(&mut self) {
        self.turn += 1;
        if self.turn == self.round {
            self.turn = 0;
        }
    }

    /// Whether a counter of a core port is read in this cycle.
    pub fn is_of_core(&self, port: usize, counter: usize) -> bool {
        self.turn == self.core_ports * counter as u32 + port as u32
    }

    /// Whether a counter of a PCIe port is read in this cycle.
    pub fn is_of_pcie(&self, port: usize, counter: usize) -> bool {
        let first = CORE_COUNTERS * self.core_ports;
        self.turn == first + self.pcie_ports * counter as u32 + port as u32
    }
}
