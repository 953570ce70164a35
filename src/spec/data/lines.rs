//! What MKNS, KNS and HyperX have in common: adapter blocks in lines, each line a direct mesh or on a
//! switch block or assembly of its own. Topology and closed-form routes are written once for all three.

use super::{Dimension, Family, GridSpec, Join, MknsSpec, PortPlan, port_plan};

/// A network of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// M
    pub vms_per_node: u32,
    /// d of every block.
    pub ports: u32,
    pub dimensions: Vec<Dimension>,
    /// Ports of an adapter block.
    pub plan: PortPlan,
    /// Coordinates that a block is named by, at least one per dimension; further ones are 0.
    pub coordinates: usize,
}

impl MknsSpec {
    /// The network as lines.
    pub fn lines(&self) -> Lines {
        Lines {
            vms_per_node: self.vms_per_node,
            ports: self.ports,
            dimensions: self.dimensions.clone(),
            plan: port_plan(self).expect("a validated spec has a port plan"),
            // The paper writes (x y z w) whatever the number of dimensions.
            coordinates: 4,
        }
    }
}

impl GridSpec {
    /// The network as lines; a torus has rings instead.
    pub fn lines(&self) -> Option<Lines> {
        let join = match self.family {
            Family::Torus => return None,
            Family::Kns => Join::SwitchBlock,
            Family::HyperX => Join::DirectMesh,
        };
        let sizes = self.sizes.iter();
        Some(Lines {
            vms_per_node: self.vms_per_node,
            ports: self.ports,
            dimensions: sizes.map(|&size| Dimension { size, join }).collect(),
            plan: self.port_plan(),
            coordinates: self.sizes.len(),
        })
    }
}
