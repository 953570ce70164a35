//! The virtual output queues `queue[i][o][v]`: flits and fill levels.
//!
//! All queues of a core share their places: a queue is a chain of them, and a place that a pop leaves is the
//! next one taken. So few cache lines are in use while few flits are stored, however many queues there are.
//! Blank flits are only counted. Knows nothing of who may push or pop.

use crate::flit::Flit;
use crate::prefetch::prefetch;

/// A queue that a flit came to before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueId(u16);

/// Places made at the start, for each port; others are made when all are taken.
const PLACES: usize = 8;

/// Places that most cores take turns with; they are prefetched.
const PREFETCHED: usize = 32;

impl QueueId {
    /// That of a queue that no flit came to yet.
    pub const UNUSED: QueueId = QueueId(u16::MAX);
}

/// A queue: blank flits first, then those of its chain of places.
#[derive(Debug, Clone, Copy)]
struct Queue {
    /// The place of the newest stored flit, or [`NOWHERE`].
    newest: u32,
    /// Flits, blank or not.
    length: u16,
    /// Blank flits before the oldest stored one.
    leading: u16,
}

/// A place of a flit that is stored, or a free one.
#[derive(Debug, Clone, Copy, Default)]
struct FlitSlot {
    flit: Flit,
    /// Of a stored flit: the place of the next newer one, the newest one's leads to the oldest. Of a free place: another
    /// free one, or past the last.
    next: u32,
    /// Blank flits between this and the next newer stored one.
    following: u16,
}

/// No place.
const NOWHERE: u32 = u32::MAX;

impl Queue {
    const EMPTY: Queue = Queue {
        newest: NOWHERE,
        length: 0,
        leading: 0,
    };
}

/// All queues of a core.
#[derive(Debug, Clone)]
pub struct Queues {
    ports: usize,
    /// By (channel, input, output).
    ids: Box<[QueueId]>,
    queues: Vec<Queue>,
    places: Vec<FlitSlot>,
    /// The place that was left last; past the last place when none is free.
    free: usize,
}

/// Places, each of which leads to the next one.
fn chain_of_free(places: usize) -> Vec<FlitSlot> {
    let place = |next| FlitSlot {
        next,
        ..FlitSlot::default()
    };
    (1..=places as u32).map(place).collect()
}

impl Queues {
    pub fn new(ports: usize, channels: usize) -> Self {
        Queues {
            ports,
            ids: vec![QueueId::UNUSED; channels * ports * ports].into(),
            // What most cores need lies beside the rest of their state.
            queues: Vec::with_capacity(4 * ports),
            places: chain_of_free(PLACES * ports),
            free: 0,
        }
    }

    /// Queue `queue[input][output][channel]`, which holds a flit or held one before.
    #[inline]
    pub fn queue(&self, input: usize, channel: usize, output: usize) -> QueueId {
        self.ids[(channel * self.ports + input) * self.ports + output]
    }

    /// Flits of `queue[input][output][channel]`, whether used or not.
    pub fn length_of(&self, input: usize, channel: usize, output: usize) -> u16 {
        match self.queue(input, channel, output) {
            QueueId::UNUSED => 0,
            used => self.length(used),
        }
    }

    #[inline]
    pub fn length(&self, queue: QueueId) -> u16 {
        self.queues[usize::from(queue.0)].length
    }

    /// The queue between these, which a flit may be the first to come to.
    #[inline]
    pub fn queue_in_use(&mut self, input: usize, channel: usize, output: usize) -> QueueId {
        match self.queue(input, channel, output) {
            QueueId::UNUSED => self.begin_to_use(input, channel, output),
            used => used,
        }
    }

    /// Puts a flit behind the last one.
    #[inline]
    pub fn push(&mut self, queue: QueueId, flit: Flit) {
        if flit.is_blank() {
            return self.push_blank(queue);
        }
        if self.free == self.places.len() {
            self.make_room();
        }
        let queue = &mut self.queues[usize::from(queue.0)];
        queue.length += 1;
        let place = self.free as u32;
        let oldest = match std::mem::replace(&mut queue.newest, place) {
            NOWHERE => place,
            newest => std::mem::replace(&mut self.places[newest as usize].next, place),
        };
        let stored = FlitSlot {
            flit,
            next: oldest,
            following: 0,
        };
        self.free = std::mem::replace(&mut self.places[self.free], stored).next as usize;
    }

