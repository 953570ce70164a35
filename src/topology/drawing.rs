//! A network while it is drawn: adapter blocks on a grid first, then switch blocks and cables in any
//! order; `finish` sorts the cables and numbers the compute modules.

use super::{Block, BlockId, BlockRole, Cable, CableKind, End, Network, PortIndex, Terminal};

/// Letters of dimensions 1…8 in names.
pub const DIMENSION_LETTERS: [char; 8] = ['x', 'y', 'z', 'w', 'u', 'v', 's', 't'];

/// The adapter blocks of a grid by their coordinates, dimension 1 fastest.
#[derive(Debug, Clone)]
pub struct Grid {
    sizes: Vec<u32>,
}

impl Grid {
    pub fn new(sizes: Vec<u32>) -> Self {
        Self { sizes }
    }

    /// Number of adapter blocks.
    pub fn nodes(&self) -> u32 {
        self.sizes.iter().product()
    }

    /// Mixed-radix digits of a node number.
    pub fn coordinates(&self, node: u32) -> Vec<u32> {
        let mut rest = node;
        let digits = self.sizes.iter().map(|&size| {
            let digit = rest % size;
            rest /= size;
            digit
        });
        digits.collect()
    }

    /// Number of the node at these coordinates.
    pub fn node(&self, coordinates: &[u32]) -> u32 {
        let places = self.sizes.iter().zip(coordinates).rev();
        places.fold(0, |node, (size, coordinate)| node * size + coordinate)
    }

    /// Coordinates of the first node of every line along dimension index `i`, in node order.
    pub fn lines(&self, i: usize) -> Vec<Vec<u32>> {
        let mut across = self.clone();
        across.sizes[i] = 1;
        (0..across.nodes())
            .map(|line| across.coordinates(line))
            .collect()
    }

    /// The adapter block at `coordinate` of the line along dimension index `i`.
    pub fn on_line(&self, line: &[u32], i: usize, coordinate: u32) -> BlockId {
        let mut at = line.to_vec();
        at[i] = coordinate;
        BlockId(self.node(&at))
    }
}

/// Blocks and cables so far.
#[derive(Debug)]
pub struct Drawing {
    vms_per_node: u32,
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
        let adapter = |coordinates: Vec<u32>| {
            let digits: Vec<String> = coordinates.iter().map(u32::to_string).collect();
            Block {
                name: format!("ab_{}", digits.join("_")),
                role: BlockRole::Adapter,
                coordinates,
                network_ports: ports as u8,
                pcie_ports: vms_per_node as u8,
            }
        };
        Self {
            vms_per_node,
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
        self.cables.push(Cable {
            a: a.min(b),
            b: a.max(b),
            dimension: i as u8 + 1,
            kind,
        });
    }

    /// The network.
    pub fn finish(mut self, name: &str) -> Network {
        self.cables.sort_unstable_by_key(|cable| (cable.a, cable.b));
        let adapters = self.blocks.iter().zip(0..);
        let adapters = adapters.filter(|(block, _)| block.role == BlockRole::Adapter);
        let per_node = self.vms_per_node;
        let terminals = adapters.flat_map(|(_, node)| {
            (0..per_node).map(move |pcie_port| Terminal {
                vm: node * per_node + pcie_port,
                block: BlockId(node),
                pcie_port: pcie_port as u8,
            })
        });
        Network {
            name: name.to_owned(),
            terminals: terminals.collect(),
            blocks: self.blocks,
            cables: self.cables,
        }
    }
}
