//! Cuts a network into pieces of as many blocks each, for ranks: by a coordinate or by number, whichever leaves fewest
//! cables between them.
//!
//! Halves are halved again. A block is in the first half when its coordinate, then its number, is below that of the
//! first block of the other half. So a cut is a few numbers a rank, found by looking at one block after the other, and
//! nobody needs a list of all blocks where coordinates follow from numbers.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use mkns_random::mix;
use mkns_topology::{BlockId, Blueprint, Graph, Network};

/// About so many blocks say where their cables lead when halves are compared.
const SAMPLE: u32 = 1 << 16;

/// How a network is cut into pieces for ranks; equal networks are cut alike.
#[derive(Debug)]
pub struct Cut {
    pub ranks: usize,
    /// Of the whole network.
    pub blocks: u32,
    owners: Owners,
}

/// The rank of every block.
#[derive(Debug)]
enum Owners {
    Computed(Arc<dyn Blueprint>, Splits),
    Listed(Vec<u32>),
}

/// A coordinate and the number of a block; by number alone the coordinate is 0.
type Key = (u32, u32);

/// Where a piece is halved: before a key, with the coordinate of a dimension index. Those go up to the number of
/// dimensions, which means by number alone.
#[derive(Debug, Clone, Copy, Default)]
struct Split {
    dimension: usize,
    before: Key,
}

/// All halvings, by the first rank of the second half.
#[derive(Debug)]
struct Splits(Vec<Split>);

/// A way to halve a piece.
#[derive(Debug)]
struct Halving {
    split: Split,
    /// How many blocks of the piece have a coordinate.
    counts: BTreeMap<u32, u32>,
    /// Blocks with the coordinate of the split that go into the first half.
    rest: u32,
    /// Ends of cables between the halves, among those looked at.
    crossing: u32,
}

impl Cut {
    /// Cuts a network without its graph.
    pub fn of(blueprint: Arc<dyn Blueprint>, ranks: usize) -> Cut {
        let splits = Splits::of(&*blueprint, ranks);
        Cut {
            ranks,
            blocks: blueprint.blocks(),
            owners: Owners::Computed(blueprint, splits),
        }
    }

    /// Cuts a graph, which is not needed afterwards.
    pub fn of_graph(network: &Network, ranks: usize) -> Cut {
        let graph = Graph::of(network);
        let splits = Splits::of(&graph, ranks);
        let owner = |block| splits.piece_of(&graph, block, usize::MAX).start as u32;
        Cut {
            ranks,
            blocks: graph.blocks(),
            owners: Owners::Listed(network.block_ids().map(owner).collect()),
        }
    }

    /// The rank that has a block.
    pub fn rank_of(&self, block: BlockId) -> usize {
        match &self.owners {
            Owners::Computed(blueprint, splits) => {
                splits.piece_of(&**blueprint, block, usize::MAX).start
            }
            Owners::Listed(ranks) => ranks[block.0 as usize] as usize,
        }
    }

    /// Numbers of the blocks of a rank, ascending.
    pub fn blocks_of(&self, rank: usize) -> impl Iterator<Item = u32> {
        (0..self.blocks).filter(move |&block| self.rank_of(BlockId(block)) == rank)
    }
}

impl Splits {
    fn of(blueprint: &dyn Blueprint, ranks: usize) -> Splits {
        let mut splits = Splits(vec![Split::default(); ranks]);
        for depth in 0..ranks.next_power_of_two().ilog2() as usize {
            splits.halve_all(blueprint, depth);
        }
        splits
    }

    /// The piece that has a block after so many halvings.
    fn piece_of(&self, blueprint: &dyn Blueprint, block: BlockId, halvings: usize) -> Range<usize> {
        let mut piece = 0..self.0.len();
        for _ in 0..halvings {
            if piece.len() == 1 {
                break;
            }
            let middle = middle(&piece);
            piece = match self.0[middle].is_first(blueprint, block) {
                true => piece.start..middle,
                false => middle..piece.end,
            };
        }
        piece
    }

    /// Halves all pieces that there are after so many halvings.
    fn halve_all(&mut self, blueprint: &dyn Blueprint, depth: usize) {
        let piece_of = |block| self.piece_of(blueprint, block, depth);
        // By the first rank of the second half.
        let mut pieces: BTreeMap<usize, (Range<usize>, Vec<Halving>)> = BTreeMap::new();
        let blocks = || (0..blueprint.blocks()).map(BlockId);
        for block in blocks() {
            let piece = piece_of(block);
            if piece.len() > 1 {
                let new = || (piece.clone(), Halving::all(blueprint));
                let (_, halvings) = pieces.entry(middle(&piece)).or_insert_with(new);
                halvings
                    .iter_mut()
                    .for_each(|halving| halving.count(blueprint, block));
            }
        }
        for (piece, halvings) in pieces.values_mut() {
            let share = (piece.len() / 2) as u64;
            halvings
                .iter_mut()
                .for_each(|halving| halving.settle(share, piece.len() as u64));
        }
        for block in blocks() {
            if let Some((_, halvings)) = pieces.get_mut(&middle(&piece_of(block))) {
                halvings
                    .iter_mut()
                    .for_each(|halving| halving.place(blueprint, block));
            }
        }
        let stride = u64::from(blueprint.blocks().div_ceil(SAMPLE));
        for block in blocks().filter(|block| mix(block.0.into()).is_multiple_of(stride)) {
            let piece = piece_of(block);
            let Some((_, halvings)) = pieces.get_mut(&middle(&piece)) else {
                continue;
            };
            for cable in blueprint.cables(block) {
                let other = cable.other_end(block).block;
                if piece_of(other) == piece {
                    halvings
                        .iter_mut()
                        .for_each(|halving| halving.weigh(blueprint, block, other));
                }
            }
        }
        for (middle, (_, halvings)) in pieces {
            let fewest = halvings.iter().min_by_key(|halving| halving.crossing);
            self.0[middle] = fewest.expect("by number at least").split;
        }
    }
}