    /// Puts a blank flit into a queue.
    #[inline(always)]
    pub fn push_blank(&mut self, queue: QueueId) {
        let queue = &mut self.queues[usize::from(queue.0)];
        queue.length += 1;
        if queue.newest == NOWHERE {
            queue.leading += 1;
        } else {
            self.places[queue.newest as usize].following += 1;
        }
    }

    /// Whether the oldest flit of a queue that holds one is the last of its packet.
    #[inline(always)]
    pub fn oldest_is_last(&self, queue: QueueId) -> bool {
        let queue = &self.queues[usize::from(queue.0)];
        queue.leading == 0 && {
            let newest = &self.places[queue.newest as usize];
            self.places[newest.next as usize].flit.tag().last
        }
    }

    /// The oldest flit of a queue, unless it is blank or there is none.
    pub fn oldest_stored(&self, queue: QueueId) -> Option<Flit> {
        let queue = &self.queues[usize::from(queue.0)];
        (queue.length > 0 && queue.leading == 0).then(|| {
            let newest = &self.places[queue.newest as usize];
            self.places[newest.next as usize].flit
        })
    }

    /// Removes the oldest flit of a queue that holds one; none when it is blank. Tells whether the queue is empty now.
    #[inline(always)]
    pub fn pop(&mut self, queue: QueueId) -> (Option<Flit>, bool) {
        let queue = &mut self.queues[usize::from(queue.0)];
        queue.length -= 1;
        let is_empty = queue.length == 0;
        if queue.leading > 0 {
            queue.leading -= 1;
            return (None, is_empty);
        }
        let newest = queue.newest;
        let oldest = self.places[newest as usize].next;
        let place = &mut self.places[oldest as usize];
        let next = std::mem::replace(&mut place.next, self.free as u32);
        queue.leading = place.following;
        let flit = place.flit;
        self.free = oldest as usize;
        if oldest == newest {
            queue.newest = NOWHERE;
        } else {
            self.places[newest as usize].next = next;
        }
        (Some(flit), is_empty)
    }

    /// Prefetches what tells the queues apart.
    #[inline]
    pub fn prefetch_levels(&self) {
        prefetch(&*self.ids);
        prefetch(&self.queues[..]);
    }

    /// Prefetches the flits of cores that hold few.
    #[inline]
    pub fn prefetch_flits(&self) {
        prefetch(&self.places[..PREFETCHED.min(self.places.len())]);
    }

    /// Bytes of the fill levels, and of the flits with their links.
    pub fn bytes(&self) -> (usize, usize) {
        let levels = size_of_val(&*self.ids) + self.queues.capacity() * size_of::<Queue>();
        (levels, self.places.capacity() * size_of::<FlitSlot>())
    }

    #[cold]
    fn make_room(&mut self) {
        let next = self.places.len() as u32 + 1;
        self.places.push(FlitSlot {
            next,
            ..FlitSlot::default()
        });
    }

    #[cold]
    fn begin_to_use(&mut self, input: usize, channel: usize, output: usize) -> QueueId {
        if self.queues.len() == self.queues.capacity() {
            // Not twice as much: the state of a large network has to stay small.
            self.queues.reserve_exact(self.ports);
        }
        let queue = QueueId(self.queues.len() as u16);
        self.ids[(channel * self.ports + input) * self.ports + output] = queue;
        self.queues.push(Queue::EMPTY);
        queue
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use proptest::prelude::*;

    use super::*;
    use crate::flit::FlitTag;

    /// Of channel 0; most are blank, some are the last of a packet.
    fn flit(number: usize) -> Flit {
        let tag = FlitTag {
            channel: 0,
            last: number.is_multiple_of(5),
            bad: false,
        };
        let data = if number.is_multiple_of(4) {
            number as u64 + 1
        } else {
            0
        };
        Flit::new(tag, data)
    }

    proptest! {
        /// Steps: input, output, whether a flit is pushed, and whether one is popped before. More are pushed
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
                if pops && let Some(oldest) = flits.pop_front() {
                    let (popped, is_empty) = queues.pop(queue);
                    prop_assert_eq!(popped.unwrap_or(Flit::blank(0)), oldest);
                    prop_assert_eq!(is_empty, flits.is_empty());
                }
                if pushes {
                    flits.push_back(flit(number));
                    queues.push(queue, flit(number));
                }
                if let Some(oldest) = flits.front() {
                    prop_assert_eq!(queues.oldest_is_last(queue), oldest.tag().last);
                }
                prop_assert_eq!(usize::from(queues.length_of(input, 0, output)), flits.len());
            }
        }
    }
}
