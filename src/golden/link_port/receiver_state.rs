//! 7.7: the state of the receiver, and its reset values.

use super::held::Held;
use super::words::{Crc, LineWord};

#[derive(Debug, Clone, Copy, Default)]
pub struct Receiver {
    /// Mod 512.
    pub expected: u32,
    pub error: bool,
    pub request: bool,
    /// 9: too many.
    pub pending: usize,
    /// The first eight words of those, and the CRC over all.
    pub words: [u64; 8],
    pub crc: Option<Crc>,
    pub accepted: Accepted,
    /// Mod 256.
    pub place_write: [u32; 2],
    /// Words that came in the last three cycles; the last one is judged.
    pub came: [Option<LineWord>; 3],
}

/// `accepted`: flits that did not yet move, the first at place 0.
#[derive(Debug, Clone, Copy, Default)]
pub struct Accepted {
    pub flits: [Held; 16],
    pub count: usize,
}

impl Accepted {
    pub fn join(&mut self, flit: Held) {
        self.flits[self.count] = flit;
        self.count += 1;
    }

    pub fn leave(&mut self) {
        self.flits.rotate_left(1);
        self.count -= 1;
    }
}

impl Receiver {
    /// Nothing is accepted that did not move.
    pub fn rests(&self) -> bool {
        self.accepted.count == 0
    }

    /// 7.6, *Rise*.
    pub fn rise(&mut self) {
        self.expected = 0;
        self.place_write = [0; 2];
        self.error = false;
        self.request = false;
        self.accepted = Accepted::default();
    }
}
