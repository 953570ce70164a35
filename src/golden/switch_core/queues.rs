//! The virtual output queues `queue[i][o][v]`: flits and fill levels.
//!
//! A queue gets its memory when its first flit comes: routes use few of the pairs of ports, so what
//! is used lies close together. Knows nothing of who may push or pop.

use super::CoreShape;
use crate::golden::flit::Flit;
use crate::golden::prefetch::{prefetch, prefetch_at};

/// A queue that has its memory; the default has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueId(u16);

/// Most cores use no more queues than this: room for others is made when it is needed.
const QUEUES: usize = 64;

/// Flits that come or go before the next prefetch, about.
const FLITS_AHEAD: u16 = 5;

/// No flit came yet.
const UNUSED: QueueId = QueueId(u16::MAX);

impl Default for QueueId {
    fn default() -> QueueId {
        UNUSED
    }
}

/// First flit and number of flits of one ring.
#[derive(Debug, Clone, Copy, Default)]
struct Ring {
    head: u16,
    length: u16,
}

/// All queues of a core.
#[derive(Debug, Clone)]
pub struct Queues<F> {
    ports: usize,
    /// D, and what it is 2 to the power of.
    flits: usize,
    flits_log2: u32,
    /// By (channel, input, output).
    ids: Box<[QueueId]>,
    rings: Vec<Ring>,
    memory: Vec<F>,
}

impl<F: Flit> Queues<F> {
    pub fn new(shape: &CoreShape) -> Self {
        let queues = shape.channels * shape.ports * shape.ports;
        Queues {
            ports: shape.ports,
            flits: shape.queue_flits.into(),
            flits_log2: shape.queue_flits.trailing_zeros(),
            ids: vec![UNUSED; queues].into(),
            // What most cores need lies beside the rest of their state.
            rings: Vec::with_capacity(4 * shape.ports),
            memory: Vec::with_capacity(QUEUES.min(queues / 3) * usize::from(shape.queue_flits)),
        }
    }

    pub fn reset(&mut self) {
        self.rings.fill(Ring::default());
    }

    /// Queue `queue[input][output][channel]`, which holds a flit or held one before.
    #[inline]
    pub fn queue(&self, input: usize, channel: usize, output: usize) -> QueueId {
        self.ids[(channel * self.ports + input) * self.ports + output]
    }

    /// Flits of `queue[input][output][channel]`, whether used or not.
    pub fn length_of(&self, input: usize, channel: usize, output: usize) -> u16 {
        match self.queue(input, channel, output) {
            UNUSED => 0,
            used => self.length(used),
        }
    }

    #[inline]
    pub fn length(&self, queue: QueueId) -> u16 {
        self.rings[usize::from(queue.0)].length
    }

    /// The same for a queue that a flit may be the first to come to.
    #[inline]
    pub fn queue_in_use(&mut self, input: usize, channel: usize, output: usize) -> QueueId {
        match self.queue(input, channel, output) {
            UNUSED => self.begin_to_use(input, channel, output),
            used => used,
        }
    }

    /// Writes a flit behind the last one; it counts only from [`Self::push`] on. Returns the length
    /// with it.
    #[inline]
    pub fn write_behind(&mut self, queue: QueueId, flit: F) -> u16 {
        let ring = self.rings[usize::from(queue.0)];
        let place = self.place(queue, ring.head + ring.length);
        self.memory[place] = flit;
        ring.length + 1
    }

    /// Counts the flit written last; returns the new length.
    #[inline]
    pub fn push(&mut self, queue: QueueId) -> u16 {
        let ring = &mut self.rings[usize::from(queue.0)];
        ring.length += 1;
        ring.length
    }

    /// The oldest flit of a queue that holds one.
    #[inline]
    pub fn oldest(&self, queue: QueueId) -> F {
        let ring = self.rings[usize::from(queue.0)];
        self.memory[self.place(queue, ring.head)]
    }

    /// Removes the oldest flit, if there is one; returns it and the new length.
    #[inline(always)]
    pub fn pop(&mut self, queue: QueueId) -> Option<(F, u16)> {
        let ring = self.rings[usize::from(queue.0)];
        let length = ring.length.checked_sub(1)?;
        let flit = self.memory[self.place(queue, ring.head)];
        let next = (ring.head + 1) & (self.flits - 1) as u16;
        self.rings[usize::from(queue.0)] = Ring {
            // An empty queue starts again at its first place: few cache lines at low load.
            head: if length == 0 { 0 } else { next },
            length,
        };
        Some((flit, length))
    }

    /// Prefetches what tells the queues apart.
    #[inline]
    pub fn prefetch_levels(&self) {
        prefetch(&*self.ids);
        prefetch(&self.rings[..]);
    }

    /// Prefetches where the next flits are popped.
    #[inline]
    pub fn prefetch_head(&self, queue: QueueId) {
        if let Some(ring) = self.rings.get(usize::from(queue.0)) {
            self.prefetch_from(queue, ring.head);
        }
    }

    /// Prefetches where the next flits are written.
    #[inline]
    pub fn prefetch_tail(&self, queue: QueueId) {
        if let Some(ring) = self.rings.get(usize::from(queue.0)) {
            self.prefetch_from(queue, ring.head + ring.length);
        }
    }

    #[inline]
    fn prefetch_from(&self, queue: QueueId, number: u16) {
        prefetch_at(&self.memory, self.place(queue, number));
        prefetch_at(&self.memory, self.place(queue, number + FLITS_AHEAD));
    }

    /// Bytes of the fill levels, and of the flits.
    pub fn bytes(&self) -> (usize, usize) {
        let levels = size_of_val(&*self.ids) + self.rings.capacity() * size_of::<Ring>();
        (levels, self.memory.capacity() * size_of::<F>())
    }

    /// Where flit `number` of a queue lies, counted from the first place of its memory and perhaps
    /// past the last one.
    #[inline]
    fn place(&self, queue: QueueId, number: u16) -> usize {
        usize::from(queue.0) << self.flits_log2 | usize::from(number) & (self.flits - 1)
    }

    #[cold]
    fn begin_to_use(&mut self, input: usize, channel: usize, output: usize) -> QueueId {
        let queue = QueueId(self.rings.len() as u16);
        self.ids[(channel * self.ports + input) * self.ports + output] = queue;
        self.rings.push(Ring::default());
        let flits = self.memory.len() + self.flits;
        self.memory.resize(flits, F::default());
        queue
    }
}
