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
    /// Turn of the first PCIe counter.
    first_of_pcie: u32,
}

impl CounterTurn {
    pub fn new(module: &BlockModule) -> CounterTurn {
        let first_of_pcie = CORE_COUNTERS * module.core_ports();
        let counters = first_of_pcie + PCIE_COUNTERS * module.pcie_ports;
        CounterTurn {
            turn: 0,
            round: counters.next_multiple_of(ROUND_UNIT),
            first_of_pcie,
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
        self.turn == CORE_COUNTERS * port as u32 + counter as u32
    }

    /// Whether a counter of a PCIe port is read in this cycle.
    pub fn is_of_pcie(&self, port: usize, counter: usize) -> bool {
        self.turn == self.first_of_pcie + PCIE_COUNTERS * port as u32 + counter as u32
    }
}
