//! Cables between two equal halves of the adapter blocks: the least cut of small networks, an upper
//! bound for others.
//!
//! Switch blocks stand on whichever side costs less, those that are joined to each other in the cheapest
//! way (all ways tried for an assembly's six, a minimum cut for more). The
//! bound is the best of cuts that take the adapter blocks nearest to a corner in some of the
//! dimensions, and of those that [`partition`] finds. Corner cubes beat N/2 as soon as two dimensions
//! have switch blocks; networks without lines need a partition.

use std::collections::BTreeMap;

use super::distances::Adjacency;
use super::{Cable, Network, components, min_cut, partition};

/// Networks with at most this many adapter blocks have every halving tried.
const EXHAUSTIVE: usize = 20;
/// As many where minimum cuts are needed for each halving.
const EXHAUSTIVE_WITH_CUTS: usize = 16;
/// Groups of at most this many switch blocks have every way tried.
const ENUMERATED: usize = 8;

/// Result of the measurement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bisection {
    pub cables: u64,
    /// The least cut of all halvings; otherwise `cables` is an upper bound.
    pub exact: bool,
}

/// Measures; an odd number of adapter blocks is halved as evenly as it goes.
pub fn measure(network: &Network) -> Bisection {
    let cut = Cut::new(network);
    let nodes = network.adapters().len();
    let limit = if cut.largest_group() > ENUMERATED {
        EXHAUSTIVE_WITH_CUTS
    } else {
        EXHAUSTIVE
    };
    if nodes <= limit {
        let sides = halvings(nodes);
        let cables = sides.map(|side| cut.cables(&side)).min().unwrap_or(0);
        return Bisection {
            cables,
            exact: true,
        };
    }
    let dimensions = network.blocks[0].coordinates.len();
    let corners = 1..1_u32 << dimensions;
    let corners = corners.map(|dimensions| corner(network, dimensions));
    let adjacency = Adjacency::new(network, &network.index());
    let halves = partition::halves(nodes, &adjacency);
    let sides = corners.chain(halves);
    Bisection {
        cables: sides.map(|side| cut.cables(&side)).min().unwrap_or(0),
        exact: false,
    }
}

/// All sets of ⌊n/2⌋ of n adapter blocks.
fn halvings(nodes: usize) -> impl Iterator<Item = Vec<bool>> {
    let sets = (0..1_u32 << nodes).filter(move |set| set.count_ones() as usize == nodes / 2);
    sets.map(move |set| (0..nodes).map(|node| set >> node & 1 == 1).collect())
}

/// The half of the adapter blocks that is nearest to the origin in a set of dimensions (bit i:
/// dimension i + 1), measured by the greatest coordinate in proportion to its line.
fn corner(network: &Network, dimensions: u32) -> Vec<bool> {
    let adapters = network.adapters();
    let last = &adapters[adapters.len() - 1].coordinates;
    let sizes: Vec<u32> = last.iter().map(|last| last + 1).collect();
    // Coordinates scaled to a common line length, which keeps the comparison in whole numbers.
    let line: u32 = sizes.iter().product();
    let distance = |node: usize| {
        let coordinates = &adapters[node].coordinates;
        let chosen = (0..sizes.len()).filter(|i| dimensions >> i & 1 == 1);
        chosen.map(|i| coordinates[i] * (line / sizes[i])).max()
    };
    let mut order: Vec<usize> = (0..adapters.len()).collect();
    order.sort_by_key(|&node| distance(node));
    let mut side = vec![false; adapters.len()];
    for &node in &order[..adapters.len() / 2] {
        side[node] = true;
    }
    side
}

/// The cables of a network, sorted by how a cut counts them.
struct Cut {
    mesh: Vec<(usize, usize)>,
    groups: Vec<Group>,
}

/// Switch blocks that are joined to each other: one, the six of an assembly, those of a fat tree.
#[derive(Default)]
struct Group {
    /// Adapter blocks on each switch block.
    members: Vec<Vec<usize>>,
    /// Cables between them.
    internal: Vec<(usize, usize)>,
}

impl Cut {
    fn new(network: &Network) -> Self {
        let adapters = network.adapters().len();
        let ends = |cable: &Cable| (cable.a.block.0 as usize, cable.b.block.0 as usize);
        let between_switches = |(a, b): &(usize, usize)| *a >= adapters && *b >= adapters;
        let cables: Vec<(usize, usize)> = network.cables.iter().map(ends).collect();
        let internal = cables.iter().copied().filter(between_switches);
        let leaders = components::leaders(network.blocks.len(), internal);
        let mut cut = Self {
            mesh: Vec::new(),
            groups: Vec::new(),
        };
        // Per switch block: its group and its place there.
        let mut group_of: BTreeMap<usize, usize> = BTreeMap::new();
        let mut places: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
        for (block, leader) in leaders.into_iter().enumerate().skip(adapters) {
            let group = *group_of.entry(leader).or_insert_with(|| {
                cut.groups.push(Group::default());
                cut.groups.len() - 1
            });
            places.insert(block, (group, cut.groups[group].members.len()));
            cut.groups[group].members.push(Vec::new());
        }
        for (a, b) in cables {
            match (places.get(&a), places.get(&b)) {
                (None, None) => cut.mesh.push((a, b)),
                (None, Some(&(group, place))) => cut.groups[group].members[place].push(a),
                (Some(&(group, place)), None) => cut.groups[group].members[place].push(b),
                (Some(&(group, from)), Some(&(_, to))) => {
                    cut.groups[group].internal.push((from, to));
                }
            }
        }
        cut
    }

    /// Switch blocks of the largest group.
    fn largest_group(&self) -> usize {
        let sizes = self.groups.iter().map(|group| group.members.len());
        sizes.max().unwrap_or(0)
    }

    /// Cables between the adapter blocks on one side and the others.
    fn cables(&self, side: &[bool]) -> u64 {
        let mesh = self
            .mesh
            .iter()
            .filter(|(a, b)| side[*a] != side[*b])
            .count() as u64;
        let groups = self
            .groups
            .iter()
            .map(|group| u64::from(group.cables(side)));
        mesh + groups.sum::<u64>()
    }
}

impl Group {
    /// The cheapest of all ways to put the switch blocks on sides.
    fn cables(&self, side: &[bool]) -> u32 {
        let count = |members: &Vec<usize>| {
            let here = members.iter().filter(|&&node| side[node]).count() as u32;
            // Cables cut with the switch block on the far side, and on the near side.
            [here, members.len() as u32 - here]
        };
        let costs: Vec<[u32; 2]> = self.members.iter().map(count).collect();
        if costs.len() > ENUMERATED {
            return min_cut::least(&costs, &self.internal);
        }
        let ways = 0..1_usize << costs.len();
        let cost = |way: usize| {
            let own = costs.iter().enumerate().map(|(i, cost)| cost[way >> i & 1]);
            let crossing = |(a, b): &&(usize, usize)| (way >> a ^ way >> b) & 1 == 1;
            own.sum::<u32>() + self.internal.iter().filter(crossing).count() as u32
        };
        ways.map(cost).min().unwrap_or(0)
    }
}
