//! The pins of link ports, as those see them who stand around.

use crate::clocks::Edges;
use crate::flit::Flit;
use crate::word::Word;

/// What comes to the pins of a link port in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct EndInputs {
    /// Both resets.
    pub rst: bool,
    pub tx: Option<Flit>,
    /// Bit v.
    pub rx_credit: u32,
    pub register: Option<RegisterAccess>,
    pub line_tx_ready: bool,
    pub line_rx: Option<Word>,
    pub line_rx_up: bool,
}

/// A read or write that waits on the register pins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegisterAccess {
    pub write: bool,
    pub address: u32,
    pub wdata: u32,
}

/// What its pins show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EndOutputs {
    /// Bit v.
    pub tx_credit: u32,
    pub rx: Option<Flit>,
    pub link_up: bool,
    /// What was read, or 0 when a write is done.
    pub register: Option<u32>,
    pub line_tx: Option<Word>,
}

/// Two link ports, references or RTL.
pub trait Ends {
    /// One step: the outputs before its edges, which do not depend on its inputs.
    fn step(&mut self, inputs: &[EndInputs; 2], edges: &[Edges; 2]) -> [EndOutputs; 2];
}
