//! What a link carries in a cycle.

/// The bits of a flit, in 64-bit words, lowest first; words above the width W are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Data(pub [u64; 8]);

impl Data {
    /// The low 64 bits; those of a header flit hold its fields.
    pub fn low(&self) -> u64 {
        self.0[0]
    }
}

/// A valid flit on the pins of a port: `rx_*` or `tx_*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flit {
    /// Virtual channel, 0…V−1.
    pub channel: usize,
    /// The last flit of its packet.
    pub last: bool,
    /// The packet is damaged; counts in its last flit.
    pub bad: bool,
    pub data: Data,
}
