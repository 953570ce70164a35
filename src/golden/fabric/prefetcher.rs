//! Prefetches the state of blocks that will be stepped soon, spread over the cycles of another one: a
//! processor waits for few cache lines at a time.

use super::block::FabricBlock;
use super::wires::Wires;
use crate::golden::prefetch::prefetch_share;
use crate::golden::switch_core::KeySet;

/// Blocks looked ahead.
pub const AHEAD: usize = 3;

/// Steps in which a block itself is prefetched.
const SHARES: u64 = 4;

/// Steps of [`Prefetcher::step`].
const STEPS: u64 = 5 + SHARES;

/// What is left to prefetch during the cycles of one block.
#[derive(Debug)]
pub struct Prefetcher<'a, K: KeySet> {
    /// The blocks 1, 2, … places later.
    ahead: [Option<&'a FabricBlock<K>>; AHEAD],
    /// Number of their part.
    part: u16,
    cycles: u64,
    /// Steps done, and how far the next one is due: steps · cycles.
    done: u64,
    due: u64,
}

impl<'a, K: KeySet> Prefetcher<'a, K> {
    /// For `cycles` calls of [`Self::cycle`].
    pub fn new(ahead: [Option<&'a FabricBlock<K>>; AHEAD], part: u16, cycles: u64) -> Self {
        Prefetcher {
            ahead,
            part,
            cycles,
            done: 0,
            due: 0,
        }
    }

    /// The share of one cycle.
    #[inline]
    pub fn cycle(&mut self, wires: &Wires<K>) {
        self.due += STEPS;
        while self.due >= self.cycles {
            self.due -= self.cycles;
            self.step(wires);
            self.done += 1;
        }
    }

    /// What one step fetches of a block leads to what a later one needs.
    #[inline]
    fn step(&self, wires: &Wires<K>) {
        let [first, second, third] = self.ahead;
        match self.done {
            0 => first.map(FabricBlock::prefetch_flits),
            1 => first.map(|block| block.prefetch_outlets(wires, self.part)),
            2 => second.map(FabricBlock::prefetch_hosts),
            3 => second.map(FabricBlock::prefetch_state),
            4 => second.map(|block| block.prefetch_arrivals(wires)),
            step => third.map(|block| prefetch_share(block, step - 5, SHARES)),
        };
    }
}
