//! The MKNS family: a direct mesh in dimension 1, switch blocks, assemblies or meshes in the others.
//!
//! Port numbers follow the paper's worked examples exactly (digest 0.4–0.6): see
//! [`crate::spec::PortPlan`] for adapter blocks; a switch block's port is the coordinate of the adapter block on it.

use super::assembly::{AssemblyShape, LEAVES, SPINES};
use super::{Block, BlockId, BlockRole, Cable, CableKind, End, Network, PortIndex, Terminal};
use crate::spec::{Dimension, Join, MknsSpec, PortPlan, port_plan};

/// The whole graph of an MKNS network.
pub fn build(name: &str, spec: &MknsSpec) -> Network {
    let mut builder = Builder {
        spec,
        plan: port_plan(spec).expect("a validated spec has a port plan"),
        sizes: std::array::from_fn(|i| spec.dimensions.get(i).map_or(1, |d| d.size)),
        blocks: Vec::new(),
        cables: Vec::new(),
    };
    builder.adapters();
    for (i, dimension) in spec.dimensions.iter().enumerate() {
        for line in builder.lines(i) {
            builder.join_line(i, *dimension, line);
        }
    }
    builder
        .cables
        .sort_unstable_by_key(|cable| (cable.a, cable.b));
    Network {
        name: name.to_owned(),
        terminals: builder.terminals(),
        blocks: builder.blocks,
        cables: builder.cables,
    }
}

struct Builder<'a> {
    spec: &'a MknsSpec,
    plan: PortPlan,
    /// K1…K4, 1 where the network has no such dimension.
    sizes: [u32; 4],
    blocks: Vec<Block>,
    cables: Vec<Cable>,
}

impl Builder<'_> {
    fn adapters(&mut self) {
        let nodes: u32 = self.sizes.iter().product();
        for node in 0..nodes {
            let coordinates = coordinates_of(node, self.sizes);
            let [x, y, z, w] = coordinates;
            self.blocks.push(Block {
                name: format!("ab_{x}_{y}_{z}_{w}"),
                role: BlockRole::Adapter,
                coordinates,
                network_ports: self.spec.ports as u8,
                pcie_ports: self.spec.vms_per_node as u8,
            });
        }
    }

    /// Coordinates of the first adapter block of every line along dimension index `i`, in node order.
    fn lines(&self, i: usize) -> Vec<[u32; 4]> {
        let mut sizes = self.sizes;
        sizes[i] = 1;
        let count: u32 = sizes.iter().product();
        (0..count).map(|line| coordinates_of(line, sizes)).collect()
    }

    fn adapter(&self, line: [u32; 4], i: usize, coordinate: u32) -> BlockId {
        let mut at = line;
        at[i] = coordinate;
        let node = (0..4).rev().fold(0, |node, k| node * self.sizes[k] + at[k]);
        BlockId(node)
    }

    fn join_line(&mut self, i: usize, dimension: Dimension, line: [u32; 4]) {
        match dimension.join {
            Join::DirectMesh => self.mesh_line(i, dimension.size, line),
            Join::SwitchBlock => {
                let role = BlockRole::Switch {
                    dimension: i as u8 + 1,
                };
                let switch = self.switch(format!("kb_{}", self.line_name(i, line)), role, line);
                for coordinate in 0..dimension.size {
                    let adapter = end(self.adapter(line, i, coordinate), self.switch_port(i));
                    let port = PortIndex(coordinate as u8);
                    self.cable(adapter, end(switch, port), i, CableKind::Switch);
                }
            }
            Join::SwitchAssembly => self.assembly_line(i, dimension.size, line),
        }
    }

    fn mesh_line(&mut self, i: usize, size: u32, line: [u32; 4]) {
        for low in 0..size {
            for high in low + 1..size {
                let a = adapter_port(self.plan.mesh_port(i, low, high));
                let b = adapter_port(self.plan.mesh_port(i, high, low));
                let (low, high) = (self.adapter(line, i, low), self.adapter(line, i, high));
                self.cable(end(low, a), end(high, b), i, CableKind::Mesh);
            }
        }
    }

    fn assembly_line(&mut self, i: usize, size: u32, line: [u32; 4]) {
        let shape = AssemblyShape::new(self.spec.ports);
        let dimension = i as u8 + 1;
        let name = format!("ksb_{}", self.line_name(i, line));
        let leaves = [0, 1, 2, 3].map(|leaf| {
            let role = BlockRole::AssemblyLeaf { dimension, leaf };
            self.switch(format!("{name}_leaf{leaf}"), role, line)
        });
        let spines = [0, 1].map(|spine| {
            let role = BlockRole::AssemblySpine { dimension, spine };
            self.switch(format!("{name}_spine{spine}"), role, line)
        });
        for coordinate in 0..size {
            let (leaf, leaf_port) = shape.external(coordinate);
            let adapter = end(self.adapter(line, i, coordinate), self.switch_port(i));
            let external = end(leaves[usize::from(leaf)], leaf_port);
            self.cable(adapter, external, i, CableKind::Switch);
        }
        for leaf in 0..LEAVES {
            for spine in 0..SPINES {
                for link in 0..shape.links(leaf, spine) {
                    let up = shape.leaf_port(leaf, spine, link);
                    let down = shape.spine_port(leaf, spine, link);
                    let a = end(leaves[usize::from(leaf)], up);
                    let b = end(spines[usize::from(spine)], down);
                    self.cable(a, b, i, CableKind::AssemblyInternal);
                }
            }
        }
    }

    /// Port of an adapter block that leads to the switch block or assembly of dimension index `i`.
    fn switch_port(&self, i: usize) -> PortIndex {
        adapter_port(self.plan.switch_port(i))
    }

    fn switch(&mut self, name: String, role: BlockRole, coordinates: [u32; 4]) -> BlockId {
        self.blocks.push(Block {
            name,
            role,
            coordinates,
            network_ports: self.spec.ports as u8,
            pcie_ports: 0,
        });
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Dimension letter and the coordinates of the line in the other dimensions: `z1_2`.
    fn line_name(&self, i: usize, line: [u32; 4]) -> String {
        let others: Vec<String> = (0..self.spec.dimensions.len())
            .filter(|&k| k != i)
            .map(|k| line[k].to_string())
            .collect();
        format!("{}{}", DIMENSION_LETTERS[i], others.join("_"))
    }

    fn cable(&mut self, a: End, b: End, i: usize, kind: CableKind) {
        self.cables.push(Cable {
            a: a.min(b),
            b: a.max(b),
            dimension: i as u8 + 1,
            kind,
        });
    }

    fn terminals(&self) -> Vec<Terminal> {
        let per_node = self.spec.vms_per_node;
        let nodes: u32 = self.sizes.iter().product();
        (0..nodes * per_node)
            .map(|vm| Terminal {
                vm,
                block: BlockId(vm / per_node),
                pcie_port: (vm % per_node) as u8,
            })
            .collect()
    }
}

/// Letters of dimensions 1…4 in names.
const DIMENSION_LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

/// Index of the paper's port number on an adapter block.
fn adapter_port(number: u32) -> PortIndex {
    PortIndex(number as u8 - 1)
}

fn end(block: BlockId, port: PortIndex) -> End {
    End { block, port }
}

/// Mixed-radix digits of `node`, dimension 1 fastest.
fn coordinates_of(node: u32, sizes: [u32; 4]) -> [u32; 4] {
    let mut rest = node;
    sizes.map(|size| {
        let digit = rest % size;
        rest /= size;
        digit
    })
}
