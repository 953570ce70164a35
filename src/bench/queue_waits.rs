//! How long packets wait at the heads of a switch core's queues, told from its pins alone.
//!
//! A queue of (input, channel, output) is first in, first out. So a header is the oldest flit of its queue from
//! the cycle on in which the last flit before it has left, or in which it arrived.

use std::collections::VecDeque;

/// A packet on its way through the block: the cycle in which its header was on the rx pins.
type Arrival = u64;

/// What is known of one queue.
#[derive(Debug, Clone, Default)]
struct Queue {
    /// Packets whose last flit has not left.
    packets: VecDeque<Arrival>,
    /// Whether the header of the oldest packet has left.
    begun: bool,
    /// The cycle after the one in which a last flit was on the tx pins.
    free: u64,
}

/// Watches all queues of a block.
#[derive(Debug, Clone)]
pub(super) struct QueueWaits {
    queues: Vec<Queue>,
    /// Cycles from rx to tx pins of an idle block.
    latency: u64,
    longest: u64,
}

impl QueueWaits {
    pub fn new(queues: usize, latency: u64) -> Self {
        Self {
            queues: vec![Queue::default(); queues],
            latency,
            longest: 0,
        }
    }

    /// A header on the rx pins.
    pub fn arrives(&mut self, queue: usize, cycle: u64) {
        self.queues[queue].packets.push_back(cycle);
    }

    /// A flit on the tx pins.
    pub fn leaves(&mut self, queue: usize, is_last: bool, cycle: u64) {
        self.note(queue, cycle);
        let queue = &mut self.queues[queue];
        queue.begun = !is_last;
        if is_last {
            queue.packets.pop_front();
            queue.free = cycle + 1;
        }
    }

    /// The longest wait up to `cycle`, those that have not ended included.
    pub fn longest(&mut self, cycle: u64) -> u64 {
        for queue in 0..self.queues.len() {
            self.note(queue, cycle);
        }
        self.longest
    }

    /// Counts the wait of the oldest packet of a queue, if its header has not left before `cycle`.
    fn note(&mut self, queue: usize, cycle: u64) {
        let queue = &self.queues[queue];
        if let (Some(arrival), false) = (queue.packets.front(), queue.begun) {
            let oldest_since = queue.free.max(arrival + self.latency);
            self.longest = self.longest.max(cycle.saturating_sub(oldest_since));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_waits_from_the_end_of_the_one_before_it() {
        let mut waits = QueueWaits::new(2, 5);
        waits.arrives(0, 10);
        waits.arrives(0, 11);
        waits.leaves(0, true, 15);
        assert_eq!(waits.longest(16), 0, "nothing has waited");
        waits.leaves(0, false, 19);
        assert_eq!(
            waits.longest(40),
            3,
            "oldest since 16, and its body does not count"
        );
        waits.leaves(0, true, 40);
        waits.arrives(1, 50);
        waits.leaves(1, true, 57);
        assert_eq!(waits.longest(99), 3, "oldest since 55");
    }

    #[test]
    fn a_packet_that_has_not_left_counts() {
        let mut waits = QueueWaits::new(1, 5);
        waits.arrives(0, 10);
        assert_eq!(waits.longest(1015), 1000);
    }
}
