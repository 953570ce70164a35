//! The virtual output queues `queue[i][o][v]`: flits and fill levels.
//!
//! All queues of a core share their places: a queue is a chain of them, and a place that a pop leaves is the
//! next one taken. So few cache lines are in use while few flits are stored, however many queues there are.
//! Knows nothing of who may push or pop.

use crate::golden::flit::Flit;
use crate::golden::prefetch::prefetch;

/// A queue that a flit came to before; the default has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueId(u16);

/// Places made at the start, for each port; others are made when all are taken.
const PLACES: usize = 16;

/// Places that most cores take turns with; they are prefetched.
const PREFETCHED: usize = 128;

/// No flit came yet.
const UNUSED: QueueId = QueueId(u16::MAX);

impl Default for QueueId {
    fn default() -> QueueId {
        UNUSED
    }
}

/// The place of a queue's newest flit and the number of its flits. Every place leads to that of the next newer
/// flit, the newest one's to the oldest one's. While it has no flits, the place means nothing, unless a flit is
/// written behind.
#[derive(Debug, Clone, Copy, Default)]
struct Chain(u32);

/// Bits of a number of flits: D is 1024 at most.
const LEVEL_BITS: u32 = 11;

impl Chain {
    #[inline]
    fn new(newest: usize, length: u16) -> Chain {
        Chain((newest as u32) << LEVEL_BITS | u32::from(length))
    }

    #[inline]
    fn newest(self) -> usize {
        (self.0 >> LEVEL_BITS) as usize
    }

    #[inline]
    fn length(self) -> u16 {
        (self.0 & ((1 << LEVEL_BITS) - 1)) as u16
    }
}

/// All queues of a core.
#[derive(Debug, Clone)]
pub struct Queues<F> {
    ports: usize,
    /// By (channel, input, output).
    ids: Box<[QueueId]>,
    chains: Vec<Chain>,
    flits: Vec<F>,
    /// By place: the next one of the same queue, or of those that are free.
    next: Vec<u32>,
    /// The place that was left last; past the last place when none is free.
    free: usize,
}

/// So many places, each of which leads to the next one.
fn chain_of_free(places: usize) -> Vec<u32> {
    (1..=places as u32).collect()
}

impl<F: Flit> Queues<F> {
    pub fn new(ports: usize, channels: usize) -> Self {
        let queues = channels * ports * ports;
        let places = PLACES * ports;
        Queues {
            ports,
            ids: vec![UNUSED; queues].into(),
            // What most cores need lies beside the rest of their state.
            chains: Vec::with_capacity(4 * ports),
            flits: vec![F::default(); places],
            next: chain_of_free(places),
            free: 0,
        }
    }

    pub fn reset(&mut self) {
        self.chains.fill(Chain::default());
        self.next = chain_of_free(self.flits.len());
        self.free = 0;
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
        self.chains[usize::from(queue.0)].length()
    }

    /// The same for a queue that a flit may be the first to come to.
    #[inline]
    pub fn queue_in_use(&mut self, input: usize, channel: usize, output: usize) -> QueueId {
        match self.queue(input, channel, output) {
            UNUSED => self.begin_to_use(input, channel, output),
            used => used,
        }
    }

    /// Writes a flit behind the last one, where none waits yet; it counts only from [`Self::push`] on. Returns
    /// the length with it.
    #[inline]
    pub fn write_behind(&mut self, queue: QueueId, flit: F) -> u16 {
        if self.free == self.flits.len() {
            self.make_room();
        }
        let place = self.free;
        self.free = self.next[place] as usize;
        self.flits[place] = flit;
        let chain = &mut self.chains[usize::from(queue.0)];
        let length = chain.length();
        let newest = if length == 0 { place } else { chain.newest() };
        *chain = Chain::new(place, length);
        // The only flit is the oldest one, too.
        self.next[place] = if length == 0 {
            place as u32
        } else {
            self.next[newest]
        };
        self.next[newest] = place as u32;
        length + 1
    }

