//! Shortest distances by breadth-first search from 64 blocks at a time, one bit per source.
//!
//! Exact for any graph, without a symmetry argument: all 64 M pairs of the 16,000-host machine take a
//! fraction of a second. Far larger networks are searched from a sample. Counts cables; PCIe is not counted.

use std::collections::VecDeque;

use super::{Network, NetworkIndex};

/// Number of sources of one search.
pub const BATCH: usize = 64;
/// Networks with at most this many adapter blocks are searched from all of them: a second or two.
pub const EXHAUSTIVE: usize = 16_384;

/// Neighbours of every block, for searches over the whole network. With one-way cables they are the
/// blocks from which one cable leads here, so that searches give distances towards their sources.
#[derive(Debug, Clone)]
pub struct Adjacency {
    offsets: Vec<u32>,
    neighbours: Vec<u32>,
}

impl Adjacency {
    pub fn new(network: &Network, index: &NetworkIndex) -> Self {
        let mut adjacency = Self {
            offsets: vec![0],
            neighbours: Vec::with_capacity(2 * network.cables.len()),
        };
        for block in network.block_ids() {
            let peers = index.sources(block).map(|(_, link)| link.peer.block.0);
            adjacency.neighbours.extend(peers);
            adjacency.offsets.push(adjacency.neighbours.len() as u32);
        }
        adjacency
    }

    /// Number of blocks.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Neighbours in port order; parallel cables repeat one.
    pub fn neighbours(&self, block: usize) -> &[u32] {
        &self.neighbours[self.offsets[block] as usize..self.offsets[block + 1] as usize]
    }

    /// Searches from up to [`BATCH`] sources at once. `visit(distance, block, sources)` is called for
    /// every block and the set of sources (bit i = `sources[i]`) that are exactly so far from it.
    pub fn search(&self, sources: &[u32], mut visit: impl FnMut(u32, usize, u64)) {
        assert!(sources.len() <= BATCH);
        let mut seen = vec![0_u64; self.len()];
        let mut frontier = vec![0_u64; self.len()];
        for (bit, &source) in sources.iter().enumerate() {
            frontier[source as usize] |= 1 << bit;
        }
        for distance in 0.. {
            let mut reached = vec![0_u64; self.len()];
            let mut any = false;
            for (block, &arrived) in frontier.iter().enumerate() {
                let new = arrived & !seen[block];
                if new == 0 {
                    continue;
                }
                any = true;
                seen[block] |= new;
                visit(distance, block, new);
                for &neighbour in self.neighbours(block) {
                    reached[neighbour as usize] |= new;
                }
            }
            if !any {
                return;
            }
            frontier = reached;
        }
    }
}

/// Distances between ordered pairs of different adapter blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Distances {
    /// Greatest distance.
    pub diameter: u32,
    /// Sum over the pairs that are connected.
    pub total: u64,
    /// Ordered pairs that are connected.
    pub pairs: u64,
    /// Adapter blocks that were searched from: all, or a sample of a large network.
    pub sources: usize,
}

/// Ordered pairs of adapter blocks, each with itself too, by their distance; those that are not
/// connected are left out.
pub fn histogram(network: &Network, adjacency: &Adjacency) -> Vec<u64> {
    let sources: Vec<u32> = (0..network.adapters().len() as u32).collect();
    histogram_from(&sources, network, adjacency)
}

fn histogram_from(sources: &[u32], network: &Network, adjacency: &Adjacency) -> Vec<u64> {
    let adapters = network.adapters().len();
    let mut pairs = Vec::new();
    for batch in sources.chunks(BATCH) {
        adjacency.search(batch, |distance, block, new| {
            if block < adapters {
                let distance = distance as usize;
                pairs.resize(pairs.len().max(distance + 1), 0);
                pairs[distance] += u64::from(new.count_ones());
            }
        });
    }
    pairs
}

/// Searches from every adapter block; in a network of very many from some that are spread over it, which
/// is as good where all adapter blocks are alike.
pub fn between_adapters(network: &Network, adjacency: &Adjacency) -> Distances {
    let adapters = network.adapters().len();
    let sources: Vec<u32> = match adapters <= EXHAUSTIVE {
        true => (0..adapters as u32).collect(),
        false => (0..BATCH)
            .map(|at| (at * adapters / BATCH) as u32)
            .collect(),
    };
    let mut result = Distances {
        sources: sources.len(),
        ..Distances::default()
    };
    let histogram = histogram_from(&sources, network, adjacency);
    for (distance, pairs) in (0..).zip(histogram).skip(1) {
        result.diameter = distance;
        result.total += u64::from(distance) * pairs;
        result.pairs += pairs;
    }
    result
}

/// Adapter blocks by their distance from one of them; those that it does not reach come last.
pub fn nearest_first(first: usize, adapters: usize, adjacency: &Adjacency) -> Vec<u32> {
    let mut seen = vec![false; adjacency.len()];
    let mut order = Vec::with_capacity(adapters);
    for root in std::iter::once(first).chain(0..adapters) {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut queue = VecDeque::from([root as u32]);
        while let Some(block) = queue.pop_front() {
            if (block as usize) < adapters {
                order.push(block);
            }
            for &next in adjacency.neighbours(block as usize) {
                if !std::mem::replace(&mut seen[next as usize], true) {
                    queue.push_back(next);
                }
            }
        }
    }
    order
}
