//! 7: the parameters of a link port.

/// All of them, under the names of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkParameters {
    /// V, 1 or 2.
    pub channels: usize,
    /// C
    pub rx_buffer_flits: u32,
    /// R
    pub line_flits: u32,
    pub request_ticks: u32,
    pub tail_ticks: u32,
    pub silent_ticks: u32,
    pub stuck_ticks: u32,
    pub network: u32,
    /// The pin `block_number`.
    pub block: u16,
    pub port: u16,
    pub kind: u16,
    /// Reset value of the register.
    pub expected_peer: u32,
    /// `MANAGEMENT`: the link carries messages (7.10).
    pub management: bool,
}

impl Default for LinkParameters {
    fn default() -> Self {
        Self {
            channels: 2,
            rx_buffer_flits: 16,
            line_flits: 200,
            request_ticks: 6,
            tail_ticks: 12,
            silent_ticks: 128,
            stuck_ticks: 1024,
            network: 0,
            block: 0,
            port: 0,
            kind: 0,
            expected_peer: 0,
            management: false,
        }
    }
}

impl LinkParameters {
    /// Ticks for a one-way flight of `words`.
    #[must_use]
    pub fn with_flight(self, words: u32) -> Self {
        Self {
            request_ticks: (4 * words + 200).div_ceil(64),
            tail_ticks: (8 * words + 400).div_ceil(64),
            ..self
        }
    }
}
