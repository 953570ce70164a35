//! Which paths the layers of a network give its pairs of adapter blocks: how many that share no cable, how long they
//! are, how evenly cables are used, and how many lanes would keep them from waiting for each other in a circle if each
//! path were put on a lane of its own choice.
//!
//! Lanes are counted as a subnet manager for InfiniBand could give them (Slim Fly, NSDI 2024, section on deadlocks): a
//! path goes on the first lane whose dependencies stay without a circle, layer by layer. Blocks here step channels on
//! the way instead; `channels` of the spec says how many they need.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::Serialize;

use super::Routing;
use mkns_topology::{BlockId, End, Network, NetworkIndex, PortIndex};

/// Paths over a given number of layers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diversity {
    pub layers: u32,
    /// Pairs of adapter blocks, both directions.
    pub pairs: u64,
    /// By cables of the shortest path.
    pub by_distance: Vec<Disjoint>,
    /// Cables of the longest path.
    pub longest: u32,
    /// Different paths over the cable and direction that has fewest and most.
    pub least_used: u64,
    pub most_used: u64,
    /// Lanes if each path keeps one that is chosen greedily.
    pub greedy_lanes: u32,
    /// Lanes if every cable of a path has one of its own: as many as the longest path has cables.
    pub hop_lanes: u32,
}

/// Pairs at a distance, by how many of their paths share no cable two by two.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Disjoint {
    /// Cables.
    pub distance: u32,
    pub pairs: u64,
    pub one: u64,
    pub two: u64,
    pub three_or_more: u64,
}

/// Sending ends of a path, as places in an index.
type Way = Vec<u32>;

impl Diversity {
    /// Of the first `layers` layers of routes, which lead everywhere.
    pub fn of(network: &Network, routing: &Routing, layers: u32) -> Self {
        let index = network.index();
        let mut used: HashMap<u32, u64> = HashMap::new();
        let mut by_distance: Vec<Disjoint> = Vec::new();
        let mut lanes = Lanes::default();
        let mut by_layer: Vec<BTreeSet<Way>> = vec![BTreeSet::new(); layers as usize];
        let (mut pairs, mut longest) = (0, 0);
        for (from, to) in pairs_of(network) {
            let mut ways: Vec<Way> = Vec::new();
            for layer in 0..layers {
                let Some(way) = way(network, &index, routing, layer, from, to) else {
                    continue;
                };
                if !ways.contains(&way) {
                    by_layer[layer as usize].insert(way.clone());
                    ways.push(way);
                }
            }
            let Some(shortest) = ways.iter().map(Vec::len).min() else {
                continue;
            };
            pairs += 1;
            longest = ways.iter().map(Vec::len).max().unwrap_or(0).max(longest);
            ways.iter()
                .flatten()
                .for_each(|end| *used.entry(*end).or_default() += 1);
            if by_distance.len() < shortest {
                by_distance.resize_with(shortest, Disjoint::default);
            }
            by_distance[shortest - 1].add(most_disjoint(&ways));
        }
        for (at, row) in by_distance.iter_mut().enumerate() {
            row.distance = at as u32 + 1;
        }
        by_layer.iter().flatten().for_each(|way| lanes.add(way));
        let ends = 2 * network.cables.len();
        let least = if used.len() < ends {
            Some(0)
        } else {
            used.values().min().copied()
        };
        Self {
            layers,
            pairs,
            by_distance,
            longest: longest as u32,
            least_used: least.unwrap_or(0),
            most_used: used.values().max().copied().unwrap_or(0),
            greedy_lanes: lanes.lanes.len() as u32,
            hop_lanes: longest as u32,
        }
    }
}

impl Disjoint {
    fn add(&mut self, disjoint: u32) {
        self.pairs += 1;
        match disjoint {
            0 | 1 => self.one += 1,
            2 => self.two += 1,
            _ => self.three_or_more += 1,
        }
    }
}

/// All pairs of different adapter blocks, which come first in a network.
fn pairs_of(network: &Network) -> impl Iterator<Item = (BlockId, BlockId)> {
    let adapters = 0..network.adapters().len() as u32;
    let sources = adapters.clone();
    let pairs = sources.flat_map(move |from| adapters.clone().map(move |to| (from, to)));
    let pairs = pairs.filter(|(from, to)| from != to);
    pairs.map(|(from, to)| (BlockId(from), BlockId(to)))
}

