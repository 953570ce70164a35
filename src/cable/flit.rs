//! What a block and its link port exchange.

/// A flit on the pins between a block and its link port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flit {
    pub channel: usize,
    pub last: bool,
    pub bad: bool,
    pub data: u64,
}
