//! The port plan: which ports of an adapter block serve which dimension.
//!
//! One rule for the whole program; numbers are the paper's, 1…d. Dimension 1 is a full mesh on
//! ports 1…K1−1 (of 1…d−3), dimension i ≥ 2 owns port d−4+i. A direct mesh in dimension i ≥ 2 needs
//! K−1 ports: its own, then ports of dimensions that the network lacks (upward from d−2), then ports
//! that the mesh of dimension 1 leaves free (upward from K1). Dimensions are served in order.

use std::fmt;

use super::mkns::{Join, MknsSpec};

/// Adapter-block ports of every dimension, 1-based.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortPlan {
    /// For each dimension in order: its ports in the order in which the plan hands them out.
    pub dimensions: Vec<Vec<u32>>,
}

impl PortPlan {
    /// The port at coordinate `own` that leads to coordinate `towards` of a direct mesh.
    ///
    /// `dimension` counts from 0. A node skips itself: with ports 1, 2, 3 coordinate 1 reaches 0, 2
    /// and 3 through 1, 2 and 3 (in the paper: port b if b > a, else b + 1).
    pub fn mesh_port(&self, dimension: usize, own: u32, towards: u32) -> u32 {
        debug_assert_ne!(own, towards, "no cable leads from a node to itself");
        let rank = if towards > own { towards - 1 } else { towards };
        self.dimensions[dimension][rank as usize]
    }

    /// The port that leads to the switch block or assembly of a dimension (counted from 0).
    pub fn switch_port(&self, dimension: usize) -> u32 {
        self.dimensions[dimension][0]
    }
}

/// A dimension that needs more ports than the adapter block has left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PortShortage {
    /// Dimension, counted from 0.
    pub dimension: usize,
    /// Ports that the mesh needs.
    pub needed: u32,
    /// Ports that it can have.
    pub available: u32,
}

impl fmt::Display for PortShortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            dimension,
            needed,
            available,
        } = self;
        write!(
            f,
            "dimension {} needs {needed} ports, {available} are left",
            dimension + 1
        )
    }
}

impl std::error::Error for PortShortage {}

/// Hands the ports of an adapter block out; fails only for specs that validation refuses.
pub fn port_plan(spec: &MknsSpec) -> Result<PortPlan, PortShortage> {
    // Ports 1 … d−3 are those of dimension 1.
    let first_ports = spec.ports.saturating_sub(3);
    let mesh_needs = spec
        .dimensions
        .first()
        .map_or(0, |first| first.size.saturating_sub(1));
    if mesh_needs > first_ports {
        return Err(PortShortage {
            dimension: 0,
            needed: mesh_needs,
            available: first_ports,
        });
    }
    let absent = first_ports + spec.dimensions.len() as u32..=spec.ports;
    let mut free = absent
        .chain(mesh_needs + 1..=first_ports)
        .collect::<Vec<_>>()
        .into_iter();
    let mut dimensions = vec![(1..=mesh_needs).collect::<Vec<_>>()];
    for (dimension, own_port) in (1..spec.dimensions.len()).zip(first_ports + 1..) {
        let needed = match spec.dimensions[dimension].join {
            Join::DirectMesh => spec.dimensions[dimension].size.saturating_sub(1),
            Join::SwitchBlock | Join::SwitchAssembly => 1,
        };
        let extra = needed.saturating_sub(1);
        let available = 1 + free.len() as u32;
        if needed > available {
            return Err(PortShortage {
                dimension,
                needed,
                available,
            });
        }
        let ports = std::iter::once(own_port).chain(free.by_ref().take(extra as usize));
        dimensions.push(ports.collect());
    }
    Ok(PortPlan { dimensions })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NetworkKind, parse_notation};

    fn plan(notation: &str) -> Vec<Vec<u32>> {
        let kind = parse_notation(notation).expect("a valid notation").kind;
        let NetworkKind::Mkns(spec) = kind else {
            panic!("{notation} is an MKNS network");
        };
        port_plan(&spec)
            .expect("a valid spec has a plan")
            .dimensions
    }

    #[test]
    fn switched_dimensions_use_the_paper_s_ports() {
        let expected = [vec![1, 2, 3, 4, 5, 6, 7], vec![8], vec![9], vec![10]];
        assert_eq!(plan("MKNS(2,8x10x10x10,4,1)"), expected);
    }

    #[test]
    fn the_64_vm_machine_meshes_dimension_2_on_ports_8_to_10() {
        assert_eq!(
            plan("MKNS(2,8x4,2,0)"),
            [vec![1, 2, 3, 4, 5, 6, 7], vec![8, 9, 10]]
        );
    }

    #[test]
    fn meshes_take_absent_dimensions_first_then_dimension_1() {
        assert_eq!(
            plan("MKNS(2,4x3x4,3,0)"),
            [vec![1, 2, 3], vec![8, 10], vec![9, 4, 5]]
        );
    }

    #[test]
    fn mesh_port_skips_the_node_itself() {
        let plan = PortPlan {
            dimensions: vec![vec![1, 2, 3], vec![8, 9]],
        };
        assert_eq!([1, 2, 3].map(|b| plan.mesh_port(0, 0, b)), [1, 2, 3]);
        assert_eq!([0, 1, 3].map(|b| plan.mesh_port(0, 2, b)), [1, 2, 3]);
        assert_eq!([0, 2].map(|b| plan.mesh_port(1, 1, b)), [8, 9]);
    }
}
