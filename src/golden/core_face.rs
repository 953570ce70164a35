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
