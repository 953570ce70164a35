//! How a manager looks at links: at those of all blocks in turn, and at once at those of blocks that tell of a change.

use std::collections::BTreeSet;

use mkns_contract::address::LINK_UP;
use mkns_topology::{BlockId, NetworkIndex};

use super::Registers;
use super::links::Readings;

/// Blocks that are looked at before it is asked again who tells of a change.
const AT_ONCE: usize = 8;

/// What was seen.
pub struct Look {
    pub readings: Readings,
    /// The blocks that were looked at; of others, `readings` has what was seen before.
    pub blocks: Vec<BlockId>,
}

/// The last look.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    /// Empty before the first one.
    seen: Readings,
    /// Where the next look at all blocks begins, so that one which changes do not let finish comes to every block.
    next: usize,
}

impl Watch {
    /// All blocks were looked at before.
    pub fn after(seen: Readings) -> Self {
        Self { seen, next: 0 }
    }

    /// Looks at all blocks, until some tell of a change: then at those.
    pub fn look<R: Registers>(
        &mut self,
        index: &NetworkIndex,
        blocks: usize,
        registers: &mut R,
    ) -> Result<Look, R::Error> {
        self.seen.resize(blocks, None);
        let turn = (0..blocks).map(|number| BlockId(((self.next + number) % blocks) as u32));
        for group in turn.collect::<Vec<_>>().chunks(AT_ONCE) {
            let changed = registers.changed()?;
            if !changed.is_empty() {
                return self.look_near(changed, index, registers);
            }
            self.look_at(group, registers)?;
            self.next = (self.next + group.len()) % blocks;
        }
        Ok(Look {
            readings: self.seen.clone(),
            blocks: (0..blocks as u32).map(BlockId).collect(),
        })
    }

    /// Looks at blocks that told of a change, and at those at the other ends of the links that changed.
    fn look_near<R: Registers>(
        &mut self,
        told: Vec<BlockId>,
        index: &NetworkIndex,
        registers: &mut R,
    ) -> Result<Look, R::Error> {
        let before = self.seen.clone();
        let after = self.look_at(&told, registers)?;
        let mut peers = BTreeSet::new();
        for &block in &told {
            let [before, after] = [&before, &after].map(|seen| seen[block.0 as usize].unwrap_or(0));
            let ports = index.links(block);
            let ports = ports.filter(|(port, _)| (before ^ after) >> port.0 & 1 == 1);
            peers.extend(ports.map(|(_, link)| link.peer.block));
        }
        let peers: Vec<BlockId> = peers.into_iter().filter(|it| !told.contains(it)).collect();
        let readings = self.look_at(&peers, registers)?;
        Ok(Look {
            readings,
            blocks: [told, peers].concat(),
        })
    }

    /// Looks at these blocks.
    pub fn look_at<R: Registers>(
        &mut self,
        blocks: &[BlockId],
        registers: &mut R,
    ) -> Result<Readings, R::Error> {
        let places: Vec<(BlockId, u32)> = blocks.iter().map(|&block| (block, LINK_UP)).collect();
        let words = registers.read_many(&places)?;
        for (block, word) in blocks.iter().zip(words) {
            self.seen[block.0 as usize] = word;
        }
        Ok(self.seen.clone())
    }
}
