//! Which end of a cable is the upper one: a tree of shortest distances from a root orders all blocks.
//!
//! The end nearer to the root is up, and among equals the one of the lower number. Whoever goes up first and then
//! down, and never up again, meets nobody in a circle.

use std::collections::VecDeque;

use super::Task;
use mkns_topology::BlockId;

/// How high each block stands.
pub struct Height {
    /// Distance from the root of the block's part of the network, and the block's number.
    height: Vec<(u32, u32)>,
    /// All blocks, highest first.
    downward: Vec<BlockId>,
}

impl Height {
    /// Of the cables that work.
    pub fn of_blocks(task: &Task) -> Self {
        let blocks = task.network.blocks.len();
        let mut level = vec![u32::MAX; blocks];
        let mut roots: Vec<BlockId> = task.network.block_ids().collect();
        // Blocks with many cables make flat trees. Cables of the whole network count, so that one that fails does not
        // move the root, and with it every path.
        roots.sort_by_key(|&id| std::cmp::Reverse(task.whole.links(id).count()));
        for root in roots {
            if level[root.0 as usize] == u32::MAX {
                number_from(task, root, &mut level);
            }
        }
        let height: Vec<(u32, u32)> = level.into_iter().zip(0..).collect();
        let mut downward: Vec<BlockId> = task.network.block_ids().collect();
        downward.sort_by_key(|id| height[id.0 as usize]);
        Self { height, downward }
    }

    /// Whether a cable leads up.
    pub fn is_up(&self, from: BlockId, to: BlockId) -> bool {
        self.height[to.0 as usize] < self.height[from.0 as usize]
    }

    /// All blocks, highest first.
    pub fn downward(&self) -> &[BlockId] {
        &self.downward
    }
}

/// Distances from `root` of all blocks that hang together with it.
fn number_from(task: &Task, root: BlockId, level: &mut [u32]) {
    level[root.0 as usize] = 0;
    let mut reached = VecDeque::from([root]);
    while let Some(block) = reached.pop_front() {
        for (_, link) in task.index.links(block) {
            let next = link.peer.block.0 as usize;
            if level[next] == u32::MAX {
                level[next] = level[block.0 as usize] + 1;
                reached.push_back(link.peer.block);
            }
        }
    }
}