impl Halving {
    /// By number, and by every dimension.
    fn all(blueprint: &dyn Blueprint) -> Vec<Halving> {
        let new = |dimension| Halving {
            split: Split {
                dimension,
                before: Key::default(),
            },
            counts: BTreeMap::new(),
            rest: 0,
            crossing: 0,
        };
        (0..=blueprint.dimensions()).rev().map(new).collect()
    }

    /// A block of the piece.
    fn count(&mut self, blueprint: &dyn Blueprint, block: BlockId) {
        let (coordinate, _) = self.split.key(blueprint, block);
        *self.counts.entry(coordinate).or_default() += 1;
    }

    /// When all blocks are counted: the first half is for `share` of so many ranks.
    fn settle(&mut self, share: u64, ranks: u64) {
        let all: u64 = self.counts.values().map(|&count| u64::from(count)).sum();
        self.rest = (all * share / ranks) as u32;
        for (&coordinate, &count) in &self.counts {
            self.split.before = (coordinate, u32::MAX);
            if self.rest < count {
                break;
            }
            self.rest -= count;
        }
    }

    /// A block of the piece again, by ascending numbers.
    fn place(&mut self, blueprint: &dyn Blueprint, block: BlockId) {
        let (coordinate, number) = self.split.key(blueprint, block);
        let before = &mut self.split.before;
        if coordinate == before.0 && before.1 == u32::MAX {
            match self.rest {
                0 => before.1 = number,
                _ => self.rest -= 1,
            }
        }
    }

    /// Two blocks of the piece with a cable.
    fn weigh(&mut self, blueprint: &dyn Blueprint, one: BlockId, other: BlockId) {
        let [one, other] = [one, other].map(|block| self.split.is_first(blueprint, block));
        self.crossing += u32::from(one != other);
    }
}

impl Split {
    fn key(self, blueprint: &dyn Blueprint, block: BlockId) -> Key {
        let is_coordinate = self.dimension < blueprint.dimensions();
        let coordinate = is_coordinate.then(|| blueprint.coordinate(block, self.dimension));
        (coordinate.unwrap_or(0), block.0)
    }

    fn is_first(self, blueprint: &dyn Blueprint, block: BlockId) -> bool {
        self.key(blueprint, block) < self.before
    }
}

/// The first rank of the second half.
fn middle(piece: &Range<usize>) -> usize {
    piece.start + piece.len() / 2
}
#[cfg(test)]
mod tests {
    use super::*;

    fn crossing_cables(text: &str, ranks: usize) -> (usize, usize) {
        let spec = mkns_spec::parse(text).expect("a valid spec");
        let network = mkns_topology::build(&spec);
        let cut = match mkns_topology::blueprint(&spec) {
            Some(blueprint) => Cut::of(blueprint, ranks),
            None => Cut::of_graph(&network, ranks),
        };
        let sizes: Vec<usize> = (0..ranks).map(|rank| cut.blocks_of(rank).count()).collect();
        let (least, most) = (sizes.iter().min(), sizes.iter().max());
        assert!(
            most.zip(least)
                .is_some_and(|(most, least)| most - least <= ranks),
            "{sizes:?}"
        );
        let rank = |end: mkns_topology::End| cut.rank_of(end.block);
        let cables = network.cables.iter();
        let crossing = cables
            .filter(|cable| rank(cable.a) != rank(cable.b))
            .count();
        (crossing, network.cables.len())
    }

    #[test]
    fn pieces_are_equal_and_few_cables_lie_between_them() {
        // A torus falls apart along planes: two of 8 · 8 cables.
        assert_eq!(crossing_cables("torus(8x8x8,1)", 2), (128, 1536));
        assert_eq!(crossing_cables("torus(8x8x8,1)", 4).0, 256);
        for text in [
            "MKNS(2,8x10x10,3,1)",
            "fat_tree(6,2)",
            "slim_fly(5,1)",
            "hypercube(5)",
        ] {
            for ranks in [2, 3, 5] {
                let (crossing, all) = crossing_cables(text, ranks);
                assert!(
                    crossing * 10 < all * 9,
                    "{text} on {ranks}: {crossing} of {all}"
                );
            }
        }
    }
}
