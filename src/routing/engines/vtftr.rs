//! VTFTR (Liu, Hu, Shi, Lu): dimension order, and around failures on a second virtual channel.
//!
//! The paper's routes, in the order in which it prefers them: row then column; column then row; row, column, row
//! through another column. Here they come out of one search from the destination: every block takes a shortest
//! way whose packets change to the second channel at most once, the one that changes least and starts in the
//! lowest dimension first. So the rules hold for MKNS, KNS and HyperX of any number of dimensions, and switch
//! blocks lead packets to another adapter block of their line where the one at the turn has failed.

use super::destination_tree::{self, Tree};
use super::{Routes, RoutingEngine, Task, rising_channels};
use mkns_diag::Diagnostic;
use mkns_topology::{BlockId, BlockRole, PortIndex};

/// Shortest ways with at most one change of channel.
#[derive(Debug, Clone, Copy)]
pub struct Vtftr;

/// Changes of channel that a packet may make: from the first channel to the second.
const MOST_STEPS: u8 = 1;

impl RoutingEngine for Vtftr {
    fn route(&self, task: &Task) -> Result<Routes, Box<Diagnostic>> {
        let search = Search::new(task);
        let mut routes = destination_tree::routes(task, |destination| search.tree(destination));
        for (tables, id) in routes.tables.iter_mut().zip(task.network.block_ids()) {
            tables.step = rising_channels::steps(task, id);
        }
        Ok(routes)
    }
}

/// What a cable leads to, seen from the block that sends. All that a search asks of it, side by side: there is one for
/// each destination.
#[derive(Debug, Clone, Copy)]
struct Link {
    peer: u32,
    /// The peer's place in the line of this cable, or the port where it has none.
    place: u32,
    dimension: u8,
    port: PortIndex,
}

struct Search<'a> {
    task: &'a Task<'a>,
    roles: Vec<BlockRole>,
    links: Vec<Link>,
    /// Where in `links` those of a block begin; one more than blocks.
    starts: Vec<usize>,
}

/// How a block reaches the destination.
#[derive(Debug, Clone, Copy)]
struct Way {
    /// Hops; [`FAR`] where none is found.
    hops: u32,
    /// Hops of those which were asked for a way to this block last.
    asked: u32,
    /// Changes of channel behind this block.
    steps: u8,
    dimension: u8,
    port: PortIndex,
}

const FAR: u32 = u32::MAX;

impl<'a> Search<'a> {
    fn new(task: &'a Task<'a>) -> Self {
        let network = task.network;
        let link = |(port, link): (PortIndex, mkns_topology::PortCable)| {
            let dimension = network.cables[link.cable as usize].dimension;
            let peer = &network.block(link.peer.block).coordinates;
            let place = peer.get(usize::from(dimension) - 1).copied();
            Link {
                peer: link.peer.block.0,
                place: place.unwrap_or(port.0.into()),
                dimension,
                port,
            }
        };
        let mut links = Vec::new();
        let mut starts = vec![0];
        for id in network.block_ids() {
            links.extend(task.index.links(id).map(link));
            starts.push(links.len());
        }
        Self {
            roles: network
                .blocks
                .iter()
                .map(|block| block.role.clone())
                .collect(),
            task,
            links,
            starts,
        }
    }

    fn links(&self, block: u32) -> &[Link] {
        let block = block as usize;
        &self.links[self.starts[block]..self.starts[block + 1]]
    }

    /// Ways to a destination, block after block by their distance from it.
    fn tree(&self, destination: BlockId) -> Tree {
        let none = Way {
            hops: FAR,
            asked: FAR,
            steps: 0,
            dimension: 0,
            port: PortIndex(0),
        };
        let mut ways = vec![none; self.roles.len()];
        ways[destination.0 as usize].hops = 0;
        let mut ring = vec![destination.0];
        let mut next = Vec::new();
        let mut equal = Vec::new();
        let mut hops = 0;
        while !ring.is_empty() {
            for peer in ring.iter().flat_map(|&near| self.links(near)) {
                let way = &mut ways[peer.peer as usize];
                if way.hops == FAR && way.asked != hops {
                    way.asked = hops;
                    next.push(peer.peer);
                }
            }
            ring.clear();
            // A way found now is one hop too long to be taken by the others of this ring.
            for id in next.drain(..) {
                if let Some(way) = self.best(id, hops, destination, &ways, &mut equal) {
                    ways[id as usize] = way;
                    ring.push(id);
                }
            }
            hops += 1;
        }
        ways[destination.0 as usize].hops = FAR;
        let port = |way: &Way| (way.hops != FAR).then_some(way.port);
        ways.iter().map(port).collect()
    }

    /// The best way from a block over one that is `hops` from the destination.
    fn best<'s>(
        &'s self,
        id: u32,
        hops: u32,
        destination: BlockId,
        ways: &[Way],
        equal: &mut Vec<&'s Link>,
    ) -> Option<Way> {
        equal.clear();
        let mut best = (MOST_STEPS, u8::MAX);
        for link in self.links(id) {
            let near = &ways[link.peer as usize];
            if near.hops != hops {
                continue;
            }
            let steps = match link.peer == destination.0 {
                true => 0,
                false => near.steps + u8::from(self.is_step(link, near)),
            };
            let rank = (steps, link.dimension);
            if rank < best {
                best = rank;
                equal.clear();
            }
            if rank == best {
                equal.push(link);
            }
        }
        let port = self.one_of(equal, destination)?.port;
        let (steps, dimension) = best;
        Some(Way {
            hops: hops + 1,
            asked: hops,
            steps,
            dimension,
            port,
        })
    }

    /// Whether a packet that comes by a cable and goes on from there changes its channel.
    fn is_step(&self, link: &Link, on: &Way) -> bool {
        let role = &self.roles[link.peer as usize];
        rising_channels::is_step(role, Some(link.dimension), Some(on.dimension))
    }

    /// One of several ways of equal rank: the one behind the destination's line for its first row, the next one for
    /// its second row and so on. That is the choice of the paper's figure 5, and it spreads what has to go round a
    /// failed block over the others of a line.
    fn one_of<'s>(&self, equal: &mut [&'s Link], destination: BlockId) -> Option<&'s Link> {
        if equal.len() < 2 {
            return equal.first().copied();
        }
        let aim = &self.task.network.block(destination).coordinates;
        let place = usize::from(equal[0].dimension) - 1;
        equal.sort_by_key(|link| link.place.wrapping_sub(aim[place] + 1));
        let rows: u32 = aim.iter().sum::<u32>() - aim[place];
        Some(equal[rows as usize % equal.len()])
    }
}
