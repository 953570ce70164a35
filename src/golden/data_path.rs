//! What goes in and out of the data path of a block in a cycle, as pins and control port around it see it.

use crate::{Beat, Flit};

/// What comes in through the pins in a cycle.
#[derive(Debug, Clone, Default)]
pub struct PathInputs {
    /// Network ports whose rx_valid is 1, in ascending order, and what is on their `rx_*`.
    pub rx: Vec<(usize, Flit)>,
    /// `tx_credit`: bit p · V + v.
    pub tx_credit: u128,
    /// Bit p.
    pub link_up: u32,
    /// PCIe ports whose `s_axis_pcie_tvalid` is 1, in ascending order, and their beats.
    pub beats: Vec<(usize, Beat)>,
    /// `m_axis_pcie_tready`, bit q.
    pub ready: u32,
    /// The register NODE_ADDRESS at the start of the cycle.
    pub node_address: u32,
}

/// What goes out through the pins in a cycle.
#[derive(Debug, Clone, Default)]
pub struct PathOutputs {
    /// Network ports whose tx_valid is 1, and what is on their `tx_*`.
    pub tx: Vec<(usize, Flit)>,
    /// `rx_credit`: bit p · V + v.
    pub rx_credit: u128,
    /// PCIe ports whose `m_axis_pcie_tvalid` is 1, and their beats.
    pub beats: Vec<(usize, Beat)>,
    /// `s_axis_pcie_tready`, bit q.
    pub ready: u32,
}

impl PathOutputs {
    /// All pins 0.
    pub fn clear(&mut self) {
        self.tx.clear();
        self.beats.clear();
        (self.rx_credit, self.ready) = (0, 0);
    }
}

/// What a cycle shows in the registers ERRORS and FIRST_DROP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PathEvents {
    /// Bits of ERRORS.
    pub errors: u32,
    /// Of the lowest input, when several drop in one cycle.
    pub first_drop: Option<DroppedHeader>,
}

/// The header of a packet that is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DroppedHeader {
    /// Input port.
    pub port: usize,
    pub header: u64,
}

/// A counter, by its port and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    Core { port: usize, c: usize },
    Pcie { port: usize, c: usize },
}
