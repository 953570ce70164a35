//! How many blocks must fail before two adapter blocks that work are cut off from each other.
//!
//! Maximum flow with one unit per block (Menger), between adapter blocks that no cable joins. Small networks are
//! measured from as many adapter blocks as a cut could hold and one more, so that one of them is outside of it (Even's
//! algorithm); large ones from one adapter block towards some that are spread over the network.

use std::collections::VecDeque;

use mkns_topology::Network;

/// Networks with at most so many adapter blocks are measured exactly.
const EXHAUSTIVE: usize = 64;
/// Adapter blocks towards which others are measured.
const TARGETS: usize = 24;

/// Least number of blocks that separates adapter blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockConnectivity {
    /// All but one adapter block where every two of them are neighbours.
    pub blocks: u32,
    /// Otherwise at most so many: not all pairs were looked at.
    pub is_exact: bool,
}

/// None for networks of fewer than two adapter blocks.
pub fn measure(network: &Network) -> Option<BlockConnectivity> {
    let adapters = network.adapters().len();
    if adapters < 2 {
        return None;
    }
    let neighbours = neighbours(network);
    let residual = Residual::new(&neighbours);
    // The neighbours of an adapter block cut it off, unless nothing is left beside it.
    let degrees = neighbours[..adapters].iter().map(Vec::len);
    let mut least = degrees.min().unwrap_or(0).min(adapters - 1) as u32;
    let is_exact = adapters <= EXHAUSTIVE;
    let targets: Vec<u32> = match is_exact {
        true => (0..adapters as u32).collect(),
        false => {
            let last = adapters - 1;
            (1..=TARGETS)
                .map(|at| (at * last / TARGETS) as u32)
                .collect()
        }
    };
    let mut source = 0;
    while source == 0 || is_exact && source <= least && (source as usize) < adapters {
        for &target in &targets {
            if target != source && !neighbours[source as usize].contains(&target) {
                least = residual.max_flow(source, target, least);
            }
        }
        source += 1;
    }
    Some(BlockConnectivity {
        blocks: least,
        is_exact,
    })
}

/// By block: the blocks that cables lead to, each once.
fn neighbours(network: &Network) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); network.blocks.len()];
    for (from, to) in network.cables.iter().flat_map(|cable| cable.directions()) {
        neighbours[from.block.0 as usize].push(to.block.0);
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    neighbours
}

/// Entries (2·block) and exits (2·block + 1) of blocks with arcs of one unit from entry to exit and from exits to the
/// entries of neighbours. An arc and its way back have numbers that differ in the lowest bit.
struct Residual {
    /// By node: arcs that begin there.
    arcs: Vec<Vec<u32>>,
    /// By arc: where it ends.
    ends: Vec<u32>,
}

impl Residual {
    fn new(neighbours: &[Vec<u32>]) -> Self {
        let mut residual = Self {
            arcs: vec![Vec::new(); 2 * neighbours.len()],
            ends: Vec::new(),
        };
        for (block, list) in neighbours.iter().enumerate() {
            let block = block as u32;
            residual.join(2 * block, 2 * block + 1);
            for next in list {
                residual.join(2 * block + 1, 2 * next);
            }
        }
        residual
    }

    fn join(&mut self, from: u32, to: u32) {
        let arc = self.ends.len() as u32;
        self.arcs[from as usize].push(arc);
        self.arcs[to as usize].push(arc + 1);
        self.ends.extend([to, from]);
    }

    /// Ways between two blocks that share no other, at most `limit`.
    fn max_flow(&self, source: u32, target: u32, limit: u32) -> u32 {
        // Only arcs of even numbers can be filled at the beginning.
        let mut is_free: Vec<bool> = (0..self.ends.len()).map(|arc| arc % 2 == 0).collect();
        let more = |_: &u32| self.augment(2 * source + 1, 2 * target, &mut is_free);
        (0..limit).take_while(more).count() as u32
    }

    fn augment(&self, start: u32, goal: u32, is_free: &mut [bool]) -> bool {
        const UNSEEN: u32 = u32::MAX;
        let mut reached_by = vec![UNSEEN; self.arcs.len()];
        let mut open = VecDeque::from([start]);
        while let Some(node) = open.pop_front() {
            for &arc in &self.arcs[node as usize] {
                let end = self.ends[arc as usize];
                if is_free[arc as usize] && end != start && reached_by[end as usize] == UNSEEN {
                    reached_by[end as usize] = arc;
                    open.push_back(end);
                }
            }
            if reached_by[goal as usize] != UNSEEN {
                break;
            }
        }
        let mut at = goal;
        while at != start {
            let arc = reached_by[at as usize];
            if arc == UNSEEN {
                return false;
            }
            is_free[arc as usize] = false;
            is_free[(arc ^ 1) as usize] = true;
            at = self.ends[(arc ^ 1) as usize];
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_spec as spec;

    fn of(notation: &str) -> (u32, bool) {
        let network = mkns_topology::build(&spec::parse(notation).expect("a notation"));
        let found = measure(&network).expect("adapter blocks");
        (found.blocks, found.is_exact)
    }

    #[test]
    fn blocks_that_separate_are_those_of_the_textbooks() {
        // A cube of d dimensions and the Hoffman-Singleton graph lose an end to its neighbours only.
        assert_eq!(of("torus(4x4x4,1)"), (6, true));
        assert_eq!(of("slim_fly(5,1)"), (7, true));
        assert_eq!(of("torus(4x4,1)"), (4, true));
        // Every two blocks of a line are neighbours: only all but one leave nothing to join.
        assert_eq!(of("MKNS(1,8,1,1)"), (7, true));
        // An adapter block has one switch block a dimension.
        assert_eq!(of("KNS(4x4,1)"), (2, true));
        assert_eq!(of("fat_tree(4x4,1)"), (1, true));
        // Three mesh neighbours and the switch block of the column.
        assert_eq!(of("MKNS(1,4x4,2,1)"), (4, true));
        assert_eq!(of("torus(10x10,1)"), (4, false));
    }
}
