//! The pins of link ports, as those see them who stand around.

use crate::clocks::ClockEdges;

/// A flit on the pins between a block and its link port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flit {
    pub channel: usize,
    pub last: bool,
    pub bad: bool,
    pub data: u64,
}

/// A word of the line, as the wrappers of all kinds of lines carry it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Word {
    /// A control word.
    pub control: bool,
    pub data: u64,
}

/// What comes to the pins of a link port in a cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct EndInputs {
    /// Both resets.
    pub rst: bool,
    pub tx: Option<Flit>,
    /// Bit v.
    pub rx_credit: u32,
    pub register: Option<RegisterAccess>,
    pub message: MessageInputs,
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

/// What a management unit does at a link port in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MessageInputs {
    /// The word of the received message that is asked for.
    pub read: Option<u32>,
    pub release: bool,
    /// Number and contents of a word of the message to be sent.
    pub write: Option<(u32, u32)>,
    pub send: bool,
}

/// What it sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MessageOutputs {
    /// The word that was asked for in the cycle before, otherwise 0.
    pub word: u32,
    pub full: bool,
    pub busy: bool,
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
    pub message: MessageOutputs,
    pub line_tx: Option<Word>,
}

/// The two link ports of a cable: references or RTL. What is clocked on pins is a `Device` of the contract crate; this
/// is its counterpart on data, because each end has two clocks.
///
/// **A step.** Time advances from one clock edge to the next, so a step has edges of one clock or of several at once:
/// `edges[n]` says which clocks of end n have one. [`Self::step`] returns the outputs that both ends show before these
/// edges, which follow from their states alone, and then carries the edges out with `inputs`. Inputs of a side without
/// an edge are not looked at. `rst` resets both sides of an end, each at its own edge.
///
/// **Who calls.** `Pair` is the only caller: it wires the lines of the two ends, and gives each the flits and credits of
/// a host. Ends start in their reset state.
pub trait Ends {
    fn step(&mut self, inputs: &[EndInputs; 2], edges: &[ClockEdges; 2]) -> [EndOutputs; 2];
}
