//! Dimension order on networks of lines: the first coordinate that differs decides.

use mkns_spec::{Join, Lines};
use mkns_topology::assembly::AssemblyShape;
use mkns_topology::{Block, BlockRole, PortIndex};

/// The closed form for one network of lines.
#[derive(Debug, Clone)]
pub struct LinesArithmetic {
    lines: Lines,
    shape: AssemblyShape,
}

impl LinesArithmetic {
    pub fn new(lines: Lines) -> Self {
        Self {
            shape: AssemblyShape::new(lines.ports),
            lines,
        }
    }

    /// As [`super::Arithmetic::next_port`].
    pub fn next_port(&self, block: &Block, destination: &[u32]) -> Option<PortIndex> {
        let towards = |dimension: u8| destination[usize::from(dimension) - 1];
        match block.role {
            BlockRole::Adapter => self.adapter_port(&block.coordinates, destination),
            BlockRole::Switch { dimension } => Some(PortIndex(towards(dimension) as u8)),
            BlockRole::AssemblyLeaf { dimension, leaf } => {
                Some(self.leaf_port(leaf, towards(dimension)))
            }
            BlockRole::AssemblySpine { dimension, spine } => {
                Some(self.spine_port(spine, towards(dimension)))
            }
            BlockRole::Stage { .. }
            | BlockRole::Terminal
            | BlockRole::Pok { .. }
            | BlockRole::Spine => None,
        }
    }

    fn adapter_port(&self, own: &[u32], destination: &[u32]) -> Option<PortIndex> {
        let mut dimensions = self.lines.dimensions.iter().enumerate();
        let (i, dimension) = dimensions.find(|(i, _)| own[*i] != destination[*i])?;
        let number = match dimension.join {
            Join::DirectMesh => self.lines.plan.mesh_port(i, own[i], destination[i]),
            Join::SwitchBlock | Join::SwitchAssembly => self.lines.plan.switch_port(i),
        };
        Some(PortIndex(number as u8 - 1))
    }

    fn leaf_port(&self, leaf: u8, coordinate: u32) -> PortIndex {
        let (home, external) = self.shape.external(coordinate);
        if home == leaf {
            return external;
        }
        let half = self.shape.leaf_externals() as u8;
        PortIndex(half + external.0)
    }

    fn spine_port(&self, spine: u8, coordinate: u32) -> PortIndex {
        let (home, external) = self.shape.external(coordinate);
        let links = self.shape.links(home, spine);
        self.shape.spine_port(home, spine, external.0 % links)
    }
}
