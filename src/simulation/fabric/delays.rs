//! How long it takes until a block notices what another one does.

/// Stages between blocks, cycles.
#[derive(Debug, Clone, Copy)]
pub struct Delays {
    /// The least from the pop of a flit until it is on the core's tx pins and its credit on the rx_credit pins.
    pub pins: u64,
    /// L
    pub link: u64,
}

impl Delays {
    /// Cycles after which a block can notice what another one does.
    pub fn lookahead(self) -> u64 {
        self.pins + self.link
    }

    /// Cycles after which a host learns of a delivery.
    pub fn reaction(self) -> u64 {
        1 + self.link
    }
}
