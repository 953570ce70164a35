//! Dimension-order routes in closed form: from coordinates to the output port, no table, no graph.
//!
//! A second statement of the routes beside [`super::dimension_order`], written from the paper's
//! numbering (digest 0.5, 0.6). The golden model takes its routes from here and the RTL its tables
//! from there, so an error in either shows. Shares with the topology only the port plan of the spec
//! and the shape of an assembly.

use crate::spec::{Join, MknsSpec, PortPlan, port_plan};
use crate::topology::assembly::AssemblyShape;
use crate::topology::{BlockRole, PortIndex};

/// The closed form for one spec.
#[derive(Debug, Clone)]
pub struct Arithmetic {
    joins: Vec<Join>,
    plan: PortPlan,
    shape: AssemblyShape,
}

impl Arithmetic {
    pub fn new(spec: &MknsSpec) -> Self {
        Self {
            joins: spec
                .dimensions
                .iter()
                .map(|dimension| dimension.join)
                .collect(),
            plan: port_plan(spec).expect("a validated spec has a port plan"),
            shape: AssemblyShape::new(spec.ports),
        }
    }

    /// Network port by which a block at `own` (coordinates as in [`crate::topology::Block`]) forwards
    /// a packet for the adapter block at `destination`; `None` on that adapter block itself, where
    /// the PCIe port field of the address decides.
    pub fn next_port(
        &self,
        role: &BlockRole,
        own: [u32; 4],
        destination: [u32; 4],
    ) -> Option<PortIndex> {
        match *role {
            BlockRole::Adapter => self.adapter_port(own, destination),
            BlockRole::Switch { dimension } => {
                Some(PortIndex(destination[usize::from(dimension) - 1] as u8))
            }
            BlockRole::AssemblyLeaf { dimension, leaf } => {
                Some(self.leaf_port(leaf, destination[usize::from(dimension) - 1]))
            }
            BlockRole::AssemblySpine { dimension, spine } => {
                Some(self.spine_port(spine, destination[usize::from(dimension) - 1]))
            }
        }
    }

    /// The first coordinate that differs decides.
    fn adapter_port(&self, own: [u32; 4], destination: [u32; 4]) -> Option<PortIndex> {
        let i = (0..self.joins.len()).find(|&i| own[i] != destination[i])?;
        let number = match self.joins[i] {
            Join::DirectMesh => self.plan.mesh_port(i, own[i], destination[i]),
            Join::SwitchBlock | Join::SwitchAssembly => self.plan.switch_port(i),
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
