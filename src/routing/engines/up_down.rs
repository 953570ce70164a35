//! Up*/down*: every connected graph, with whatever damage, on one virtual channel.
//!
//! A tree of shortest distances from a root gives every cable an upper end: the one nearer to the root, and among
//! equals the one of the lower number. A packet goes up any number of cables, then down any number, and never up
//! again, so no packets wait for each other in a circle. A block that has a way down to the destination takes it,
//! so that what comes from above never turns up again. Ways are not always shortest; those near the root carry most.

use std::collections::VecDeque;

use super::destination_tree::{self, Tree, one_of_shortest};
use super::height::Height;
use super::{Routes, RoutingEngine, Task};
use mkns_diag::Diagnostic;
use mkns_topology::{BlockId, PortCable};

/// Up, then down.
#[derive(Debug, Clone, Copy)]
pub struct UpDown;

impl RoutingEngine for UpDown {
    fn route(&self, task: &Task) -> Result<Routes, Box<Diagnostic>> {
        let order = Height::of_blocks(task);
        Ok(destination_tree::routes(task, |destination| {
            tree(&order, task, destination)
        }))
    }
}

/// The port of every block towards a destination.
fn tree(order: &Height, task: &Task, destination: BlockId) -> Tree {
    let blocks = task.network.blocks.len();
    let mut hops: Vec<Option<u32>> = vec![None; blocks];
    hops[destination.0 as usize] = Some(0);
    let mut tree: Tree = vec![None; blocks];
    // Nearest blocks first: a way down is one hop longer than that of the block below.
    let mut reached = VecDeque::from([destination]);
    while let Some(below) = reached.pop_front() {
        for (_, link) in task.index.links(below) {
            let above = link.peer.block;
            if hops[above.0 as usize].is_none() && order.is_up(below, above) {
                hops[above.0 as usize] = hops[below.0 as usize].map(|hops| hops + 1);
                reached.push_back(above);
            }
        }
    }
    let goes_down: Vec<bool> = hops.iter().map(Option::is_some).collect();
    for &id in order.downward() {
        if id == destination {
            continue;
        }
        let down = goes_down[id.0 as usize];
        let fits = |link: &PortCable| match down {
            true => !order.is_up(id, link.peer.block) && goes_down[link.peer.block.0 as usize],
            false => order.is_up(id, link.peer.block),
        };
        let ways = task.index.links(id).filter(|(_, link)| fits(link));
        let ways = ways.filter_map(|(port, link)| Some((hops[link.peer.block.0 as usize]?, port)));
        if let Some((shortest, port)) = one_of_shortest(ways, id, destination) {
            hops[id.0 as usize] = Some(shortest + 1);
            tree[id.0 as usize] = Some(port);
        }
    }
    tree
}
