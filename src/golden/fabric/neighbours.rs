//! How far blocks of a large network may go on: as far as nothing that a neighbour has yet to do can reach them.
//!
//! Knows what a neighbour has done and what it may still do to whom, not how blocks are stepped.

use std::collections::BTreeSet;

use super::block::{Delays, FabricBlock};
use super::wires::Slots;
use crate::switch_core::KeySet;

/// How far the neighbours of a block may go.
#[derive(Debug, Clone, Copy, Default)]
pub struct Horizon {
    /// Cycles that it has done.
    pub done: u64,
    /// Ports whose senders may get credits that are not on their way yet.
    pub undecided: u32,
}

/// The other end of a cable.
#[derive(Debug, Clone, Copy)]
pub struct Neighbour {
    block: u32,
    /// Its ports whose credits go to the block whose neighbour it is.
    credited: u32,
}

impl Neighbour {
    /// The first cycle in which its neighbour may notice what it has not done yet.
    #[inline]
    pub fn horizon(self, horizons: &[Horizon], delays: Delays) -> u64 {
        let Horizon { done, undecided } = horizons[self.block as usize];
        let ahead = if undecided & self.credited == 0 {
            delays.lookahead()
        } else {
            delays.credit_lookahead()
        };
        done + ahead
    }
}

/// The neighbours of all blocks of a part.
#[derive(Debug, Default)]
pub struct Neighbours {
    /// Block after block.
    all: Vec<Neighbour>,
    /// Where those of each block begin, with an end.
    firsts: Vec<u32>,
}

impl Neighbours {
    /// Those within a part.
    pub fn of_part<K: KeySet>(part: u16, blocks: &[FabricBlock<K>], slots: Slots) -> Neighbours {
        let mut all = Vec::new();
        let mut firsts = vec![0];
        for (number, block) in blocks.iter().enumerate() {
            let others = block.neighbours().filter(|other| other.part == part);
            let others: BTreeSet<usize> = others.map(|other| other.block(slots)).collect();
            all.extend(others.into_iter().map(|other| Neighbour {
                block: other as u32,
                credited: blocks[other].ports_credited_to(number, slots),
            }));
            firsts.push(all.len() as u32);
        }
        all.shrink_to_fit();
        Neighbours { all, firsts }
    }

    /// Those of a block.
    #[inline]
    pub fn of(&self, block: usize) -> &[Neighbour] {
        let [first, end] = [self.firsts[block], self.firsts[block + 1]];
        &self.all[first as usize..end as usize]
    }

    pub fn bytes(&self) -> usize {
        self.all.capacity() * size_of::<Neighbour>() + self.firsts.capacity() * size_of::<u32>()
    }
}
