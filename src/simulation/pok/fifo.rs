//! The FIFOs of one receiving link, one for each virtual channel (section 6.1 of
//! `docs/microarchitecture.md`).

use crate::flit::Flit;

/// Most virtual channels.
const MAX_CHANNELS: usize = 4;

/// First flit and number of flits of a FIFO.
#[derive(Debug, Clone, Copy, Default)]
struct Ring {
    head: u16,
    length: u16,
}

/// `fifo[v]` of a link.
#[derive(Debug, Clone)]
pub struct Fifos {
    /// By channel.
    rings: [Ring; MAX_CHANNELS],
    channels: u16,
    /// C
    capacity: u16,
    /// C places for each channel.
    memory: Box<[Flit]>,
}

impl Fifos {
    pub fn new(channels: usize, capacity: usize) -> Self {
        assert!(channels <= MAX_CHANNELS);
        Fifos {
            rings: [Ring::default(); MAX_CHANNELS],
            channels: channels as u16,
            capacity: capacity as u16,
            memory: vec![Flit::default(); channels * capacity].into(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.rings.iter().all(|ring| ring.length == 0)
    }

    /// The oldest flit of a channel.
    pub fn head(&self, channel: usize) -> Option<&Flit> {
        let ring = self.rings[channel];
        (ring.length != 0).then(|| &self.memory[self.place(channel, ring.head)])
    }

    /// A flit that has arrived; with one channel its number means nothing.
    pub fn push(&mut self, flit: Flit) {
        let channel = if self.channels == 1 {
            0
        } else {
            usize::from(flit.tag().channel)
        };
        let ring = self.rings[channel];
        debug_assert!(ring.length < self.capacity, "channel {channel} overflows");
        let place = self.place(channel, ring.head + ring.length);
        self.memory[place] = flit;
        self.rings[channel].length += 1;
    }

    /// Removes the oldest flit of a channel that has one.
    pub fn pop(&mut self, channel: usize) -> Flit {
        let Ring { head, length } = self.rings[channel];
        let flit = self.memory[self.place(channel, head)];
        self.rings[channel] = Ring {
            head: if head + 1 == self.capacity {
                0
            } else {
                head + 1
            },
            length: length
                .checked_sub(1)
                .expect("only channels with a flit are popped"),
        };
        flit
    }

    /// Bytes of the state outside this struct, and of the stored flits.
    pub fn bytes(&self) -> (usize, usize) {
        (0, size_of_val(&*self.memory))
    }

    /// Where a flit lies; `number` counts from the first place of the channel and may be past the last one.
    fn place(&self, channel: usize, number: u16) -> usize {
        let wrapped = if number < self.capacity {
            number
        } else {
            number - self.capacity
        };
        channel * usize::from(self.capacity) + usize::from(wrapped)
    }
}

/// The first of `0 … count − 1` at or after `start`, cyclically, that fits.
pub fn first_from(start: usize, count: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
    (start..count)
        .chain(0..start)
        .find(|&candidate| fits(candidate))
}
