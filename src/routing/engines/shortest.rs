//! Shortest paths on any graph, with channels assigned so that no packets wait for each other in a circle.
//!
//! Every cable has an upper end ([`Height`]). On one channel packets go up, then down; a packet that would turn up
//! again goes on one channel higher, so that a block needs to know nothing but the ports of the turn. A path of h
//! cables has at most ⌊h / 2⌋ such turns, and among shortest paths the one with fewest is taken, so four channels
//! serve every network of diameter 7 and most larger ones.

use std::sync::atomic::{AtomicU32, Ordering};

use super::destination_tree::{self, Tree, one_of_shortest};
use super::height::Height;
use super::{Routes, RoutingEngine, Task};
use mkns_diag::{Code, Diagnostic};
use mkns_topology::{BlockId, End, PortCable, PortIndex};

/// Shortest ways that turn up again as seldom as possible.
#[derive(Debug, Clone, Copy)]
pub struct Shortest;

impl RoutingEngine for Shortest {
    fn route(&self, task: &Task) -> Result<Routes, Box<Diagnostic>> {
        let search = Search::new(task);
        let needed = AtomicU32::new(1);
        let mut routes = destination_tree::routes(task, |destination| {
            let (steps, tree) = search.ways(destination);
            let adapters = steps.iter().take(task.network.adapters().len());
            let most = adapters.flatten().max().copied().unwrap_or(0);
            needed.fetch_max(most + 1, Ordering::Relaxed);
            tree
        });
        let needed = needed.into_inner();
        ensure_enough(task, needed)?;
        if needed == 1 {
            return Ok(routes);
        }
        for (id, tables) in task.network.block_ids().zip(&mut routes.tables) {
            search.add_steps(id, &mut tables.step);
        }
        Ok(routes)
    }
}

/// An error where some path takes `needed` channels, and blocks have fewer.
pub fn ensure_enough(task: &Task, needed: u32) -> Result<(), Box<Diagnostic>> {
    let given = task.spec.block.table_channels();
    if needed <= given {
        return Ok(());
    }
    let fact =
        format!("paths of this network need {needed} virtual channels, and blocks have {given}");
    let remedy = match needed {
        3..=4 => "set block.virtual_channels to 4, or routing to \"up_down\"",
        2 => "set block.virtual_channels to 2, or routing to \"up_down\"",
        _ => "set routing to \"up_down\", which needs one; its paths are not always shortest",
    };
    Err(Box::new(Diagnostic::new(
        Code::ChannelsDoNotSuffice,
        fact,
        remedy,
    )))
}

/// Looks for shortest ways that turn up again as seldom as possible.
pub struct Search<'a> {
    task: &'a Task<'a>,
    height: Height,
}

impl<'a> Search<'a> {
    pub fn new(task: &'a Task<'a>) -> Self {
        Self {
            task,
            height: Height::of_blocks(task),
        }
    }

    /// Turns up again behind each block on its way to a destination, and the ports of these ways.
    pub fn ways(&self, destination: BlockId) -> (Vec<Option<u32>>, Tree) {
        let blocks = self.task.network.blocks.len();
        let mut steps: Vec<Option<u32>> = vec![None; blocks];
        let mut tree: Tree = vec![None; blocks];
        steps[destination.0 as usize] = Some(0);
        let mut ring = vec![destination];
        while !ring.is_empty() {
            let near = ring.iter().flat_map(|near| self.task.index.links(*near));
            let mut next: Vec<BlockId> = near.map(|(_, link)| link.peer.block).collect();
            next.retain(|id| steps[id.0 as usize].is_none());
            next.sort_unstable();
            next.dedup();
            let ways: Vec<Option<(u32, PortIndex)>> = next
                .iter()
                .map(|id| self.best(*id, destination, &steps, &tree))
                .collect();
            for (id, way) in next.iter().zip(ways) {
                steps[id.0 as usize] = way.map(|(behind, _)| behind);
                tree[id.0 as usize] = way.map(|(_, port)| port);
            }
            ring = next;
        }
        (steps, tree)
    }

    /// The way of a block over one of those that are one cable nearer.
    fn best(
        &self,
        id: BlockId,
        destination: BlockId,
        steps: &[Option<u32>],
        tree: &[Option<PortIndex>],
    ) -> Option<(u32, PortIndex)> {
        let through = |(port, link): (PortIndex, PortCable)| {
            let near = link.peer.block;
            let behind = steps[near.0 as usize]?;
            let turns_up = tree[near.0 as usize]
                .is_some_and(|on| self.height.is_up(near, id) && self.leads_up(near, on));
            Some((behind + u32::from(turns_up), port))
        };
        let ways = self.task.index.links(id).filter_map(through);
        one_of_shortest(ways, id, destination)
    }

    /// Whether a port that works leads up.
    fn leads_up(&self, block: BlockId, port: PortIndex) -> bool {
        let peer = self.task.index.peer(End { block, port });
        peer.is_some_and(|peer| self.height.is_up(block, peer.block))
    }

    /// Whether a packet that is sent by one port and then by the other, at the block behind the first, turns up again.
    pub fn turns_up(&self, first: End, second: End) -> bool {
        let came_down = self.height.is_up(second.block, first.block);
        came_down && self.leads_up(second.block, second.port)
    }

    /// A packet that came down and turns up again goes one channel up.
    pub fn add_steps(&self, block: BlockId, step: &mut [Vec<bool>]) {
        let ports = self.task.network.block(block).network_ports;
        let up: Vec<usize> = (0..ports)
            .filter(|port| self.leads_up(block, PortIndex(*port)))
            .map(usize::from)
            .collect();
        for &input in &up {
            for &output in up.iter().filter(|output| **output != input) {
                step[input][output] = true;
            }
        }
    }
}
