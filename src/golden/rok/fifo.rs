//! The FIFOs of one receiving link, one for each virtual channel (section 6.1 of
//! `docs/microarchitecture.md`).

use std::collections::VecDeque;

use crate::golden::flit::Flit;

/// `fifo[v]` of a link.
#[derive(Debug, Clone)]
pub struct Fifos<F> {
    /// C
    capacity: usize,
    channels: Vec<VecDeque<F>>,
}

impl<F: Flit> Fifos<F> {
    pub fn new(channels: usize, capacity: usize) -> Self {
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
    pub fn head(&self, channel: usize) -> Option<&F> {
        self.channels[channel].front()
    }

    /// A flit that has arrived; with one channel its number means nothing.
    pub fn push(&mut self, flit: F) {
        let channel = if self.channels.len() == 1 {
            0
        } else {
            usize::from(flit.tag().channel)
        };
        let fifo = &mut self.channels[channel];
        debug_assert!(fifo.len() < self.capacity, "channel {channel} overflows");
        fifo.push_back(flit);
    }

    /// Removes the oldest flit of a channel that has one.
    pub fn pop(&mut self, channel: usize) -> F {
        let flit = self.channels[channel].pop_front();
        flit.expect("only channels with a flit are popped")
    }

    /// Bytes of the state outside this struct, and of the stored flits.
    pub fn bytes(&self) -> (usize, usize) {
        let flits = self.channels.iter().map(VecDeque::capacity).sum::<usize>();
        let state = self.channels.capacity() * size_of::<VecDeque<F>>();
        (state, flits * size_of::<F>())
    }
}

/// The first of `0 … count − 1` at or after `start`, cyclically, that fits.
pub fn first_from(start: usize, count: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
    (start..count)
        .chain(0..start)
        .find(|&candidate| fits(candidate))
}
