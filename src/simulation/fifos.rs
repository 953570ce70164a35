//! The FIFOs of a port, one for each virtual channel, in one memory: those of an egress port (section 3.2 of
//! `docs/microarchitecture.md`) and of a link that a POK receives (section 6.1). Knows nothing of packets.

use super::prefetch::prefetch_at;

/// Most virtual channels.
const MAX_CHANNELS: usize = 4;

/// What all ports of a module have in common.
#[derive(Debug, Clone, Copy)]
pub struct FifoShape {
    /// V
    pub channels: u8,
    /// Places for each channel.
    capacity: usize,
}

impl FifoShape {
    pub fn new(channels: u32, capacity: u32) -> FifoShape {
        FifoShape {
            channels: channels as u8,
            capacity: capacity as usize,
        }
    }

    /// Where a flit lies in the memory; `number` counts from the first place of the channel and may
    /// be past the last one.
    #[inline]
    fn place(&self, channel: usize, number: usize) -> usize {
        let wrapped = if number < self.capacity {
            number
        } else {
            number - self.capacity
        };
        channel * self.capacity + wrapped
    }
}

/// First flit and number of flits of a FIFO.
#[derive(Debug, Clone, Copy, Default)]
struct Ring {
    head: u16,
    length: u16,
}

/// All FIFOs of a port.
#[derive(Debug, Clone)]
pub struct Fifos<T> {
    /// By channel.
    rings: [Ring; MAX_CHANNELS],
    /// Channels with flits, one bit each.
    waiting: u8,
    memory: Box<[T]>,
}

impl<T: Copy + Default> Fifos<T> {
    pub fn new(shape: &FifoShape) -> Fifos<T> {
        let flits = usize::from(shape.channels) * shape.capacity;
        Fifos {
            rings: [Ring::default(); MAX_CHANNELS],
            waiting: 0,
            memory: vec![T::default(); flits].into(),
        }
    }

    #[inline]
    pub fn are_empty(&self) -> bool {
        self.waiting == 0
    }

    pub fn has_flit(&self, channel: usize) -> bool {
        self.waiting >> channel & 1 == 1
    }

    /// The oldest flit of a channel.
    pub fn head(&self, shape: &FifoShape, channel: usize) -> Option<&T> {
        let place = shape.place(channel, self.rings[channel].head.into());
        self.has_flit(channel).then(|| &self.memory[place])
    }

    /// The channel whose flit is next, if it has one: that of the packet under way (`current`), otherwise
    /// the first one with a flit at or after `first`, cyclically.
    #[inline]
    pub fn next_channel(&self, current: Option<u8>, first: u8) -> Option<u8> {
        let (candidates, first) = match current {
            Some(channel) => (self.waiting & 1 << channel, channel),
            None => (self.waiting, first),
        };
        let later = candidates >> first << first;
        let chosen = if later == 0 { candidates } else { later };
        (chosen != 0).then_some(chosen.trailing_zeros() as u8)
    }

    /// Removes the oldest flit of a channel that holds one.
    #[inline]
    pub fn take(&mut self, shape: &FifoShape, channel: u8) -> T {
        let ring = &mut self.rings[usize::from(channel)];
        let place = shape.place(channel.into(), ring.head.into());
        ring.length -= 1;
        self.waiting &= !(u8::from(ring.length == 0) << channel);
        // An empty FIFO starts again at its first place: few cache lines at low load.
        let wraps = ring.length == 0 || usize::from(ring.head) + 1 == shape.capacity;
        ring.head = if wraps { 0 } else { ring.head + 1 };
        self.memory[place]
    }

    /// A flit behind the others of its channel.
    #[inline]
    pub fn store(&mut self, shape: &FifoShape, channel: u8, flit: T) {
        let channel = usize::from(channel);
        let ring = &mut self.rings[channel];
        debug_assert!(
            usize::from(ring.length) < shape.capacity,
            "channel {channel} overflows"
        );
        let place = shape.place(channel, usize::from(ring.head + ring.length));
        ring.length += 1;
        self.waiting |= 1 << channel;
        self.memory[place] = flit;
    }

    /// Prefetches where the next flits are written and read.
    #[inline]
    pub fn prefetch(&self, shape: &FifoShape) {
        for (channel, ring) in self.rings[..shape.channels.into()].iter().enumerate() {
            prefetch_at(&self.memory, shape.place(channel, ring.head.into()));
        }
    }

    /// Bytes of the stored flits.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.memory)
    }
}

/// The first of `0 … count − 1` at or after `start`, cyclically, that fits.
pub fn first_from(start: usize, count: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
    (start..count)
        .chain(0..start)
        .find(|&candidate| fits(candidate))
}
