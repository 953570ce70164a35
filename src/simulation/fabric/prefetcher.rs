//! Prefetches the state of blocks that will be stepped soon, a part in each quarter of the cycles of
//! another one: a processor waits for few cache lines at a time.

use super::block::FabricBlock;
use super::delays::Delays;
use super::outgoing::SendTargets;
use super::wires::Wires;
use crate::prefetch::prefetch_part;
use crate::switch_core::KeySet;

/// Blocks looked ahead.
pub const AHEAD: usize = 3;

/// Parts of a prefetch.
const QUARTERS: u64 = 4;

/// What is prefetched during the cycles of one block.
#[derive(Debug)]
pub struct Prefetcher<'a, K: KeySet> {
    /// The blocks 1, 2, … places later.
    ahead: [Option<&'a FabricBlock<K>>; AHEAD],
    /// Number of their part.
    part: u16,
}

impl<'a, K: KeySet> Prefetcher<'a, K> {
    pub fn new(ahead: [Option<&'a FabricBlock<K>>; AHEAD], part: u16) -> Self {
        Prefetcher { ahead, part }
    }

    /// What one quarter fetches of a block leads to what a later one needs.
    #[inline(always)]
    pub fn quarter<const QUARTER: usize>(&self, wires: &Wires<K>) {
        let [first, second, third] = self.ahead;
        match QUARTER {
            0 => first.map(FabricBlock::prefetch_flits),
            1 => first.map(|block| block.prefetch_outlets(wires, self.part)),
            2 => second.map(FabricBlock::prefetch_state),
            _ => second.map(|block| block.prefetch_arrivals(wires)),
        };
        third.map(prefetch_part::<QUARTER, { QUARTERS as usize }, _>);
    }
}

impl<K: KeySet> FabricBlock<K> {
    /// All cycles before `end`, while the next blocks are prefetched.
    pub fn run_prefetching(
        &mut self,
        end: u64,
        delays: Delays,
        out: &mut SendTargets<'_, K>,
        prefetcher: &Prefetcher<'_, K>,
    ) {
        let (now, cycles) = (self.now, end - self.now);
        prefetcher.quarter::<0>(out.wires);
        self.run(now + cycles / QUARTERS, delays, out);
        prefetcher.quarter::<1>(out.wires);
        self.run(now + 2 * cycles / QUARTERS, delays, out);
        prefetcher.quarter::<2>(out.wires);
        self.run(now + 3 * cycles / QUARTERS, delays, out);
        prefetcher.quarter::<3>(out.wires);
        self.run(end, delays, out);
    }
}
