//! Diameters of broadcast trees: over the adapter blocks only, and over every device.
//!
//! A spanning tree of least diameter is a breadth-first tree around a centre, which is a block or the middle of a cable
//! (Hassin & Tamir). With r the least distance within which a block reaches all others, the tree has a diameter of 2r,
//! or of 2r − 1 where a cable joins two such blocks that have no block at distance r in common. Distances are counted
//! from 64 blocks at a time, which tries every centre; of very large networks the first centre of every kind, which
//! stands for the others where symmetry exchanges them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::distances::{Adjacency, BATCH, EXHAUSTIVE};
use super::{BlockRole, Network};

/// Which devices the tree must reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// Adapter blocks; switch blocks that lead to none are left out (the paper's trees).
    Adapters,
    /// All blocks.
    Devices,
}

/// A tree of least diameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// Cables on the longest path.
    pub diameter: u32,
    /// The block, or the two blocks of the cable, in its middle: the first of its kind.
    pub centre: Vec<u32>,
    /// Whether all centres were tried.
    pub exhaustive: bool,
}

/// The tree; none where no block reaches all.
pub fn least(network: &Network, adjacency: &Adjacency, reach: Reach) -> Option<Tree> {
    let targets = match reach {
        Reach::Adapters => network.adapters().len(),
        Reach::Devices => network.blocks.len(),
    };
    match network.adapters().len() <= EXHAUSTIVE {
        true => of_all_centres(network, adjacency, targets),
        false => of_each_kind(network, adjacency, targets),
    }
}

/// `targets`: how many blocks, counted from the first, must be reached.
fn of_all_centres(network: &Network, adjacency: &Adjacency, targets: usize) -> Option<Tree> {
    let targets: Vec<u32> = (0..targets as u32).collect();
    let farthest = eccentricities(adjacency, &targets);
    let radius = farthest.iter().copied().flatten().min()?;
    let central: Vec<bool> = farthest.iter().map(|far| *far == Some(radius)).collect();
    let pairs = network.cables.iter();
    let pairs = pairs.map(|cable| [cable.a.block.0, cable.b.block.0]);
    let pairs = pairs.filter(|pair| pair.iter().all(|&block| central[block as usize]));
    if let Some(pair) = closer_pair(adjacency, &targets, radius, &pairs.collect::<Vec<_>>()) {
        return Some(Tree {
            diameter: 2 * radius - 1,
            centre: pair.to_vec(),
            exhaustive: true,
        });
    }
    let block = central.iter().position(|&is_central| is_central)?;
    Some(Tree {
        diameter: 2 * radius,
        centre: vec![block as u32],
        exhaustive: true,
    })
}

/// Per block the distance to the farthest target; none where it does not reach all.
fn eccentricities(adjacency: &Adjacency, targets: &[u32]) -> Vec<Option<u32>> {
    let blank = || vec![(0, 0); adjacency.len()];
    let batches = targets.par_chunks(BATCH);
    let found = batches.fold(blank, |mut found, batch| {
        adjacency.search(batch, |distance, block, new| {
            let (farthest, reached) = &mut found[block];
            *farthest = distance.max(*farthest);
            *reached += new.count_ones();
        });
        found
    });
    let found = found.reduce(blank, |mut sum, other| {
        for (sum, other) in sum.iter_mut().zip(other) {
            *sum = (sum.0.max(other.0), sum.1 + other.1);
        }
        sum
    });
    let all = targets.len() as u32;
    let farthest = found
        .into_iter()
        .map(|(farthest, reached)| (reached == all).then_some(farthest));
    farthest.collect()
}

/// The first of pairs of neighbours of which every target is nearer than `radius` to one.
fn closer_pair(
    adjacency: &Adjacency,
    targets: &[u32],
    radius: u32,
    pairs: &[[u32; 2]],
) -> Option<[u32; 2]> {
    let stays: Vec<AtomicBool> = pairs.iter().map(|_| AtomicBool::new(true)).collect();
    let stays_still = |at: usize| stays[at].load(Ordering::Relaxed);
    targets.par_chunks(BATCH).for_each(|batch| {
        let open: Vec<usize> = (0..pairs.len()).filter(|&at| stays_still(at)).collect();
        if open.is_empty() {
            return;
        }
        let mut far = vec![0_u64; adjacency.len()];
        adjacency.search(batch, |distance, block, new| {
            if distance == radius {
                far[block] = new;
            }
        });
        for at in open {
            let [a, b] = pairs[at].map(|block| far[block as usize]);
            if a & b != 0 {
                stays[at].store(false, Ordering::Relaxed);
            }
        }
    });
    (0..pairs.len())
        .find(|&at| stays_still(at))
        .map(|at| pairs[at])
}

/// The best of the first centres of every kind.
fn of_each_kind(network: &Network, adjacency: &Adjacency, targets: usize) -> Option<Tree> {
    let blocks = (0..network.blocks.len() as u32).map(|block| vec![block]);
    let cables = network.cables.iter();
    let cables = cables.map(|cable| vec![cable.a.block.0, cable.b.block.0]);
    let mut kinds: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for centre in blocks.chain(cables) {
        kinds.entry(kind_of(network, &centre)).or_insert(centre);
    }
    let trees = kinds.into_values().filter_map(|centre| {
        let farthest = farthest(adjacency, &centre, targets)?;
        Some(Tree {
            diameter: 2 * farthest + centre.len() as u32 - 1,
            centre,
            exhaustive: false,
        })
    });
    trees.min_by_key(|tree| tree.diameter)
}

/// Equal for centres that the symmetry of lines and meshes exchanges.
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

/// Distance from a centre to the farthest target; none where it does not reach all.
fn farthest(adjacency: &Adjacency, centre: &[u32], targets: usize) -> Option<u32> {
    let mut distances = vec![None; adjacency.len()];
    for &block in centre {
        distances[block as usize] = Some(0);
    }
    let mut queue: VecDeque<u32> = centre.iter().copied().collect();
    while let Some(block) = queue.pop_front() {
        let next_distance = distances[block as usize].map(|distance| distance + 1);
        for &next in adjacency.neighbours(block as usize) {
            if distances[next as usize].is_none() {
                distances[next as usize] = next_distance;
                queue.push_back(next);
            }
        }
    }
    let reached: Option<Vec<u32>> = distances[..targets].iter().copied().collect();
    reached?.into_iter().max()
}
