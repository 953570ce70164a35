//! How many blocks must fail before two adapter blocks that work are cut off from each other.
//!
//! Maximum flow with one unit per block (Menger). The first adapter blocks, as many as a cut could hold, are measured
//! against each other; from each further one the flow is measured to all before it, which count as one (Even 1975). A
//! cut leaves one of those before standing, and some block is the first that it separates from them, so the least of
//! the flows is exact, whatever the network looks like.

use mkns_topology::Network;
use mkns_topology::distances::{Adjacency, nearest_first};
use mkns_topology::flow::Flow;

/// Least number of blocks that separates two adapter blocks: all but one adapter block where every two of them are
/// neighbours. None for networks of fewer than two adapter blocks.
pub fn measure(network: &Network) -> Option<u32> {
    let adapters = network.adapters().len();
    if adapters < 2 {
        return None;
    }
    let neighbours = neighbours(network);
    let order = nearest_first(0, adapters, &Adjacency::new(network, &network.index()));
    let mut flow = through_blocks(&neighbours);
    // The neighbours of an adapter block cut it off, unless nothing is left beside it.
    let degrees = neighbours[..adapters].iter().map(Vec::len);
    let mut least = degrees.min().unwrap_or(0).min(adapters - 1) as u32;
    let (first, others) = order.split_at(least as usize);
    for (at, &source) in first.iter().enumerate() {
        for &target in &first[..at] {
            if !neighbours[source as usize].contains(&target) {
                // Into the block, not through it.
                least = flow.most(2 * source + 1, |node| node == 2 * target, least);
            }
        }
    }
    let mut taken = vec![false; network.blocks.len()];
    first.iter().for_each(|&block| taken[block as usize] = true);
    for &source in others {
        // Through a block: each of those before ends one way only.
        let is_end = |node: u32| node % 2 == 1 && taken[node as usize / 2];
        least = flow.most(2 * source + 1, is_end, least);
        taken[source as usize] = true;
    }
    Some(least)
}

/// By block: the blocks that cables lead to, each once.
fn neighbours(network: &Network) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); network.blocks.len()];
    for (from, to) in network.cables.iter().flat_map(|cable| cable.directions()) {
        neighbours[from.block.0 as usize].push(to.block.0);
    }
    for list in &mut neighbours {
        list.sort_unstable();
        list.dedup();
    }
    neighbours
}

/// Entries (2·block) and exits (2·block + 1) of blocks with room for one unit from entry to exit and from exits to the
/// entries of neighbours.
fn through_blocks(neighbours: &[Vec<u32>]) -> Flow {
    let mut flow = Flow::new(2 * neighbours.len());
    for (block, list) in (0..).zip(neighbours) {
        flow.join(2 * block, 2 * block + 1, 1, 0);
        for next in list {
            flow.join(2 * block + 1, 2 * next, 1, 0);
        }
    }
    flow
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_spec as spec;

    fn of(notation: &str) -> Option<u32> {
        measure(&mkns_topology::build(
            &spec::parse(notation).expect("a notation"),
        ))
    }

    #[test]
    fn blocks_that_separate_are_those_of_the_textbooks() {
        // A cube of d dimensions and the Hoffman-Singleton graph lose an end to its neighbours only.
        assert_eq!(of("torus(4x4x4,1)"), Some(6));
        assert_eq!(of("slim_fly(5,1)"), Some(7));
        assert_eq!(of("torus(4x4,1)"), Some(4));
        assert_eq!(of("torus(10x10,1)"), Some(4));
        // Every two blocks of a line are neighbours: only all but one leave nothing to join.
        assert_eq!(of("MKNS(1,8,1,1)"), Some(7));
        // An adapter block has one switch block a dimension.
        assert_eq!(of("KNS(4x4,1)"), Some(2));
        assert_eq!(of("fat_tree(4x4,1)"), Some(1));
        // Three mesh neighbours and the switch block of the column.
        assert_eq!(of("MKNS(1,4x4,2,1)"), Some(4));
    }

    /// The smallest set of blocks without which two adapter blocks are apart, of all sets.
    fn by_all_sets(network: &Network) -> u32 {
        let (blocks, adapters) = (network.blocks.len(), network.adapters().len());
        let neighbours = neighbours(network);
        let separates = |&set: &u32| {
            let mut standing = (0..adapters).filter(|block| set >> block & 1 == 0);
            let Some(first) = standing.next() else {
                return false;
            };
            let mut seen = set | 1 << first;
            let mut open = vec![first];
            while let Some(block) = open.pop() {
                for &next in &neighbours[block] {
                    if seen >> next & 1 == 0 {
                        seen |= 1 << next;
                        open.push(next as usize);
                    }
                }
            }
            standing.any(|block| seen >> block & 1 == 0)
        };
        let sets = (0..1_u32 << blocks).filter(separates);
        let smallest = sets.map(u32::count_ones).min();
        smallest.unwrap_or(adapters as u32 - 1)
    }

    #[test]
    fn numbers_a2_block_connectivity_is_the_smallest_of_all_cuts() {
        let average = ["network.method=\"average\"".to_owned()];
        let drawn = (1..=12).map(|seed| {
            let mut settings = average.to_vec();
            settings.push(format!("network.seed={seed}"));
            spec::parse_with("random_shortcut(11,4,1)", &settings)
        });
        let notations = [
            "KNS(3x2,1)",
            "MKNS(1,2x3,2,1)",
            "fat_tree(3x2,1)",
            "torus(4x3,1)",
            "HyperX(3x2,1)",
        ];
        let regular = notations.map(spec::parse);
        for spec in drawn.chain(regular) {
            let spec = spec.expect("a valid network");
            let network = mkns_topology::build(&spec);
            assert_eq!(
                measure(&network),
                Some(by_all_sets(&network)),
                "{}",
                spec.name
            );
        }
    }
}
