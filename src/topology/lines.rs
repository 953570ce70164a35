//! Networks of lines: MKNS (a direct mesh in dimension 1, switch blocks, assemblies or meshes in the
//! others), KNS (switch blocks) and HyperX (meshes).
//!
//! Port numbers of MKNS follow the paper's worked examples exactly: see
//! [`mkns_spec::PortPlan`] for adapter blocks; a switch block's port is the coordinate of the
//! adapter block on it.

use super::assembly::{AssemblyShape, LEAVES, SPINES};
use super::drawing::{DIMENSION_LETTERS, Grid};
use super::layout::{NetworkLayout, other_ends};
use super::{Block, BlockId, BlockRole, Cable, CableKind, End, PortIndex};
use mkns_spec::{Join, Lines};

/// A network of lines block by block.
#[derive(Debug)]
pub struct LinesLayout {
    lines: Lines,
    grid: Grid,
    shape: AssemblyShape,
    /// By dimension index, the first of its switch blocks, and the number of all blocks at the end.
    firsts: Vec<u32>,
}

/// A block of a line that is not an adapter block.
#[derive(Clone, Copy)]
enum Unit {
    Switch,
    Leaf(u8),
    Spine(u8),
}

/// What a block is in the network.
enum Member {
    Adapter,
    /// Of the line along dimension index `i` that begins at adapter block `base`.
    Line {
        i: usize,
        base: u32,
        unit: Unit,
    },
}

impl LinesLayout {
    pub fn new(lines: Lines) -> Self {
        let mut sizes: Vec<u32> = lines.dimensions.iter().map(|d| d.size).collect();
        sizes.resize(lines.coordinates, 1);
        let grid = Grid::new(sizes);
        let mut firsts = vec![grid.nodes()];
        for (i, dimension) in lines.dimensions.iter().enumerate() {
            let switches = grid.lines(i) * units(dimension.join);
            firsts.push(firsts[i] + switches);
        }
        Self {
            shape: AssemblyShape::new(lines.ports),
            grid,
            lines,
            firsts,
        }
    }

    fn member(&self, BlockId(id): BlockId) -> Member {
        if id < self.firsts[0] {
            return Member::Adapter;
        }
        let i = self.firsts.partition_point(|&first| first <= id) - 1;
        let (join, number) = (self.lines.dimensions[i].join, id - self.firsts[i]);
        let (line, unit) = (number / units(join), (number % units(join)) as u8);
        let unit = match join {
            Join::SwitchAssembly if unit < LEAVES => Unit::Leaf(unit),
            Join::SwitchAssembly => Unit::Spine(unit - LEAVES),
            _ => Unit::Switch,
        };
        let stride = self.grid.stride(i);
        let base = line / stride * stride * self.grid.size(i) + line % stride;
        Member::Line { i, base, unit }
    }

    /// Block number `unit` besides its adapter blocks of the line along dimension index `i` on which `node` is.
    fn unit(&self, i: usize, node: u32, unit: u8) -> BlockId {
        let (stride, size) = (self.grid.stride(i), self.grid.size(i));
        let line = node / (stride * size) * stride + node % stride;
        let join = self.lines.dimensions[i].join;
        BlockId(self.firsts[i] + line * units(join) + u32::from(unit))
    }

    /// The cable between the coordinates `own` and `other` of a direct mesh.
    fn mesh_cable(&self, i: usize, node: u32, own: u32, other: u32) -> Cable {
        let end = |own, towards| End {
            block: BlockId(self.grid.on_line(node, i, own)),
            port: adapter_port(self.lines.plan.mesh_port(i, own, towards)),
        };
        Cable::between(end(own, other), end(other, own), i, CableKind::Mesh)
    }

    /// The cable between the adapter block at a coordinate and the switch block or assembly of its line.
    fn switch_cable(&self, i: usize, node: u32, coordinate: u32) -> Cable {
        let adapter = End {
            block: BlockId(self.grid.on_line(node, i, coordinate)),
            port: adapter_port(self.lines.plan.switch_port(i)),
        };
        let (unit, port) = match self.lines.dimensions[i].join {
            Join::SwitchAssembly => self.shape.external(coordinate),
            _ => (0, PortIndex(coordinate as u8)),
        };
        let block = self.unit(i, node, unit);
        Cable::between(adapter, End { block, port }, i, CableKind::Switch)
    }

