//! Diameters of broadcast trees: over the adapter blocks only, and over every device.
//!
//! A spanning tree of least diameter is a breadth-first tree around a centre, which is a block or the
//! middle of a cable. All centres are tried in small networks; in large ones the first block and the
//! first cable of every kind, which stand for the others by the symmetry of lines and meshes.

use std::collections::{BTreeMap, VecDeque};

use super::distances::Adjacency;
use super::{BlockRole, Network};

/// Networks with at most so many blocks and cables have every centre tried.
const EXHAUSTIVE: usize = 2000;

/// Which devices the tree must reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Adapter blocks; switch blocks that lead to none are left out (the paper's trees).
    Adapters,
    /// All blocks.
    Devices,
}

/// A tree of least diameter found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// Cables on the longest path.
    pub diameter: u32,
    /// The block, or the two blocks of the cable, in its middle.
    pub centre: Vec<u32>,
    /// Whether all centres were tried.
    pub exhaustive: bool,
}

/// The least diameter over the centres tried; the first centre among equals.
pub fn least(network: &Network, adjacency: &Adjacency, reach: Reach) -> Tree {
    let exhaustive = network.blocks.len() + network.cables.len() <= EXHAUSTIVE;
    let centres = centres(network, exhaustive);
    let trees = centres.into_iter().map(|centre| Tree {
        diameter: tree_diameter(network, adjacency, &centre, reach),
        centre,
        exhaustive,
    });
    trees
        .min_by_key(|tree| tree.diameter)
        .expect("a network has at least one block")
}

fn centres(network: &Network, exhaustive: bool) -> Vec<Vec<u32>> {
    let blocks = (0..network.blocks.len() as u32).map(|block| vec![block]);
    let cables = network
        .cables
        .iter()
        .map(|cable| vec![cable.a.block.0, cable.b.block.0]);
    let all = blocks.chain(cables);
    if exhaustive {
        return all.collect();
    }
    let mut kinds: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for centre in all {
        kinds.entry(kind_of(network, &centre)).or_insert(centre);
    }
    kinds.into_values().collect()
}

/// Equal for centres that the symmetry of the network exchanges.
fn kind_of(network: &Network, centre: &[u32]) -> String {
    let at = |block: &u32| &network.blocks[*block as usize];
    let roles: Vec<&BlockRole> = centre.iter().map(|block| &at(block).role).collect();
    let differing = match centre {
        [a, b] => at(a)
            .coordinates
            .iter()
            .zip(&at(b).coordinates)
            .position(|(a, b)| a != b),
        _ => None,
    };
    match roles[..] {
        // Two adapter blocks: the dimension of the mesh is where they differ.
        [BlockRole::Adapter, BlockRole::Adapter] => format!("{roles:?} {differing:?}"),
        _ => format!("{roles:?}"),
    }
}

/// Longest path of the breadth-first tree around a centre.
fn tree_diameter(network: &Network, adjacency: &Adjacency, centre: &[u32], reach: Reach) -> u32 {
    let (order, parents) = breadth_first(adjacency, centre);
    // Greatest distance to a kept device below, if any.
    let mut height: Vec<Option<u32>> = network
        .blocks
        .iter()
        .map(|block| (reach == Reach::Devices || block.role == BlockRole::Adapter).then_some(0))
        .collect();
    // Longest path that turns at a device or ends there.
    let mut longest = 0;
    for &block in order.iter().rev() {
        let Some(below) = height[block as usize] else {
            continue;
        };
        let parent = parents[block as usize];
        if parent == block {
            continue;
        }
        let known = &mut height[parent as usize];
        if let Some(other) = *known {
            longest = longest.max(other + below + 1);
        }
        *known = Some(known.map_or(below + 1, |other| other.max(below + 1)));
    }
    longest
}

/// Blocks in breadth-first order, and their parents; the first block of the centre is the root.
fn breadth_first(adjacency: &Adjacency, centre: &[u32]) -> (Vec<u32>, Vec<u32>) {
    const UNSEEN: u32 = u32::MAX;
    let mut parents = vec![UNSEEN; adjacency.len()];
    let mut queue = VecDeque::new();
    for &block in centre {
        parents[block as usize] = centre[0];
        queue.push_back(block);
    }
    let mut order = Vec::with_capacity(adjacency.len());
    while let Some(block) = queue.pop_front() {
        order.push(block);
        for &next in adjacency.neighbours(block as usize) {
            if parents[next as usize] == UNSEEN {
                parents[next as usize] = block;
                queue.push_back(next);
            }
        }
    }
    (order, parents)
}
