//! The FIFOs of one receiving link, one for each virtual channel (section 6.1 of
//! `docs/microarchitecture.md`).

use std::collections::VecDeque;

use crate::golden::flit::FlitTag;

/// 64-bit words of the widest flit.
const WIDEST: usize = 8;

/// A stored flit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flit {
    pub last: bool,
    pub bad: bool,
    /// Words beyond the flit's width are 0.
    pub data: [u64; WIDEST],
}

/// `fifo[v]` of a link.
#[derive(Debug, Clone)]
pub struct Fifos {
    /// C
    capacity: usize,
    channels: Vec<VecDeque<Flit>>,
}

impl Fifos {
    pub fn new(channels: usize, capacity: usize) -> Fifos {
        Fifos {
            capacity,
            channels: vec![VecDeque::new(); channels],
        }
    }

    pub fn reset(&mut self) {
        self.channels.iter_mut().for_each(VecDeque::clear);
    }

    pub fn is_empty(&self) -> bool {
        self.channels.iter().all(VecDeque::is_empty)
    }

    /// Flits of each channel.
    pub fn levels(&self) -> Vec<usize> {
        self.channels.iter().map(VecDeque::len).collect()
    }

    /// The oldest flit of a channel.
    pub fn head(&self, channel: usize) -> Option<&Flit> {
        self.channels[channel].front()
    }

    /// A flit that has arrived; with one channel its number means nothing.
    pub fn push(&mut self, tag: FlitTag, data: &[u64]) {
        let channel = if self.channels.len() == 1 {
            0
        } else {
            usize::from(tag.channel)
        };
        let fifo = &mut self.channels[channel];
        debug_assert!(fifo.len() < self.capacity, "channel {channel} overflows");
        let mut flit = Flit {
            last: tag.last,
            bad: tag.bad,
            data: [0; WIDEST],
        };
        flit.data[..data.len()].copy_from_slice(data);
        fifo.push_back(flit);
    }

    /// Removes the oldest flit of a channel that has one.
    pub fn pop(&mut self, channel: usize) -> Flit {
        let flit = self.channels[channel].pop_front();
        flit.expect("only channels with a flit are popped")
    }
}

/// The first of `0 … count − 1` at or after `start`, cyclically, that fits.
pub fn first_from(start: usize, count: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
    (start..count)
        .chain(0..start)
        .find(|&candidate| fits(candidate))
}