/// The sending ends from one adapter block to another in a layer; none where it does not lead there.
fn way(
    network: &Network,
    index: &NetworkIndex,
    routing: &Routing,
    layer: u32,
    from: BlockId,
    to: BlockId,
) -> Option<Way> {
    let address = routing.layout.address_of_node(to.0);
    let (mut at, mut way) = (from, Way::new());
    while at != to && way.len() <= network.blocks.len() {
        let entry = routing.tables[at.0 as usize].lookup(&routing.layout, layer, address)?;
        let end = End {
            block: at,
            port: PortIndex(entry.port),
        };
        way.push(index.slot(end)? as u32);
        at = index.peer(end)?.block;
    }
    (at == to).then_some(way)
}

/// Most of at most eight paths that share no cable in one direction, two by two.
fn most_disjoint(ways: &[Way]) -> u32 {
    let shares = |a: &Way, b: &Way| a.iter().any(|end| b.contains(end));
    let against: Vec<u32> = ways
        .iter()
        .map(|a| {
            let others = ways.iter().enumerate();
            others
                .filter(|(_, b)| shares(a, b))
                .map(|(at, _)| 1 << at)
                .sum()
        })
        .collect();
    let fits = |set: &u32| {
        let mut chosen = (0..ways.len()).filter(|at| set >> at & 1 == 1);
        chosen.all(|at| against[at] & set == 1 << at)
    };
    let sets = 0..1_u32 << ways.len();
    sets.filter(fits).map(u32::count_ones).max().unwrap_or(0)
}

/// Lanes with the dependencies of the paths on them.
#[derive(Default)]
struct Lanes {
    lanes: Vec<Lane>,
}

#[derive(Default)]
struct Lane {
    /// By sending end: those that packets on it may wait for.
    next: HashMap<u32, Vec<u32>>,
    dependencies: HashSet<(u32, u32)>,
    /// Dependencies that would close a circle, now and ever after.
    refused: HashSet<(u32, u32)>,
}

impl Lanes {
    /// Puts a path on the first lane where it closes no circle.
    fn add(&mut self, way: &Way) {
        if self.lanes.iter_mut().any(|lane| lane.takes(way)) {
            return;
        }
        let mut lane = Lane::default();
        assert!(lane.takes(way), "a path passes no cable twice");
        self.lanes.push(lane);
    }
}

impl Lane {
    fn takes(&mut self, way: &Way) -> bool {
        let pairs = way.windows(2).map(|two| (two[0], two[1]));
        let new: Vec<(u32, u32)> = pairs
            .filter(|pair| !self.dependencies.contains(pair))
            .collect();
        if new.iter().any(|pair| self.refused.contains(pair)) {
            return false;
        }
        for (count, &(from, to)) in new.iter().enumerate() {
            if self.leads(to, from) {
                self.refused.insert((from, to));
                new[..count].iter().for_each(|pair| self.remove(*pair));
                return false;
            }
            self.dependencies.insert((from, to));
            self.next.entry(from).or_default().push(to);
        }
        true
    }

    fn remove(&mut self, (from, to): (u32, u32)) {
        self.dependencies.remove(&(from, to));
        if let Some(next) = self.next.get_mut(&from) {
            next.retain(|other| *other != to);
        }
    }

    /// Whether dependencies lead from one sending end to another.
    fn leads(&self, from: u32, to: u32) -> bool {
        let mut seen = HashSet::from([from]);
        let mut open = vec![from];
        while let Some(end) = open.pop() {
            if end == to {
                return true;
            }
            let next = self.next.get(&end).into_iter().flatten();
            open.extend(next.filter(|next| seen.insert(**next)));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_would_close_a_circle_go_on_another_lane() {
        let mut lanes = Lanes::default();
        for way in [
            vec![0, 1],
            vec![1, 2],
            vec![2, 0],
            vec![2, 3],
            vec![0, 1, 2],
        ] {
            lanes.add(&way);
        }
        assert_eq!(lanes.lanes.len(), 2);
        assert_eq!(lanes.lanes[1].dependencies, HashSet::from([(2, 0)]));
    }

    #[test]
    fn a_path_that_is_refused_leaves_nothing_behind() {
        let mut lane = Lane::default();
        assert!(lane.takes(&vec![0, 1]));
        assert!(!lane.takes(&vec![5, 6, 1, 0]));
        assert_eq!(lane.dependencies, HashSet::from([(0, 1)]));
    }

    #[test]
    fn disjoint_paths_are_counted() {
        assert_eq!(most_disjoint(&[vec![1, 2], vec![2, 3], vec![4]]), 2);
        assert_eq!(most_disjoint(&[vec![1, 2], vec![3], vec![4]]), 3);
    }
}
