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
use mkns_topology::{BlockId, Graph, Network, NetworkLayout};

/// About this many blocks say where their cables lead when halves are compared.
const SAMPLE: u32 = 1 << 16;

/// How a network is cut into pieces for ranks; equal networks are cut alike.
#[derive(Debug)]
pub struct Partitioning {
    pub ranks: usize,
    /// Of the whole network.
    pub blocks: u32,
    owners: Owners,
}

/// The rank of every block.
#[derive(Debug)]
enum Owners {
    Computed(Arc<dyn NetworkLayout>, Splits),
    Listed(Vec<u32>),
}

/// A coordinate and the number of a block; by number alone the coordinate is 0.
type Key = (u32, u32);

/// Where a block is.
struct Spot {
    block: u32,
    place: Vec<u32>,
}

/// Where a piece is halved: before a key, with the coordinate of a dimension index. Beyond the last one all coordinates
/// are 0: by number alone.
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
    /// Of the piece.
    ranks: Range<usize>,
    split: Split,
    /// How many blocks of the piece have a coordinate.
    counts: BTreeMap<u32, u32>,
    /// Blocks with the coordinate of the split that go into the first half.
    rest: u32,
    /// Ends of cables between the halves, among those looked at.
    crossing: u32,
}

/// The ways to halve all pieces of a network, by the first rank of the second half.
struct Halvings<'a> {
    layout: &'a dyn NetworkLayout,
    /// What has been halved before, this many times.
    splits: &'a Splits,
    depth: usize,
    ways: BTreeMap<usize, Vec<Halving>>,
}

impl Partitioning {
    /// Cuts a network without its graph.
    pub fn of(layout: Arc<dyn NetworkLayout>, ranks: usize) -> Partitioning {
        let splits = Splits::of(&*layout, ranks);
        Partitioning {
            ranks,
            blocks: layout.blocks(),
            owners: Owners::Computed(layout, splits),
        }
    }

    /// Cuts a graph, which is not needed afterwards.
    pub fn of_graph(network: &Network, ranks: usize) -> Partitioning {
        let graph = Graph::of(network);
        let splits = Splits::of(&graph, ranks);
        let owner = |block| splits.rank_of(&Spot::of(&graph, block)) as u32;
        Partitioning {
            ranks,
            blocks: graph.blocks(),
            owners: Owners::Listed(network.block_ids().map(owner).collect()),
        }
    }

    /// The rank that has a block.
    pub fn rank_of(&self, block: BlockId) -> usize {
        match &self.owners {
            Owners::Computed(layout, splits) => splits.rank_of(&Spot::of(&**layout, block)),
            Owners::Listed(ranks) => ranks[block.0 as usize] as usize,
        }
    }

    /// Numbers of the blocks of a rank, ascending.
    pub fn blocks_of(&self, rank: usize) -> impl Iterator<Item = u32> {
        (0..self.blocks).filter(move |&block| self.rank_of(BlockId(block)) == rank)
    }
}

impl Splits {
    fn of(layout: &dyn NetworkLayout, ranks: usize) -> Splits {
        let mut splits = Splits(vec![Split::default(); ranks]);
        for depth in 0..ranks.next_power_of_two().ilog2() as usize {
            let mut halvings = Halvings {
                layout,
                splits: &splits,
                depth,
                ways: BTreeMap::new(),
            };
            halvings.find_splits();
            halvings.weigh();
            for (middle, split) in halvings.fewest() {
                splits.0[middle] = split;
            }
        }
        splits
    }

    fn rank_of(&self, spot: &Spot) -> usize {
        self.piece_of(spot, usize::MAX).start
    }

    /// The piece that has a block after this many halvings.
    fn piece_of(&self, spot: &Spot, halvings: usize) -> Range<usize> {
        let mut piece = 0..self.0.len();
        for _ in 0..halvings {
            if piece.len() == 1 {
                break;
            }
            let middle = middle(&piece);
            piece = match self.0[middle].is_first(spot) {
                true => piece.start..middle,
                false => middle..piece.end,
            };
        }
        piece
    }
}

