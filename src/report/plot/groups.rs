//! A network taken apart for drawing: the cables of one dimension fall into lines, rings, stars and
//! levels that do not touch each other.

use std::collections::{BTreeMap, BTreeSet};

use mkns_topology::components;
use mkns_topology::{Block, BlockRole, Cable, Network};

/// Blocks that cables of one dimension join.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Which blocks: `(* 3)` is a line of dimension 1, a switch block's name stands for itself.
    pub name: String,
    /// Blocks by the height at which they are drawn, adapter blocks first. One row is drawn as a circle.
    pub rows: Vec<Vec<u32>>,
    pub cables: Vec<Cable>,
}

impl Group {
    /// Blocks of the longest row.
    pub fn breadth(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }
}

/// The groups of a dimension, in the order of their first blocks.
pub fn groups(network: &Network, dimension: u8) -> Vec<Group> {
    let of_dimension = |cable: &&Cable| cable.dimension == dimension;
    let cables = || network.cables.iter().filter(of_dimension);
    let pairs = cables().map(|cable| (cable.a.block.0 as usize, cable.b.block.0 as usize));
    let leaders = components::leaders(network.blocks.len(), pairs);
    let mut members: BTreeMap<usize, Vec<Cable>> = BTreeMap::new();
    for cable in cables() {
        let leader = leaders[cable.a.block.0 as usize];
        members.entry(leader).or_default().push(*cable);
    }
    let used = used_coordinates(network);
    let members = members.into_values();
    members.map(|cables| group(network, cables, used)).collect()
}

fn group(network: &Network, cables: Vec<Cable>, used: usize) -> Group {
    let ends = cables.iter().flat_map(|cable| [cable.a, cable.b]);
    let blocks: BTreeSet<u32> = ends.map(|end| end.block.0).collect();
    let blocks: Vec<u32> = blocks.into_iter().collect();
    let mut rows: BTreeMap<u8, Vec<u32>> = BTreeMap::new();
    for &block in &blocks {
        let height = height(&network.blocks[block as usize]);
        rows.entry(height).or_default().push(block);
    }
    Group {
        name: name(network, &blocks, used),
        rows: rows.into_values().collect(),
        cables,
    }
}

/// Adapter blocks and terminals stand lowest.
fn height(block: &Block) -> u8 {
    match block.role {
        BlockRole::Adapter | BlockRole::Terminal => 0,
        BlockRole::Switch { .. } | BlockRole::AssemblyLeaf { .. } => 1,
        BlockRole::AssemblySpine { .. } => 2,
        BlockRole::Stage { stage } => stage,
        BlockRole::Pok { cascade } => cascade,
        BlockRole::Spine => u8::MAX,
    }
}

/// Coordinates that differ somewhere in the network; those behind them are always 0.
fn used_coordinates(network: &Network) -> usize {
    let last = |block: &Block| block.coordinates.iter().rposition(|&at| at != 0);
    let most = network.adapters().iter().filter_map(last).max();
    most.map_or(1, |last| last + 1)
}

/// Coordinates that all adapter blocks of a group share, stars for the others; the first block's name
/// where there are no adapter blocks.
fn name(network: &Network, blocks: &[u32], used: usize) -> String {
    let adapters = network.adapters();
    let members = blocks
        .iter()
        .filter_map(|&block| adapters.get(block as usize));
    let members: Vec<&Block> = members.collect();
    let Some(first) = members.first() else {
        return network.blocks[blocks[0] as usize].name.clone();
    };
    let digit = |at: usize| {
        let is_shared = |block: &&Block| block.coordinates[at] == first.coordinates[at];
        if members.iter().all(is_shared) {
            first.coordinates[at].to_string()
        } else {
            "*".to_owned()
        }
    };
    let digits: Vec<String> = (0..used.min(first.coordinates.len())).map(digit).collect();
    format!("({})", digits.join(" "))
}
