//! Which blocks of a large network may notice what a block does, so that it must not be left too far behind.

use std::collections::BTreeSet;

use super::block::FabricBlock;
use super::wires::Slots;
use crate::switch_core::KeySet;

/// The neighbours of all blocks of a part.
#[derive(Debug, Default)]
pub struct Neighbours {
    /// Block after block.
    all: Vec<u32>,
    /// Where those of each block begin, with an end.
    firsts: Vec<u32>,
}

impl Neighbours {
    /// Those within a part.
    pub fn of_part<K: KeySet>(part: u16, blocks: &[FabricBlock<K>], slots: Slots) -> Neighbours {
        let mut all = Vec::new();
        let mut firsts = vec![0];
        for block in blocks {
            let others = block.neighbours().filter(|other| other.part == part);
            let others: BTreeSet<u32> = others.map(|other| other.block(slots) as u32).collect();
            all.extend(others);
            firsts.push(all.len() as u32);
        }
        all.shrink_to_fit();
        Neighbours { all, firsts }
    }

    /// Those of a block.
    #[inline]
    pub fn of(&self, block: usize) -> &[u32] {
        let [first, end] = [self.firsts[block], self.firsts[block + 1]];
        &self.all[first as usize..end as usize]
    }

    pub fn bytes(&self) -> usize {
        (self.all.capacity() + self.firsts.capacity()) * size_of::<u32>()
    }
}
