//! 7: the pins of a link port.

use super::words::LineWord;
use crate::Flit;

/// What comes to the pins in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct LinkInputs {
    pub tx: Option<Flit>,
    /// Bit v.
    pub rx_credit: u32,
    pub register: Option<RegisterAccess>,
    pub line_tx_ready: bool,
    pub line_rx: Option<LineWord>,
    pub line_rx_up: bool,
}

/// A read or a write on the register pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegisterAccess {
    pub write: bool,
    pub address: u32,
    pub wdata: u32,
}

/// The output pins in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LinkOutputs {
    /// Bit v.
    pub tx_credit: u32,
    pub rx: Option<Flit>,
    pub link_up: bool,
    /// `reg_ready` = 1, with `reg_rdata`.
    pub register: Option<u32>,
    pub line_tx: Option<LineWord>,
}