impl Halvings<'_> {
    fn spots(&self) -> impl Iterator<Item = Spot> + use<'_> {
        let blocks = (0..self.layout.blocks()).map(BlockId);
        blocks.map(|block| Spot::of(self.layout, block))
    }

    fn piece_of(&self, spot: &Spot) -> Range<usize> {
        self.splits.piece_of(spot, self.depth)
    }

    /// The splits of all ways: blocks are counted, then looked at again.
    fn find_splits(&mut self) {
        let (layout, mut ways) = (self.layout, BTreeMap::new());
        for spot in self.spots() {
            let piece = self.piece_of(&spot);
            if piece.len() > 1 {
                let new = || Halving::all(&piece, layout.dimensions());
                let ways: &mut Vec<Halving> = ways.entry(middle(&piece)).or_insert_with(new);
                ways.iter_mut().for_each(|way| way.count(&spot));
            }
        }
        ways.values_mut().flatten().for_each(Halving::settle);
        for spot in self.spots() {
            let ways = ways.get_mut(&middle(&self.piece_of(&spot)));
            ways.into_iter().flatten().for_each(|way| way.find(&spot));
        }
        self.ways = ways;
    }

    /// Counts the cables that each way cuts.
    fn weigh(&mut self) {
        let mut ways = std::mem::take(&mut self.ways);
        let stride = u64::from(self.layout.blocks().div_ceil(SAMPLE));
        let is_in = |spot: &Spot| mix(spot.block.into()).is_multiple_of(stride);
        for spot in self.spots().filter(is_in) {
            let (piece, block) = (self.piece_of(&spot), BlockId(spot.block));
            let Some(ways) = ways.get_mut(&middle(&piece)) else {
                continue;
            };
            for cable in self.layout.cables(block) {
                let other = Spot::of(self.layout, cable.other_end(block).block);
                if self.piece_of(&other) == piece {
                    ways.iter_mut().for_each(|way| way.weigh(&spot, &other));
                }
            }
        }
        self.ways = ways;
    }

    /// Of every piece the split that cuts fewest.
    fn fewest(self) -> Vec<(usize, Split)> {
        let ways = self.ways.into_iter();
        let fewest = ways.filter_map(|(middle, ways)| {
            let way = ways.into_iter().min_by_key(|way| way.crossing)?;
            Some((middle, way.split))
        });
        fewest.collect()
    }
}

impl Halving {
    /// By number, and by every dimension.
    fn all(ranks: &Range<usize>, dimensions: usize) -> Vec<Halving> {
        let new = |dimension| Halving {
            ranks: ranks.clone(),
            split: Split {
                dimension,
                before: Key::default(),
            },
            counts: BTreeMap::new(),
            rest: 0,
            crossing: 0,
        };
        (0..=dimensions).rev().map(new).collect()
    }

    /// A block of the piece.
    fn count(&mut self, spot: &Spot) {
        let (coordinate, _) = self.split.key(spot);
        *self.counts.entry(coordinate).or_default() += 1;
    }

    /// When all blocks are counted: with which coordinate the second half begins.
    fn settle(&mut self) {
        let all: usize = self.counts.values().map(|&count| count as usize).sum();
        let first = middle(&self.ranks) - self.ranks.start;
        self.rest = (all * first / self.ranks.len()) as u32;
        for (&coordinate, &count) in &self.counts {
            self.split.before = (coordinate, u32::MAX);
            if self.rest < count {
                break;
            }
            self.rest -= count;
        }
    }

    /// A block of the piece again, by ascending numbers: with which number the second half begins.
    fn find(&mut self, spot: &Spot) {
        let (coordinate, number) = self.split.key(spot);
        let before = &mut self.split.before;
        if coordinate == before.0 && before.1 == u32::MAX {
            match self.rest {
                0 => before.1 = number,
                _ => self.rest -= 1,
            }
        }
    }

    /// Two blocks of the piece with a cable.
    fn weigh(&mut self, one: &Spot, other: &Spot) {
        self.crossing += u32::from(self.split.is_first(one) != self.split.is_first(other));
    }
}

impl Spot {
    fn of(layout: &dyn NetworkLayout, block: BlockId) -> Spot {
        Spot {
            place: layout.place(block),
            block: block.0,
        }
    }
}

impl Split {
    fn key(self, spot: &Spot) -> Key {
        let coordinate = spot.place.get(self.dimension).copied();
        (coordinate.unwrap_or(0), spot.block)
    }

    fn is_first(self, spot: &Spot) -> bool {
        self.key(spot) < self.before
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
        let partitioning = match mkns_topology::layout(&spec) {
            Some(layout) => Partitioning::of(layout, ranks),
            None => Partitioning::of_graph(&network, ranks),
        };
        let sizes: Vec<usize> = (0..ranks)
            .map(|rank| partitioning.blocks_of(rank).count())
            .collect();
        let (least, most) = (sizes.iter().min(), sizes.iter().max());
        assert!(
            most.zip(least)
                .is_some_and(|(most, least)| most - least <= ranks),
            "{sizes:?}"
        );
        let rank = |end: mkns_topology::End| partitioning.rank_of(end.block);
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
