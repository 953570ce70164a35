//! VTFTR (Liu, Hu, Shi, Lu): dimension order, and round what has failed on a second virtual channel.
//!
//! The paper's routes, in the order in which it prefers them: row then column; column then row; row, column, row
//! through another column. Here they come out of one search from the destination: every block takes a shortest
//! way whose packets change to the second channel at most once, the one that changes least and starts in the
//! lowest dimension first. So the rules hold for MKNS, KNS and HyperX of any number of dimensions, and switch
//! blocks lead packets to another adapter block of their line where the one at the turn has failed.

use super::destination_tree::{self, Tree};
use super::{Routes, RoutingEngine, Task, rising_channels};
use mkns_diag::Diagnostic;
use mkns_topology::{BlockId, End, PortIndex};

/// Shortest ways with at most one change of channel.
#[derive(Debug, Clone, Copy)]
pub struct Vtftr;

/// Changes of channel that a packet may make: from the first channel to the second.
const MOST_STEPS: u32 = 1;

impl RoutingEngine for Vtftr {
    fn route(&self, task: &Task) -> Result<Routes, Box<Diagnostic>> {
        let blocks = task.network.block_ids();
        let steps: Vec<Vec<Vec<bool>>> =
            blocks.map(|id| rising_channels::steps(task, id)).collect();
        let search = Search {
            task,
            steps: &steps,
        };
        let mut routes = destination_tree::routes(task, |destination| search.tree(destination));
        for (tables, steps) in routes.tables.iter_mut().zip(steps) {
            tables.step = steps;
        }
        Ok(routes)
    }
}

struct Search<'a> {
    task: &'a Task<'a>,
    /// `step[in][out]` of each block.
    steps: &'a [Vec<Vec<bool>>],
}

/// A way on from a block. The order is that in which ways of equal length are preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Way {
    /// Changes of channel behind this block.
    steps: u32,
    dimension: u8,
    port: PortIndex,
}

impl Search<'_> {
    /// Ways to a destination, block after block by their distance from it.
    fn tree(&self, destination: BlockId) -> Tree {
        let index = self.task.index;
        let mut chosen: Vec<Option<Way>> = vec![None; self.task.network.blocks.len()];
        // Of which ring each block is.
        let mut rings = vec![u32::MAX; chosen.len()];
        rings[destination.0 as usize] = 0;
        let mut number = 0;
        let mut ring = vec![destination];
        while !ring.is_empty() {
            let mut next: Vec<BlockId> = Vec::new();
            for &near in &ring {
                let links = index.links(near).map(|(_, link)| link.peer.block);
                let open = |id: &BlockId| *id != destination && chosen[id.0 as usize].is_none();
                next.extend(links.filter(open));
            }
            next.sort_unstable();
            next.dedup();
            let is_near = |id: BlockId| rings[id.0 as usize] == number;
            let ways = |id: &BlockId| self.best(*id, destination, is_near, &chosen);
            let found: Vec<(BlockId, Way)> = next
                .iter()
                .filter_map(|id| ways(id).map(|way| (*id, way)))
                .collect();
            ring.clear();
            number += 1;
            for (id, way) in found {
                chosen[id.0 as usize] = Some(way);
                rings[id.0 as usize] = number;
                ring.push(id);
            }
        }
        chosen
            .into_iter()
            .map(|way| way.map(|way| way.port))
            .collect()
    }

    /// The best way from a block over one that is one hop nearer.
    fn best(
        &self,
        id: BlockId,
        destination: BlockId,
        is_near: impl Fn(BlockId) -> bool,
        chosen: &[Option<Way>],
    ) -> Option<Way> {
        let task = self.task;
        let through = |(port, link): (PortIndex, mkns_topology::Link)| {
            let near = link.peer.block;
            if !is_near(near) {
                return None;
            }
            let behind = match chosen[near.0 as usize] {
                _ if near == destination => 0,
                Some(way) => {
                    let row = &self.steps[near.0 as usize][usize::from(link.peer.port.0)];
                    way.steps + u32::from(row[usize::from(way.port.0)])
                }
                None => return None,
            };
            let way = Way {
                steps: behind,
                dimension: task.network.cables[link.cable as usize].dimension,
                port,
            };
            (behind <= MOST_STEPS).then_some(way)
        };
        let ways: Vec<Way> = task.index.links(id).filter_map(through).collect();
        let best = ways.iter().min()?;
        let rank = |way: &Way| (way.steps, way.dimension);
        let equal = ways.iter().filter(|way| rank(way) == rank(best));
        Some(self.one_of(equal.copied().collect(), id, destination))
    }

    /// One of several ways of equal rank: the one behind the destination's line for its first row, the next one for
    /// its second row and so on. That is the choice of the paper's figure 5, and it spreads what has to go round a
    /// failed block over the others of a line.
    fn one_of(&self, mut equal: Vec<Way>, id: BlockId, destination: BlockId) -> Way {
        let aim = &self.task.network.block(destination).coordinates;
        let place = usize::from(equal[0].dimension) - 1;
        let behind_aim = |way: &Way| {
            let end = End {
                block: id,
                port: way.port,
            };
            let peer = self.task.index.peer(end).map(|peer| peer.block);
            let peer = peer.map(|peer| &self.task.network.block(peer).coordinates);
            let own = peer.and_then(|own| own.get(place)).copied();
            let own = own.unwrap_or(way.port.0.into());
            own.wrapping_sub(aim[place] + 1)
        };
        equal.sort_by_key(behind_aim);
        let rows: u32 = aim.iter().sum::<u32>() - aim[place];
        equal[rows as usize % equal.len()]
    }
}
