//! Notices (`docs/microarchitecture.md`, 8.5): the messages with which blocks tell that a link fell.

use std::collections::BTreeMap;

use mkns_contract::address::management_word::{ARMS, CLEARS, MANAGEMENT, NOTICE};
use mkns_topology::BlockId;

/// Cycles after which a notice is sent again.
const PERIOD: u64 = 4095;
/// Words of a message.
const WORDS: u32 = 8;
type Words = [u32; WORDS as usize];

/// What a block was told.
#[derive(Debug, Clone, Copy, Default)]
struct Held {
    words: Words,
    armed: bool,
}

/// The notices of all blocks.
#[derive(Debug, Default)]
pub struct Notices {
    held: BTreeMap<BlockId, Held>,
    /// Blocks whose notice is due, and the cycle in which it is sent next.
    due: BTreeMap<BlockId, u64>,
}

impl Notices {
    /// Writes word n of the unit of a block; false when it is none of these.
    pub fn write(&mut self, block: BlockId, n: u32, value: u32) -> bool {
        let held = self.held.entry(block).or_default();
        match n {
            MANAGEMENT if value & CLEARS != 0 => {
                held.armed = value & ARMS != 0;
                self.due.remove(&block);
            }
            MANAGEMENT => {}
            n if (NOTICE..NOTICE + WORDS).contains(&n) => held.words[(n - NOTICE) as usize] = value,
            _ => return false,
        }
        true
    }

    /// The links of these blocks changed, in these cycles.
    pub fn note(&mut self, changed: Vec<(u64, BlockId)>) {
        for (cycle, block) in changed {
            if self.held.get(&block).is_some_and(|held| held.armed) {
                self.due.entry(block).or_insert(cycle);
            }
        }
    }

    /// A notice that is sent by now: its block, when, and what it says.
    pub fn next(&mut self, now: u64) -> Option<(BlockId, u64, Words)> {
        let mut due = self.due.iter_mut();
        let (&block, at) = due.find(|(_, at)| **at <= now)?;
        let cycle = *at;
        *at = now + PERIOD - (now - cycle) % PERIOD;
        Some((block, cycle, self.held.get(&block)?.words))
    }
}
