//! What a link carries in a cycle.

/// The bits of a flit or beat, in 64-bit words, lowest first; words above its width are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Data(pub [u64; 8]);

impl Data {
    /// The low 64 bits; those of a header flit hold its fields.
    pub fn low(&self) -> u64 {
        self.0[0]
    }

    /// `words` 64-bit words from word `first` on, as data of their own.
    pub fn part(&self, first: usize, words: usize) -> Self {
        let mut part = Self::default();
        part.0[..words].copy_from_slice(&self.0[first..first + words]);
        part
    }

    /// Puts the low `words` 64-bit words of `part` to word `first` and behind.
    pub fn put(&mut self, first: usize, words: usize, part: &Self) {
        self.0[first..first + words].copy_from_slice(&part.0[..words]);
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
