//! Several paths between any two blocks of any graph, by layers (the Slim Fly deployment, NSDI 2024).
//!
//! Layer 0 is shortest paths. Every other layer has a tree towards each destination into which paths are put that are
//! one cable longer than the shortest: pairs with few such paths so far come first, and among the paths that fit the
//! tree the one over the cables that are used least is taken. A pair that finds none takes the shortest path. Channels
//! are those of shortest paths, one up wherever a packet turns up again; or every cable has the channel of its place on
//! the path, as in the deployment.

use super::dense::pcie_ports;
use super::destination_tree::{self, Tree, spread};
use super::shortest::{Search, ensure_enough};
use super::{Routes, RoutingEngine, Task, dense};
use crate::TableEntry;
use mkns_diag::Diagnostic;
use mkns_topology::{BlockId, BlockRole, End, PortIndex};

/// Trees of shortest paths and of paths one cable longer.
#[derive(Debug, Clone, Copy)]
pub struct Layered {
    /// One channel up behind every cable, whatever the way.
    pub by_hops: bool,
}

/// Address field of the adapter block's number.
const NODE: usize = 1;

impl RoutingEngine for Layered {
    fn route(&self, task: &Task) -> Result<Routes, Box<Diagnostic>> {
        let search = Search::new(task);
        let minimal = destination_tree::trees(task, |destination| search.ways(destination).1);
        let mut growth = Growth::new(task, &minimal);
        let mut layers = vec![minimal.clone()];
        for layer in 1..task.spec.block.layers {
            layers.push(growth.layer(layer));
        }
        let mut routes = Routes::of_blocks(task, |id| tables(task, id, &layers));
        for (id, tables) in task.network.block_ids().zip(&mut routes.tables) {
            match self.by_hops {
                true => step_always(task.network.block(id).network_ports, &mut tables.step),
                false => search.add_steps(id, &mut tables.step),
            }
        }
        let rises = layers.iter().map(|trees| match self.by_hops {
            true => growth.longest(trees).saturating_sub(1),
            false => growth.most_turns(&search, trees),
        });
        let needed = rises.max().unwrap_or(0) + 1;
        ensure_enough(task, needed)?;
        if needed == 1 {
            for tables in &mut routes.tables {
                let steps = tables.step.iter_mut().flatten();
                steps.for_each(|step| *step = false);
            }
        }
        Ok(routes)
    }
}

/// Whatever goes on to another cable goes on one channel higher.
fn step_always(network_ports: u8, step: &mut [Vec<bool>]) {
    let ports = 0..usize::from(network_ports);
    for input in ports.clone() {
        for output in ports.clone().filter(|output| *output != input) {
            step[input][output] = true;
        }
    }
}

/// The tables of a block, a tree a layer.
fn tables(task: &Task, id: BlockId, layers: &[Vec<Tree>]) -> crate::BlockTables {
    let block = task.network.block(id);
    let mut pieces = vec![(NODE, Vec::new())];
    if block.role == BlockRole::Adapter {
        pieces.push((0, pcie_ports(block)));
    }
    let mut tables = dense::block_tables(task, id, &pieces);
    let depth = task.layout.fields[NODE].depth() as usize;
    for (layer, trees) in layers.iter().enumerate() {
        let entries = &mut tables.tables[0].entries[layer * depth..];
        for (entry, tree) in entries.iter_mut().zip(trees) {
            if let Some(port) = tree.get(id.0 as usize).copied().flatten() {
                *entry = TableEntry::to(port);
            }
        }
        if block.role == BlockRole::Adapter {
            entries[id.0 as usize] = TableEntry::same();
        }
    }
    tables
}

/// What is known of the layers so far.
struct Growth<'a> {
    task: &'a Task<'a>,
    minimal: &'a [Tree],
    /// By destination and block: cables of a shortest path.
    distance: Vec<Vec<Option<u32>>>,
    /// By sending port: paths that pass it, in all layers.
    used: Vec<u32>,
    /// By source and destination: longer paths given so far.
    given: Vec<Vec<u32>>,
}

impl<'a> Growth<'a> {
    fn new(task: &'a Task<'a>, minimal: &'a [Tree]) -> Self {
        let adapters = minimal.len();
        let mut growth = Self {
            task,
            minimal,
            distance: Vec::with_capacity(adapters),
            used: vec![0; task.index.slots()],
            given: vec![vec![0; adapters]; adapters],
        };
        for (destination, tree) in minimal.iter().enumerate() {
            let blocks = 0..task.network.blocks.len();
            let mut hops = |from| growth.hops(tree, from, destination, |_| {});
            let distance = blocks.map(&mut hops).collect();
            growth.distance.push(distance);
            for from in 0..adapters {
                let mut passed = Vec::new();
                growth.hops(tree, from, destination, |slot| passed.push(slot));
                for slot in passed {
                    growth.used[slot] += 1;
                }
            }
        }
        growth
    }

