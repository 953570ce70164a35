//! How many cables must fail before two compute nodes are cut off from each other.
//!
//! Maximum flow with one unit per cable (Menger). The minimum over all pairs is the minimum from one
//! adapter block to every other; large networks are measured towards representatives.

use std::collections::VecDeque;

use rayon::prelude::*;

use super::{BlockId, CableKind, End, Network, NetworkIndex, PortIndex};

/// Networks with at most so many adapter blocks are measured towards all of them.
const EXHAUSTIVE: usize = 256;

/// Result of the measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connectivity {
    /// Least number of cables that separates two adapter blocks.
    pub cables: u32,
    /// Adapter blocks towards which the flow from the first one was measured.
    pub targets: usize,
    /// Whether those were all.
    pub exhaustive: bool,
}

/// Least cut between adapter blocks; `None` when there is only one.
pub fn measure(network: &Network, index: &NetworkIndex) -> Option<Connectivity> {
    let exhaustive = network.adapters().len() <= EXHAUSTIVE;
    let targets: Vec<u32> = if exhaustive {
        (1..network.adapters().len() as u32).collect()
    } else {
        representatives(network)
    };
    let residual = Residual::new(network, index);
    let flows = targets
        .par_iter()
        .map(|&target| residual.max_flow(0, target));
    Some(Connectivity {
        cables: flows.min()?,
        targets: targets.len(),
        exhaustive,
    })
}

/// Adapter blocks that differ from the first in every set of dimensions: by one step, and on
/// assemblies also by the whole line, which lies on another leaf.
fn representatives(network: &Network) -> Vec<u32> {
    let adapters = network.adapters();
    let last = &adapters[adapters.len() - 1].coordinates;
    let mut on_assembly = vec![false; last.len()];
    let internal = |cable: &&super::Cable| cable.kind == CableKind::AssemblyInternal;
    for cable in network.cables.iter().filter(internal) {
        on_assembly[usize::from(cable.dimension) - 1] = true;
    }
    let stands_for_others = |coordinates: &[u32]| {
        (0..last.len()).all(|i| coordinates[i] < 2 || on_assembly[i] && coordinates[i] == last[i])
    };
    let chosen = network.adapters().iter().enumerate().skip(1);
    let chosen = chosen.filter(|(_, block)| stands_for_others(&block.coordinates));
    chosen.map(|(node, _)| node as u32).collect()
}

/// The network as arcs, one per port that has a cable.
struct Residual {
    /// Per block: first slot and the one after its last.
    ranges: Vec<(u32, u32)>,
    /// Per slot: slot and block at the other end.
    arcs: Vec<Option<(u32, u32)>>,
}

impl Residual {
    fn new(network: &Network, index: &NetworkIndex) -> Self {
        let range = |block: BlockId| {
            let first = index.first_slot(block) as u32;
            (first, first + u32::from(network.block(block).network_ports))
        };
        let arcs_of = |block: BlockId| {
            let ports = 0..network.block(block).network_ports;
            ports.map(move |port| {
                let port = PortIndex(port);
                let peer = index.peer(End { block, port })?;
                Some((index.slot(peer)? as u32, peer.block.0))
            })
        };
        Self {
            ranges: network.block_ids().map(range).collect(),
            arcs: network.block_ids().flat_map(arcs_of).collect(),
        }
    }

    /// Number of paths without a common cable (shortest augmenting paths).
    fn max_flow(&self, source: u32, target: u32) -> u32 {
        let limit = self.degree(source).min(self.degree(target));
        // Net flow out of each slot: −1, 0 or 1.
        let mut flow = vec![0_i8; self.arcs.len()];
        (0..limit)
            .take_while(|_| self.augment(&mut flow, source, target))
            .count() as u32
    }

    fn degree(&self, block: u32) -> u32 {
        let (first, last) = self.ranges[block as usize];
        let arcs = &self.arcs[first as usize..last as usize];
        arcs.iter().flatten().count() as u32
    }

    fn augment(&self, flow: &mut [i8], source: u32, target: u32) -> bool {
        const UNSEEN: u32 = u32::MAX;
        // Per block: slot by which the search left its predecessor.
        let mut reached_by = vec![UNSEEN; self.ranges.len()];
        let mut before = vec![UNSEEN; self.ranges.len()];
        before[source as usize] = source;
        let mut queue = VecDeque::from([source]);
        while let Some(block) = queue.pop_front() {
            if block == target {
                break;
            }
            let (first, last) = self.ranges[block as usize];
            for slot in first..last {
                let Some((_, next)) = self.arcs[slot as usize] else {
                    continue;
                };
                if flow[slot as usize] < 1 && before[next as usize] == UNSEEN {
                    before[next as usize] = block;
                    reached_by[next as usize] = slot;
                    queue.push_back(next);
                }
            }
        }
        if before[target as usize] == UNSEEN {
            return false;
        }
        let mut at = target;
        while at != source {
            let slot = reached_by[at as usize];
            flow[slot as usize] += 1;
            if let Some((back, _)) = self.arcs[slot as usize] {
                flow[back as usize] -= 1;
            }
            at = before[at as usize];
        }
        true
    }
}
