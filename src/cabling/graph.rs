//! The graph of blocks that a set of cables makes: what an image of the plan is judged by. Ports do not count.

use super::{Socket, Way};
use mkns_topology::{BlockRole, Network};

/// How a cable looks from one of its ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Neighbour {
    pub block: usize,
    pub way: Way,
}

/// Blocks with their hardware and their cables; parallel cables count each.
#[derive(Debug, Clone)]
pub struct Graph {
    /// By block: equal where blocks are the same hardware, so that one can play the part of the other.
    pub(crate) hardware: Vec<u64>,
    /// By block, sorted.
    pub(crate) neighbours: Vec<Vec<Neighbour>>,
}

impl Graph {
    pub fn new(network: &Network, cables: &[[Socket; 2]]) -> Self {
        let hardware = network.blocks.iter().map(|block| {
            let class: u64 = match block.role {
                BlockRole::Adapter => 0,
                BlockRole::Switch { .. }
                | BlockRole::AssemblyLeaf { .. }
                | BlockRole::AssemblySpine { .. }
                | BlockRole::Stage { .. } => 1,
                BlockRole::Terminal => 2,
                BlockRole::Pok { .. } => 3,
                BlockRole::Spine => 4,
            };
            class << 16 | u64::from(block.network_ports) << 8 | u64::from(block.pcie_ports)
        });
        let hardware: Vec<u64> = hardware.collect();
        let mut neighbours = vec![Vec::new(); hardware.len()];
        for ends in cables {
            for (own, other) in [(ends[0], ends[1]), (ends[1], ends[0])] {
                neighbours[own.end.block.0 as usize].push(Neighbour {
                    block: other.end.block.0 as usize,
                    way: own.way,
                });
            }
        }
        neighbours.iter_mut().for_each(|list| list.sort_unstable());
        Self {
            hardware,
            neighbours,
        }
    }

    pub(crate) fn blocks(&self) -> usize {
        self.hardware.len()
    }

    /// Ends of cables.
    pub(crate) fn ends(&self) -> usize {
        self.neighbours.iter().map(Vec::len).sum()
    }

    /// Whether the renaming `image` (by block of this graph) makes this graph the `other`.
    pub(crate) fn becomes(&self, other: &Self, image: &[usize]) -> bool {
        (0..self.blocks()).all(|block| {
            let own = self.neighbours[block].iter();
            let mut own: Vec<_> = own
                .map(|neighbour| Neighbour {
                    block: image[neighbour.block],
                    way: neighbour.way,
                })
                .collect();
            own.sort_unstable();
            let to = image[block];
            self.hardware[block] == other.hardware[to] && own == other.neighbours[to]
        })
    }
}