    /// Cables from a block along a tree, each of which is told; none where the tree does not lead there.
    fn hops(
        &self,
        tree: &Tree,
        from: usize,
        to: usize,
        mut tell: impl FnMut(usize),
    ) -> Option<u32> {
        let (mut at, mut hops) = (from, 0);
        while at != to {
            let port = tree.get(at).copied().flatten()?;
            let (slot, next) = self.through(at, port)?;
            tell(slot);
            (at, hops) = (next, hops + 1);
        }
        Some(hops)
    }

    /// Sending port and the block behind it.
    fn through(&self, block: usize, port: PortIndex) -> Option<(usize, usize)> {
        let block = BlockId(block as u32);
        let end = End { block, port };
        let peer = self.task.index.peer(end)?;
        Some((self.task.index.slot(end)?, peer.block.0 as usize))
    }

    /// One more layer.
    fn layer(&mut self, layer: u32) -> Vec<Tree> {
        let adapters = self.minimal.len();
        let blocks = self.task.network.blocks.len();
        let mut trees: Vec<Tree> = vec![vec![None; blocks]; adapters];
        let pairs = (0..adapters).flat_map(|from| (0..adapters).map(move |to| (from, to)));
        let mut pairs: Vec<(usize, usize)> = pairs.filter(|(from, to)| from != to).collect();
        // Equal pairs in another order in every layer, so that the same ones do not always come last.
        let shuffled = |from: usize, to: usize| {
            spread(BlockId(from as u32 + 4096 * layer), BlockId(to as u32))
        };
        pairs.sort_by_key(|&(from, to)| (self.given[from][to], shuffled(from, to)));
        for (from, to) in pairs {
            let Some((_, ports)) = self.cheapest(&trees[to], from, to, true) else {
                continue;
            };
            let mut at = from;
            for port in ports.into_iter().rev() {
                let Some((slot, next)) = self.through(at, port) else {
                    break;
                };
                trees[to][at] = Some(port);
                self.used[slot] += 1;
                at = next;
            }
            self.given[from][to] += 1;
        }
        for (tree, minimal) in trees.iter_mut().zip(self.minimal) {
            for (port, shortest) in tree.iter_mut().zip(minimal) {
                *port = port.or(*shortest);
            }
        }
        trees
    }

    /// The least used path that fits a tree: how often its cables are used, and its ports, last first. `longer`: one
    /// cable longer than a shortest path, otherwise just as long. The cable too many joins blocks of one distance, and
    /// behind it the way is shortest, so that trees have no circle.
    fn cheapest(
        &self,
        tree: &Tree,
        at: usize,
        to: usize,
        longer: bool,
    ) -> Option<(u32, Vec<PortIndex>)> {
        if at == to {
            return (!longer).then(|| (0, Vec::new()));
        }
        let distance = self.distance[to][at]?;
        let ports = self.task.index.links(BlockId(at as u32));
        let fits = ports.filter(|(port, _)| tree[at].is_none_or(|fixed| fixed == *port));
        let paths = fits.filter_map(|(port, link)| {
            let next = link.peer.block.0 as usize;
            let (slot, behind) = (self.through(at, port)?.0, self.distance[to][next]?);
            let path = match behind.cmp(&distance) {
                std::cmp::Ordering::Less => self.cheapest(tree, next, to, longer)?,
                std::cmp::Ordering::Equal if longer => self.cheapest(tree, next, to, false)?,
                _ => return None,
            };
            Some((path.0 + self.used[slot], path.1, port))
        });
        let (used, mut ports, port) = paths.min_by_key(|(used, _, _)| *used)?;
        ports.push(port);
        Some((used, ports))
    }

    /// Cables of the longest path of a layer.
    fn longest(&self, trees: &[Tree]) -> u32 {
        let to_all = trees.iter().enumerate().flat_map(|(to, tree)| {
            let sources = 0..trees.len();
            sources.filter_map(move |from| self.hops(tree, from, to, |_| {}))
        });
        to_all.max().unwrap_or(0)
    }

    /// Most turns up again on a path of a layer.
    fn most_turns(&self, search: &Search, trees: &[Tree]) -> u32 {
        let adapters = 0..trees.len();
        let turns = |(from, to): (usize, usize)| {
            let mut way = Vec::new();
            self.hops(&trees[to], from, to, |slot| {
                way.push(self.task.index.end_of(slot))
            });
            let is_turn = |two: &&[End]| search.turns_up(two[0], two[1]);
            way.windows(2).filter(is_turn).count() as u32
        };
        let pairs = adapters
            .clone()
            .flat_map(|from| adapters.clone().map(move |to| (from, to)));
        pairs.map(turns).max().unwrap_or(0)
    }
}
