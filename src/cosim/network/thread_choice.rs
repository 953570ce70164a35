//! Whether a cycle is worth the helpers: on a machine that others use, too, threads that meet in every cycle wait for
//! each other's turn on a processor, and one thread alone can be a hundred times faster.
//!
//! Of each round of chunks of cycles, the first is clocked alone and timed. All others are clocked with the helpers,
//! until one takes longer than the first did; what is left of the round is then clocked alone.

use std::time::{Duration, Instant};

/// Cycles of a chunk.
const CHUNK: u32 = 256;
/// Chunks of a round.
const ROUND: u32 = 32;

#[derive(Debug)]
pub struct ThreadChoice {
    /// Cycles of this round so far.
    cycles: u32,
    chunk_began: Instant,
    /// What the first chunk of the round took.
    alone: Duration,
    /// A chunk with the helpers took longer.
    slower: bool,
}

impl ThreadChoice {
    pub fn new(now: Instant) -> Self {
        Self {
            cycles: 0,
            chunk_began: now,
            alone: Duration::MAX,
            slower: false,
        }
    }

    /// Whether the helpers take part in the cycle that begins `now`.
    pub fn with_helpers(&mut self, now: Instant) -> bool {
        let elapsed = now.saturating_duration_since(self.chunk_began);
        let first = self.cycles <= CHUNK;
        self.slower |= !first && elapsed > self.alone;
        if self.cycles.is_multiple_of(CHUNK) {
            if self.cycles == CHUNK {
                self.alone = elapsed;
            }
            if self.cycles == CHUNK * ROUND {
                (self.cycles, self.slower) = (0, false);
            }
            self.chunk_began = now;
        }
        self.cycles += 1;
        self.cycles > CHUNK && !self.slower
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For each chunk of two rounds, the number of cycles in which the helpers take part. A cycle takes `alone`
    /// microseconds without them, and `with_helpers` by chunk.
    fn helped_cycles(alone: u64, with_helpers: impl Fn(u32) -> u64) -> Vec<u32> {
        let mut now = Instant::now();
        let mut choice = ThreadChoice::new(now);
        let mut counts = vec![0; 2 * ROUND as usize];
        for (chunk, count) in (0..).zip(&mut counts) {
            for _ in 0..CHUNK {
                let helped = choice.with_helpers(now);
                *count += u32::from(helped);
                let cycle = if helped { with_helpers(chunk) } else { alone };
                now += Duration::from_micros(cycle);
            }
        }
        counts
    }

    #[test]
    fn helpers_that_are_faster_take_part_in_all_chunks_but_the_first() {
        let mut expected = vec![CHUNK; 2 * ROUND as usize];
        (expected[0], expected[ROUND as usize]) = (0, 0);
        assert_eq!(helped_cycles(20, |_| 11), expected);
    }

    #[test]
    fn helpers_that_are_slower_are_noticed_within_the_time_of_a_chunk() {
        let counts = helped_cycles(20, |_| 1_000);
        assert_eq!(counts[1], 6, "6 ms are more than 256 cycles of 20 us");
        assert_eq!(counts[2..=ROUND as usize], [0; ROUND as usize - 1]);
        assert_eq!(counts[ROUND as usize + 1], 6, "they are tried again");
    }

    #[test]
    fn a_machine_that_others_begin_to_use_is_noticed_in_the_middle_of_a_round() {
        let counts = helped_cycles(20, |chunk| if chunk < 10 { 11 } else { 100 });
        assert_eq!(counts[1..10], [CHUNK; 9]);
        assert_eq!((counts[10], counts[11]), (52, 0));
    }
}