    /// Counts the flit written last; returns the new length.
    #[inline]
    pub fn push(&mut self, queue: QueueId) -> u16 {
        let chain = &mut self.chains[usize::from(queue.0)];
        chain.0 += 1;
        chain.length()
    }

    /// The oldest flit of a queue that holds one.
    #[inline]
    pub fn oldest(&self, queue: QueueId) -> F {
        let newest = self.chains[usize::from(queue.0)].newest();
        self.flits[self.next[newest] as usize]
    }

    /// Removes the oldest flit, if there is one; returns it and the new length.
    #[inline(always)]
    pub fn pop(&mut self, queue: QueueId) -> Option<(F, u16)> {
        let chain = &mut self.chains[usize::from(queue.0)];
        let length = chain.length().checked_sub(1)?;
        chain.0 -= 1;
        let newest = chain.newest();
        let oldest = self.next[newest] as usize;
        self.next[newest] = self.next[oldest];
        self.next[oldest] = self.free as u32;
        self.free = oldest;
        Some((self.flits[oldest], length))
    }

    /// Prefetches what tells the queues apart.
    #[inline]
    pub fn prefetch_levels(&self) {
        prefetch(&*self.ids);
        prefetch(&self.chains[..]);
    }

    /// Prefetches the flits of cores that hold few.
    #[inline]
    pub fn prefetch_flits(&self) {
        let places = PREFETCHED.min(self.flits.len());
        prefetch(&self.flits[..places]);
        prefetch(&self.next[..places]);
    }

    /// Bytes of the fill levels, and of the flits with their links.
    pub fn bytes(&self) -> (usize, usize) {
        let levels = size_of_val(&*self.ids) + self.chains.capacity() * size_of::<Chain>();
        let links = self.next.capacity() * size_of::<u32>();
        (levels, self.flits.capacity() * size_of::<F>() + links)
    }

    #[cold]
    fn make_room(&mut self) {
        let places = self.flits.len() as u32;
        assert!(
            places < 1 << (u32::BITS - LEVEL_BITS),
            "as many flits as a core can hold"
        );
        self.flits.push(F::default());
        self.next.push(places + 1);
    }

    #[cold]
    fn begin_to_use(&mut self, input: usize, channel: usize, output: usize) -> QueueId {
        let queue = QueueId(self.chains.len() as u16);
        self.ids[(channel * self.ports + input) * self.ports + output] = queue;
        self.chains.push(Chain::default());
        queue
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;
    use crate::golden::flit::FlitTag;
    use crate::golden::packed_flit::PackedFlit;

    fn flit(number: usize) -> PackedFlit {
        let tag = FlitTag {
            channel: 0,
            last: false,
            bad: false,
        };
        PackedFlit::new(tag, number as u64)
    }

    proptest! {
        /// Steps: input, output, whether a flit is pushed, and whether one is popped before it counts. More are pushed
        /// than popped, so that room is made.
        #[test]
        fn every_queue_gives_back_its_own_flits_in_order(
            steps in prop::collection::vec(
                (0..2usize, 0..2usize, any::<bool>(), prop::bool::weighted(0.3)), 1..400)
        ) {
            let mut queues = Queues::new(2, 1);
            let mut expected = [const { VecDeque::new() }; 4];
            for (number, (input, output, pushes, pops)) in steps.into_iter().enumerate() {
                let queue = queues.queue_in_use(input, 0, output);
                let flits = &mut expected[2 * input + output];
                if pushes {
                    prop_assert_eq!(usize::from(queues.write_behind(queue, flit(number))), flits.len() + 1);
                }
                if pops {
                    let oldest = flits.pop_front();
                    let popped = queues.pop(queue);
                    prop_assert_eq!(popped, oldest.map(|oldest| (oldest, flits.len() as u16)));
                }
                if pushes {
                    flits.push_back(flit(number));
                    queues.push(queue);
                    prop_assert_eq!(queues.oldest(queue), flits[0]);
                }
                prop_assert_eq!(usize::from(queues.length_of(input, 0, output)), flits.len());
            }
        }
    }
}
