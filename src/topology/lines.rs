//! Networks of lines: MKNS (a direct mesh in dimension 1, switch blocks, assemblies or meshes in the
//! others), KNS (switch blocks) and HyperX (meshes).
//!
//! Port numbers of MKNS follow the paper's worked examples exactly: see
//! [`mkns_spec::PortPlan`] for adapter blocks; a switch block's port is the coordinate of the
//! adapter block on it.

use super::assembly::{AssemblyShape, LEAVES, SPINES};
use super::drawing::{DIMENSION_LETTERS, Drawing, Grid};
use super::{BlockRole, CableKind, Network, PortIndex};
use mkns_spec::{Dimension, Join, Lines};

/// The whole graph of a network of lines.
pub fn build(name: &str, lines: &Lines) -> Network {
    let mut sizes: Vec<u32> = lines.dimensions.iter().map(|d| d.size).collect();
    sizes.resize(lines.coordinates, 1);
    let grid = Grid::new(sizes);
    let mut builder = Builder {
        lines,
        drawing: Drawing::new(&grid, lines.ports, lines.vms_per_node),
        grid,
    };
    for (i, dimension) in lines.dimensions.iter().enumerate() {
        for line in builder.grid.lines(i) {
            builder.join_line(i, *dimension, &line);
        }
    }
    builder.drawing.finish(name)
}

struct Builder<'a> {
    lines: &'a Lines,
    grid: Grid,
    drawing: Drawing,
}

impl Builder<'_> {
    fn join_line(&mut self, i: usize, dimension: Dimension, line: &[u32]) {
        match dimension.join {
            Join::DirectMesh => self.mesh_line(i, dimension.size, line),
            Join::SwitchBlock => {
                let role = BlockRole::Switch {
                    dimension: i as u8 + 1,
                };
                let name = format!("kb_{}", self.line_name(i, line));
                let switch = self
                    .drawing
                    .switch(name, role, line.to_vec(), self.lines.ports);
                for coordinate in 0..dimension.size {
                    let adapter = (self.grid.on_line(line, i, coordinate), self.switch_port(i));
                    let plug = (switch, PortIndex(coordinate as u8));
                    self.drawing.cable(adapter, plug, i, CableKind::Switch);
                }
            }
            Join::SwitchAssembly => self.assembly_line(i, dimension.size, line),
        }
    }

    fn mesh_line(&mut self, i: usize, size: u32, line: &[u32]) {
        for low in 0..size {
            for high in low + 1..size {
                let port = |own, towards| adapter_port(self.lines.plan.mesh_port(i, own, towards));
                let a = (self.grid.on_line(line, i, low), port(low, high));
                let b = (self.grid.on_line(line, i, high), port(high, low));
                self.drawing.cable(a, b, i, CableKind::Mesh);
            }
        }
    }

    fn assembly_line(&mut self, i: usize, size: u32, line: &[u32]) {
        let shape = AssemblyShape::new(self.lines.ports);
        let dimension = i as u8 + 1;
        let name = format!("ksb_{}", self.line_name(i, line));
        let ports = self.lines.ports;
        let mut switch = |name, role| self.drawing.switch(name, role, line.to_vec(), ports);
        let leaves = [0, 1, 2, 3].map(|leaf| {
            let role = BlockRole::AssemblyLeaf { dimension, leaf };
            switch(format!("{name}_leaf{leaf}"), role)
        });
        let spines = [0, 1].map(|spine| {
            let role = BlockRole::AssemblySpine { dimension, spine };
            switch(format!("{name}_spine{spine}"), role)
        });
        for coordinate in 0..size {
            let (leaf, leaf_port) = shape.external(coordinate);
            let adapter = (self.grid.on_line(line, i, coordinate), self.switch_port(i));
            let external = (leaves[usize::from(leaf)], leaf_port);
            self.drawing.cable(adapter, external, i, CableKind::Switch);
        }
        for leaf in 0..LEAVES {
            for spine in 0..SPINES {
                for link in 0..shape.links(leaf, spine) {
                    let up = (
                        leaves[usize::from(leaf)],
                        shape.leaf_port(leaf, spine, link),
                    );
                    let down = shape.spine_port(leaf, spine, link);
                    let down = (spines[usize::from(spine)], down);
                    self.drawing.cable(up, down, i, CableKind::AssemblyInternal);
                }
            }
        }
    }

    /// Port of an adapter block that leads to the switch block or assembly of dimension index `i`.
    fn switch_port(&self, i: usize) -> PortIndex {
        adapter_port(self.lines.plan.switch_port(i))
    }

    /// Dimension letter and the coordinates of the line in the other dimensions: `z1_2`.
    fn line_name(&self, i: usize, line: &[u32]) -> String {
        let others = (0..self.lines.dimensions.len()).filter(|&k| k != i);
        let others: Vec<String> = others.map(|k| line[k].to_string()).collect();
        format!("{}{}", DIMENSION_LETTERS[i], others.join("_"))
    }
}

/// Index of the paper's port number on an adapter block.
fn adapter_port(number: u32) -> PortIndex {
    PortIndex(number as u8 - 1)
}
