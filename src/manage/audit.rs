//! A second manager: what blocks hold is read again, a little in each round, and a register that has changed without this
//! manager was written by another one.

use std::collections::{BTreeMap, VecDeque};

use super::Registers;
use mkns_topology::BlockId;

/// Registers that are read per round.
const READS: usize = 16;

/// What has been read.
#[derive(Debug, Default)]
pub struct Audit {
    seen: BTreeMap<(BlockId, u32), u32>,
    /// What is read next.
    waiting: VecDeque<(BlockId, u32)>,
}

/// A register that this manager has not written since it was read before.
#[derive(Debug)]
pub struct Overwritten {
    pub block: BlockId,
    pub address: u32,
    pub expected: u32,
    pub found: u32,
}

impl Audit {
    /// This manager writes a register.
    pub fn forget(&mut self, block: BlockId, address: u32) {
        self.seen.remove(&(block, address));
    }

    /// Reads the registers whose turn it is, of all that the blocks hold; the first one that has changed.
    pub fn compare<R: Registers>(
        &mut self,
        all: impl FnOnce() -> VecDeque<(BlockId, u32)>,
        registers: &mut R,
    ) -> Result<Option<Overwritten>, R::Error> {
        if self.waiting.is_empty() {
            self.waiting = all();
        }
        for _ in 0..READS {
            let Some((block, address)) = self.waiting.pop_front() else {
                break;
            };
            let Some(found) = registers.read(block, address)? else {
                continue;
            };
            let expected = *self.seen.entry((block, address)).or_insert(found);
            // A digit may have been garbled: another value is read once more.
            if found != expected && registers.read(block, address)? == Some(found) {
                return Ok(Some(Overwritten {
                    block,
                    address,
                    expected,
                    found,
                }));
            }
        }
        Ok(None)
    }
}
