//! A network while it is drawn: adapter blocks on a grid first, then switch blocks and cables in any
//! order; `finish` sorts the cables and numbers the hosts.

use super::{Block, BlockId, BlockRole, Cable, CableKind, End, HostAttachment, Network, PortIndex};

/// Letters of dimensions 1…8 in names.
pub const DIMENSION_LETTERS: [char; 8] = ['x', 'y', 'z', 'w', 'u', 'v', 's', 't'];

/// The adapter blocks of a grid by their coordinates, dimension 1 fastest.
#[derive(Debug, Clone)]
pub struct Grid {
    sizes: Vec<u32>,
    /// Distances of the numbers of neighbours.
    strides: Vec<u32>,
}

impl Grid {
    pub fn new(sizes: Vec<u32>) -> Self {
        let strides = sizes.iter().scan(1, |next, size| {
            let stride = *next;
            *next *= size;
            Some(stride)
        });
        Self {
            strides: strides.collect(),
            sizes,
        }
    }

    /// Number of adapter blocks.
    pub fn nodes(&self) -> u32 {
        self.sizes.iter().product()
    }

    /// Mixed-radix digits of a node number.
    pub fn coordinates(&self, node: u32) -> Vec<u32> {
        let dimensions = 0..self.sizes.len();
        dimensions.map(|i| self.coordinate(node, i)).collect()
    }

    /// Number of the node at these coordinates.
    pub fn node(&self, coordinates: &[u32]) -> u32 {
        let places = self.sizes.iter().zip(coordinates).rev();
        places.fold(0, |node, (size, coordinate)| node * size + coordinate)
    }

    /// Nodes along dimension index `i`.
    pub fn size(&self, i: usize) -> u32 {
        self.sizes[i]
    }

    /// Distance of the numbers of two neighbours along dimension index `i`.
    pub fn stride(&self, i: usize) -> u32 {
        self.strides[i]
    }

    /// A node's coordinate of dimension index `i`.
    pub fn coordinate(&self, node: u32, i: usize) -> u32 {
        node / self.stride(i) % self.sizes[i]
    }

    /// The node at `coordinate` of the line along dimension index `i` on which `node` is.
    pub fn on_line(&self, node: u32, i: usize, coordinate: u32) -> u32 {
        let stride = self.stride(i);
        node - self.coordinate(node, i) * stride + coordinate * stride
    }

    /// Number of lines along dimension index `i`.
    pub fn lines(&self, i: usize) -> u32 {
        self.nodes() / self.sizes[i]
    }
}

/// Blocks and cables so far.
#[derive(Debug)]
pub struct Drawing {
    blocks: Vec<Block>,
    cables: Vec<Cable>,
}

impl Drawing {
    /// All adapter blocks of a grid, with `ports` (d) network ports each.
    pub fn new(grid: &Grid, ports: u32, vms_per_node: u32) -> Self {
        let nodes = (0..grid.nodes()).map(|node| grid.coordinates(node));
        Self::with_adapters(nodes, ports, vms_per_node)
    }

    /// Adapter blocks at these coordinates, with `ports` (d) network ports each.
    pub fn with_adapters(
        coordinates: impl Iterator<Item = Vec<u32>>,
        ports: u32,
        vms_per_node: u32,
    ) -> Self {
        let adapter = |coordinates| Block::adapter(coordinates, ports, vms_per_node);
        Self {
            blocks: coordinates.map(adapter).collect(),
            cables: Vec::new(),
        }
    }

    /// One more switch block, with `ports` (d) ports.
    pub fn switch(
        &mut self,
        name: String,
        role: BlockRole,
        coordinates: Vec<u32>,
        ports: u32,
    ) -> BlockId {
        self.blocks.push(Block {
            name,
            role,
            coordinates,
            network_ports: ports as u8,
            pcie_ports: 0,
        });
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// A cable of dimension index `i`; each end is a block and its port.
    pub fn cable(
        &mut self,
        a: (BlockId, PortIndex),
        b: (BlockId, PortIndex),
        i: usize,
        kind: CableKind,
    ) {
        let [a, b] = [a, b].map(|(block, port)| End { block, port });
        self.cables.push(Cable::between(a, b, i, kind));
    }

    /// The network.
    pub fn finish(mut self, name: &str) -> Network {
        self.cables.sort_unstable_by_key(|cable| (cable.a, cable.b));
        Network {
            name: name.to_owned(),
            hosts: HostAttachment::of_blocks(&self.blocks, |block| block),
            blocks: self.blocks,
            cables: self.cables,
        }
    }
}
