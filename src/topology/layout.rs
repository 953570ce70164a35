//! Networks of which any block can be made by itself, because its cables follow from its number; and subgraphs of them:
//! some blocks with what lies around them, so that nobody needs the graph of the whole.

use std::collections::BTreeSet;
use std::fmt::Debug;

use super::{Block, BlockId, Cable, End, HostAttachment, Network, NetworkIndex};

/// A network block by block, in the order and with the numbers of its graph.
pub trait NetworkLayout: Debug + Send + Sync {
    /// How many blocks there are.
    fn blocks(&self) -> u32;

    /// Coordinates of a block at most.
    fn dimensions(&self) -> usize;

    /// Coordinates of a block. One that joins a whole line is somewhere on it.
    fn place(&self, block: BlockId) -> Vec<u32>;

    /// The block itself.
    fn block(&self, block: BlockId) -> Block;

    /// The cables of a block, by its ports.
    fn cables(&self, block: BlockId) -> Vec<Cable>;

    /// The blocks around one: those at the other ends of its cables, and of a switch assembly all of its line. The usual
    /// routes of a block follow from these.
    fn around(&self, block: BlockId) -> Vec<BlockId> {
        other_ends(block, self.cables(block))
    }
}

/// The blocks at the other ends of a block's cables.
pub(crate) fn other_ends(block: BlockId, cables: Vec<Cable>) -> Vec<BlockId> {
    let ends = cables.iter().map(|cable| cable.other_end(block).block);
    ends.collect()
}

/// A graph asked block by block.
#[derive(Debug)]
pub struct Graph<'a> {
    network: &'a Network,
    index: NetworkIndex,
}

impl<'a> Graph<'a> {
    pub fn of(network: &'a Network) -> Self {
        let index = network.index();
        Self { network, index }
    }
}

impl NetworkLayout for Graph<'_> {
    fn blocks(&self) -> u32 {
        self.network.blocks.len() as u32
    }

    fn dimensions(&self) -> usize {
        let coordinates = self.network.blocks.iter();
        let dimensions = coordinates.map(|block| block.coordinates.len());
        dimensions.max().unwrap_or(0)
    }

    fn place(&self, block: BlockId) -> Vec<u32> {
        self.network.block(block).coordinates.clone()
    }

    fn block(&self, block: BlockId) -> Block {
        self.network.block(block).clone()
    }

    /// Those by which it sends.
    fn cables(&self, block: BlockId) -> Vec<Cable> {
        let links = self.index.links(block);
        links
            .map(|(_, link)| self.network.cables[link.cable as usize])
            .collect()
    }
}

/// Some blocks of a network as a network of their own, with numbers of their own; its hosts keep theirs.
#[derive(Debug)]
pub struct Subgraph {
    pub network: Network,
    /// By block of the subgraph, ascending: its number in the whole.
    pub numbers: Vec<u32>,
}

impl Subgraph {
    /// These blocks, ascending, and those around each.
    pub fn around(name: &str, layout: &dyn NetworkLayout, mut numbers: Vec<u32>) -> Subgraph {
        let around = numbers.iter().flat_map(|&id| layout.around(BlockId(id)));
        let others = around.map(|block| block.0);
        let others: BTreeSet<u32> = others
            .filter(|id| numbers.binary_search(id).is_err())
            .collect();
        numbers.extend(others);
        numbers.sort_unstable();
        Self::of(name, layout, numbers)
    }

    /// These blocks, ascending, and the cables between them.
    fn of(name: &str, layout: &dyn NetworkLayout, numbers: Vec<u32>) -> Subgraph {
        let place = |end: End| {
            let place = numbers.binary_search(&end.block.0).ok()?;
            let block = BlockId(place as u32);
            Some(End { block, ..end })
        };
        // Each from its first end, so that they come in the order of a graph.
        let cables = |&id: &u32| {
            let all = layout.cables(BlockId(id)).into_iter();
            let own = all.filter(move |cable| cable.a.block.0 == id);
            own.filter_map(|cable| {
                let (a, b) = (place(cable.a)?, place(cable.b)?);
                Some(Cable { a, b, ..cable })
            })
        };
        let cables = numbers.iter().flat_map(cables).collect();
        let blocks = numbers.iter().map(|&id| layout.block(BlockId(id)));
        let blocks: Vec<Block> = blocks.collect();
        let network = Network {
            name: name.to_owned(),
            hosts: HostAttachment::of_blocks(&blocks, |block| numbers[block as usize]),
            blocks,
            cables,
        };
        Subgraph { network, numbers }
    }

    /// All of a network.
    pub fn whole(network: Network) -> Subgraph {
        let numbers = (0..network.blocks.len() as u32).collect();
        Subgraph { network, numbers }
    }
}

/// The graph of all blocks.
pub(crate) fn graph(name: &str, layout: &dyn NetworkLayout) -> Network {
    Subgraph::of(name, layout, (0..layout.blocks()).collect()).network
}
