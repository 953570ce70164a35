//! How many cables must fail before two adapter blocks are cut off from each other.
//!
//! Maximum flow with one unit per cable (Menger). Adapter blocks are taken one after the other, the nearest first, and
//! the flow is measured from each to those taken before, which count as one. Some block is the first on the far side of
//! a least cut, and its flow is the size of that cut: the least of the flows is exact, whatever the network looks like.
//! Each search ends at the first block that was taken before, mostly a neighbour.

use super::distances::{Adjacency, nearest_first};
use super::flow::Flow;
use super::{Network, NetworkIndex};

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
    let mut flow = Flow::new(network.blocks.len());
    for cable in &network.cables {
        flow.join(cable.a.block.0, cable.b.block.0, 1, 1);
    }
    let order = nearest_first(0, adapters, &Adjacency::new(network, index));
    let degrees = (0..adapters as u32).map(|block| flow.degree(block));
    let mut least = degrees.min().unwrap_or(0);
    let mut taken = vec![false; network.blocks.len()];
    taken[order[0] as usize] = true;
    for &block in &order[1..] {
        least = flow.most(block, |node| taken[node as usize], least);
        taken[block as usize] = true;
    }
    Some(Connectivity {
        cables: least,
        flows: adapters - 1,
    })
}
