//! Whether two graphs of blocks are the same but for the names of blocks, and which names are to be changed.
//!
//! Blocks of both graphs are coloured by what is around them until nothing new shows (colour refinement). Where a
//! colour is left to several blocks, one of the first graph is paired with each of the second in turn and the
//! colouring goes on (individualisation and backtracking). Colours are hashes: unequal ones prove that blocks differ,
//! and a renaming is compared cable by cable before it is believed, so that no answer rests on luck.

use super::Way;
use super::graph::{Graph, Neighbour};
use mkns_random::mix;

/// What the search has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IsomorphismResult {
    /// The second graph is the first with these names: by block of the first, its name in the second.
    Same(Vec<usize>),
    Different,
    /// The search was given up.
    Undecided,
}

/// Ends of cables that are looked at before the search is given up: some seconds.
const PATIENCE: u64 = 300_000_000;

/// Looks for a renaming of blocks that makes `one` the `other`.
pub fn isomorphism(one: &Graph, other: &Graph) -> IsomorphismResult {
    isomorphism_within(one, other, PATIENCE)
}

/// [`isomorphism`], given up after this many cable ends have been examined.
pub fn isomorphism_within(one: &Graph, other: &Graph, patience: u64) -> IsomorphismResult {
    if one.blocks() != other.blocks() || one.ends() != other.ends() {
        return IsomorphismResult::Different;
    }
    let identity: Vec<usize> = (0..one.blocks()).collect();
    if one.becomes(other, &identity) {
        return IsomorphismResult::Same(identity);
    }
    let sides = [one, other];
    let per_block = patience / 4 / (2 * one.blocks() as u64).max(1);
    let colours = sides.map(|graph| {
        let blocks = 0..graph.blocks();
        blocks
            .map(|block| surroundings(graph, block, per_block))
            .collect()
    });
    let mut search = Search { sides, patience };
    search.colour(colours)
}

struct Search<'a> {
    sides: [&'a Graph; 2],
    patience: u64,
}

/// By side, then block.
type Colours = [Vec<u64>; 2];

impl Search<'_> {
    /// Refines a colouring and splits what is left until every block has a colour of its own.
    fn colour(&mut self, colours: Colours) -> IsomorphismResult {
        let Some((colours, cell)) = self.refined(colours) else {
            return match self.patience {
                0 => IsomorphismResult::Undecided,
                _ => IsomorphismResult::Different,
            };
        };
        let Some([first, candidates]) = cell else {
            return self.verified(&colours);
        };
        let chosen = first[0];
        // A block is most often its own image.
        let mut candidates = candidates;
        candidates.sort_by_key(|&candidate| (candidate != chosen, candidate));
        for candidate in candidates {
            let mut next = colours.clone();
            next[0][chosen] = mix(!next[0][chosen]);
            next[1][candidate] = next[0][chosen];
            match self.colour(next) {
                IsomorphismResult::Different => {}
                answer => return answer,
            }
        }
        IsomorphismResult::Different
    }

    /// Colours that nothing around a block refines further, and the blocks of the smallest colour that several of
    /// a side share; none when the sides differ, or patience is at its end.
    fn refined(&mut self, mut colours: Colours) -> Option<(Colours, Option<[Vec<usize>; 2]>)> {
        let mut count = 0;
        loop {
            let sorted = [0, 1].map(|side| {
                let mut all: Vec<(u64, usize)> = colours[side].iter().copied().zip(0..).collect();
                all.sort_unstable();
                all
            });
            let [one, other] = &sorted;
            let is_alike = one.iter().zip(other).all(|(a, b)| a.0 == b.0);
            if !is_alike {
                return None;
            }
            let found = one.chunk_by(|a, b| a.0 == b.0).count();
            if found == count {
                return Some((colours, smallest_cell(&sorted)));
            }
            count = found;
            let cost = 2 * (self.sides[0].ends() + self.sides[0].blocks()) as u64;
            self.patience = self.patience.saturating_sub(cost);
            if self.patience == 0 {
                return None;
            }
            colours = [0, 1].map(|side| around(self.sides[side], &colours[side]));
        }
    }

    /// The renaming that pairs blocks of equal colour, if it is one.
    fn verified(&self, colours: &Colours) -> IsomorphismResult {
        let order = [0, 1].map(|side: usize| {
            let mut blocks: Vec<usize> = (0..colours[side].len()).collect();
            blocks.sort_by_key(|&block| colours[side][block]);
            blocks
        });
        let mut image = vec![0; order[0].len()];
        for (&from, &to) in order[0].iter().zip(&order[1]) {
            image[from] = to;
        }
        match self.sides[0].becomes(self.sides[1], &image) {
            true => IsomorphismResult::Same(image),
            false => IsomorphismResult::Different,
        }
    }
}

/// The blocks of either side that share the colour of fewest blocks, if any share one.
fn smallest_cell([one, other]: &[Vec<(u64, usize)>; 2]) -> Option<[Vec<usize>; 2]> {
    let cells = one
        .chunk_by(|a, b| a.0 == b.0)
        .zip(other.chunk_by(|a, b| a.0 == b.0));
    let shared = cells.filter(|(cell, _)| cell.len() > 1);
    let (one, other) = shared.min_by_key(|(cell, _)| cell.len())?;
    let blocks = |cell: &[(u64, usize)]| cell.iter().map(|(_, block)| *block).collect();
    Some([blocks(one), blocks(other)])
}

fn number_of(way: Way) -> u64 {
    match way {
        Way::Both => 1,
        Way::Sends => 2,
        Way::Receives => 3,
    }
}

/// Each colour with those of the neighbours, in whatever order.
fn around(graph: &Graph, colours: &[u64]) -> Vec<u64> {
    let sum = |list: &[Neighbour]| {
        let each = list.iter().map(|neighbour| {
            mix(colours[neighbour.block]
                .wrapping_mul(5)
                .wrapping_add(number_of(neighbour.way)))
        });
        each.fold(0, u64::wrapping_add)
    };
    let blocks = graph.neighbours.iter().zip(colours);
    blocks
        .map(|(list, colour)| mix(colour ^ mix(sum(list))))
        .collect()
}

/// A hash of what is around a block: at each distance the hardware, and the numbers of cables to blocks nearer, as
/// far and farther. Ends after the distance at which `limit` ends of cables have been looked at.
fn surroundings(graph: &Graph, block: usize, limit: u64) -> u64 {
    let mut distance = vec![u32::MAX; graph.blocks()];
    distance[block] = 0;
    let mut level = vec![block];
    let mut hash = 0;
    let mut looked_at = 0;
    let mut here = 0;
    while !level.is_empty() && looked_at < limit {
        let mut next = Vec::new();
        for &at in &level {
            for neighbour in &graph.neighbours[at] {
                let there = &mut distance[neighbour.block];
                if *there == u32::MAX {
                    *there = here + 1;
                    next.push(neighbour.block);
                }
            }
            looked_at += 1 + graph.neighbours[at].len() as u64;
        }
        let sum = level.iter().map(|&at| {
            let mut counts = graph.hardware[at];
            for neighbour in &graph.neighbours[at] {
                let step = 2 + u64::from(distance[neighbour.block]) - u64::from(here);
                counts = counts.wrapping_add(mix(step * 5 + number_of(neighbour.way)));
            }
            mix(counts)
        });
        hash = mix(hash ^ sum.fold(0, u64::wrapping_add));
        level = next;
        here += 1;
    }
    hash
}
