//! How many cables must fail before two adapter blocks are cut off from each other.
//!
//! Maximum flow with one unit per cable (Menger). Adapter blocks are taken one after the other, the nearest first, and
//! the flow is measured from each to those taken before, which count as one. Some block is the first on the far side of
//! a least cut, and its flow is the size of that cut: the least of the flows is exact, whatever the network looks like.
//! Each search ends at the first block that was taken before, mostly a neighbour.

use super::distances::{Adjacency, nearest_first};
use super::{End, Network, NetworkIndex, PortIndex};

/// Result of the measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connectivity {
    /// Least number of cables that separates two adapter blocks.
    pub cables: u32,
    /// Flows that were measured: one for each adapter block but the first.
    pub flows: usize,
}

/// Least cut between adapter blocks; `None` when there is only one.
pub fn measure(network: &Network, index: &NetworkIndex) -> Option<Connectivity> {
    let adapters = network.adapters().len();
    if adapters < 2 {
        return None;
    }
    let mut residual = Residual::new(network, index);
    let order = nearest_first(0, adapters, &Adjacency::new(network, index));
    let degrees = (0..adapters as u32).map(|block| residual.leaving(block).len() as u32);
    let mut least = degrees.min().unwrap_or(0);
    let mut taken = vec![false; network.blocks.len()];
    taken[order[0] as usize] = true;
    for &block in &order[1..] {
        least = residual.max_flow(block, &taken, least);
        taken[block as usize] = true;
    }
    Some(Connectivity {
        cables: least,
        flows: adapters - 1,
    })
}

/// No arc leads here yet.
const UNSEEN: u32 = u32::MAX;

/// One way through a cable.
struct Arc {
    /// The block that it leads to.
    to: u32,
    /// The arc the other way.
    back: u32,
}

/// The network as arcs, and what one flow and one search leave behind.
struct Residual {
    arcs: Vec<Arc>,
    /// Per block: its first arc; the number of all at the end.
    offsets: Vec<u32>,
    /// Per arc: net flow along it, −1, 0 or 1.
    flow: Vec<i8>,
    /// Per block: the arc by which the search came, or [`UNSEEN`].
    reached_by: Vec<u32>,
}

impl Residual {
    fn new(network: &Network, index: &NetworkIndex) -> Self {
        let ends = network.block_ids().flat_map(|block| {
            let ports = 0..network.block(block).network_ports;
            let ends = ports.map(move |port| End {
                block,
                port: PortIndex(port),
            });
            ends.filter(|end| index.peer(*end).is_some())
        });
        let ends: Vec<End> = ends.collect();
        let arc = |end: &End| {
            let peer = index.peer(*end)?;
            Some(Arc {
                to: peer.block.0,
                back: ends.binary_search(&peer).ok()? as u32,
            })
        };
        let arcs: Vec<Arc> = ends.iter().filter_map(arc).collect();
        let first = |block: u32| ends.partition_point(|end| end.block.0 < block) as u32;
        let blocks = network.blocks.len();
        Self {
            flow: vec![0; arcs.len()],
            arcs,
            offsets: (0..=blocks as u32).map(first).collect(),
            reached_by: vec![UNSEEN; blocks],
        }
    }

    fn leaving(&self, block: u32) -> std::ops::Range<u32> {
        self.offsets[block as usize]..self.offsets[block as usize + 1]
    }

    /// Number of ways without a common cable from a block to blocks of a set, at most `limit`.
    fn max_flow(&mut self, source: u32, targets: &[bool], limit: u32) -> u32 {
        let mut used = Vec::new();
        let more = |_: &u32| self.augment(source, targets, &mut used);
        let found = (0..limit).take_while(more).count() as u32;
        for arc in used {
            self.flow[arc as usize] = 0;
        }
        found
    }

    /// Sends one unit more along a shortest way, whose arcs it adds to `used`.
    fn augment(&mut self, source: u32, targets: &[bool], used: &mut Vec<u32>) -> bool {
        let (seen, end) = self.search(source, targets);
        let mut at = end.unwrap_or(source);
        while at != source {
            let arc = self.reached_by[at as usize];
            let back = self.arcs[arc as usize].back;
            self.flow[arc as usize] += 1;
            self.flow[back as usize] -= 1;
            used.extend([arc, back]);
            at = self.arcs[back as usize].to;
        }
        for block in seen {
            self.reached_by[block as usize] = UNSEEN;
        }
        end.is_some()
    }

    /// Breadth-first up to a block of the set: the blocks that it saw, and the one of the set.
    fn search(&mut self, source: u32, targets: &[bool]) -> (Vec<u32>, Option<u32>) {
        let mut seen = vec![source];
        let mut next = 0;
        while next < seen.len() {
            for arc in self.leaving(seen[next]) {
                let to = self.arcs[arc as usize].to;
                let is_new = to != source && self.reached_by[to as usize] == UNSEEN;
                if is_new && self.flow[arc as usize] < 1 {
                    self.reached_by[to as usize] = arc;
                    seen.push(to);
                    if targets[to as usize] {
                        return (seen, Some(to));
                    }
                }
            }
            next += 1;
        }
        (seen, None)
    }
}