    /// The cables between a leaf and a spine of an assembly.
    fn inner_cables(
        &self,
        i: usize,
        base: u32,
        leaf: u8,
        spine: u8,
    ) -> impl Iterator<Item = Cable> + use<'_> {
        (0..self.shape.links(leaf, spine)).map(move |link| {
            let up = End {
                block: self.unit(i, base, leaf),
                port: self.shape.leaf_port(leaf, spine, link),
            };
            let down = End {
                block: self.unit(i, base, LEAVES + spine),
                port: self.shape.spine_port(leaf, spine, link),
            };
            Cable::between(up, down, i, CableKind::AssemblyInternal)
        })
    }

    fn adapter_cables(&self, node: u32) -> Vec<Cable> {
        let mut cables = Vec::new();
        for (i, dimension) in self.lines.dimensions.iter().enumerate() {
            let own = self.grid.coordinate(node, i);
            if dimension.join == Join::DirectMesh {
                let others = (0..dimension.size).filter(|&other| other != own);
                cables.extend(others.map(|other| self.mesh_cable(i, node, own, other)));
            } else {
                cables.push(self.switch_cable(i, node, own));
            }
        }
        // A mesh has ports wherever some are left.
        cables.sort_unstable_by_key(|cable| match cable.a.block.0 == node {
            true => cable.a.port,
            false => cable.b.port,
        });
        cables
    }

    /// Dimension letter and the coordinates of the line in the other dimensions: `z1_2`.
    fn line_name(&self, i: usize, line: &[u32]) -> String {
        let others = (0..self.lines.dimensions.len()).filter(|&k| k != i);
        let others: Vec<String> = others.map(|k| line[k].to_string()).collect();
        format!("{}{}", DIMENSION_LETTERS[i], others.join("_"))
    }
}

impl NetworkLayout for LinesLayout {
    fn blocks(&self) -> u32 {
        *self.firsts.last().expect("that of the adapter blocks")
    }

    fn dimensions(&self) -> usize {
        self.lines.dimensions.len()
    }

    fn place(&self, block: BlockId) -> Vec<u32> {
        let Member::Line { i, base, .. } = self.member(block) else {
            return self.grid.coordinates(block.0);
        };
        let mut place = self.grid.coordinates(base);
        // Those of all lines are spread evenly.
        place[i] = place.iter().sum::<u32>() % self.grid.size(i);
        place
    }

    fn block(&self, block: BlockId) -> Block {
        let ports = self.lines.ports;
        let Member::Line { i, base, unit } = self.member(block) else {
            let coordinates = self.grid.coordinates(block.0);
            return Block::adapter(coordinates, ports, self.lines.vms_per_node);
        };
        let coordinates = self.grid.coordinates(base);
        let (dimension, line) = (i as u8 + 1, self.line_name(i, &coordinates));
        let (name, role) = match unit {
            Unit::Switch => (format!("kb_{line}"), BlockRole::Switch { dimension }),
            Unit::Leaf(leaf) => (
                format!("ksb_{line}_leaf{leaf}"),
                BlockRole::AssemblyLeaf { dimension, leaf },
            ),
            Unit::Spine(spine) => (
                format!("ksb_{line}_spine{spine}"),
                BlockRole::AssemblySpine { dimension, spine },
            ),
        };
        Block {
            name,
            role,
            coordinates,
            network_ports: ports as u8,
            pcie_ports: 0,
        }
    }

    fn cables(&self, block: BlockId) -> Vec<Cable> {
        let Member::Line { i, base, unit } = self.member(block) else {
            return self.adapter_cables(block.0);
        };
        let all = 0..self.lines.dimensions[i].size;
        let to_adapter = |coordinate| self.switch_cable(i, base, coordinate);
        match unit {
            Unit::Switch => all.map(to_adapter).collect(),
            Unit::Leaf(leaf) => {
                let own = all.filter(|&at| self.shape.external(at).0 == leaf);
                let up = (0..SPINES).flat_map(|spine| self.inner_cables(i, base, leaf, spine));
                own.map(to_adapter).chain(up).collect()
            }
            Unit::Spine(spine) => (0..LEAVES)
                .flat_map(|leaf| self.inner_cables(i, base, leaf, spine))
                .collect(),
        }
    }

    fn around(&self, block: BlockId) -> Vec<BlockId> {
        let Member::Line { i, base, .. } = self.member(block) else {
            return other_ends(block, self.adapter_cables(block.0));
        };
        let BlockId(first) = self.unit(i, base, 0);
        let units = first..first + units(self.lines.dimensions[i].join);
        let all = 0..self.lines.dimensions[i].size;
        let adapters = all.map(|coordinate| self.grid.on_line(base, i, coordinate));
        adapters.chain(units).map(BlockId).collect()
    }
}

/// Blocks of a line besides its adapter blocks.
fn units(join: Join) -> u32 {
    match join {
        Join::DirectMesh => 0,
        Join::SwitchBlock => 1,
        Join::SwitchAssembly => u32::from(LEAVES + SPINES),
    }
}

/// Index of the paper's port number on an adapter block.
fn adapter_port(number: u32) -> PortIndex {
    PortIndex(number as u8 - 1)
}
