//! What a core shows to its block: a switch core (section 1), or splitter and combiner (6.3).

use crate::Flit;

/// Inputs of a core in a cycle. Ports 0…d−1 are network ports, PCIe ports follow.
#[derive(Debug, Clone, Default)]
pub struct CoreInputs {
    /// `rx_*` of port p, when rx_valid is 1.
    pub rx: Vec<Option<Flit>>,
    /// `tx_credit` of port p, bit v.
    pub tx_credit: Vec<u32>,
    /// Bit p.
    pub link_up: u32,
}

/// A dropped header, for the first-drop register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drop {
    /// Input port.
    pub port: usize,
    pub header: u64,
}

/// What a cycle shows in the registers of section 4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CoreEvents {
    /// Bits of ERRORS.
    pub errors: u32,
    /// Of the lowest input, when several drop in one cycle.
    pub first_drop: Option<Drop>,
}
