//! Which network ports of an adapter block serve which dimension of an MKNS network.
//!
//! The rule of the paper (digest 0.4) and its extension to direct meshes in dimensions 2…4. Knows
//! the spec only, no graph.

use super::PortIndex;
use crate::spec::{Join, MknsSpec};

/// Ports of an adapter block per dimension (index 0 is dimension 1), in the order in which the mesh
/// numbering uses them; a single port where the dimension hangs on a switch block or assembly.
///
/// Dimension 1 has ports 1…K1−1 of the paper, dimension i ≥ 2 owns port d−4+i. A direct mesh in
/// dimension i ≥ 2 takes its own port, then those of d−2…d that no dimension owns, then ports that
/// dimension 1 leaves free, each time from the lowest.
pub fn adapter_ports(spec: &MknsSpec) -> Vec<Vec<PortIndex>> {
    let own = |dimension: usize| spec.ports as usize + dimension - 5;
    let mut spare = (own(spec.dimensions.len() + 1)..spec.ports as usize)
        .chain(spec.dimensions[0].size as usize - 1..own(2));
    (1..=spec.dimensions.len())
        .map(|dimension| {
            let line = spec.dimensions[dimension - 1];
            let mesh_ports = line.size as usize - 1;
            let ports: Vec<usize> = match (dimension, line.join) {
                (1, _) => (0..mesh_ports).collect(),
                (_, Join::DirectMesh) => std::iter::once(own(dimension))
                    .chain(spare.by_ref())
                    .take(mesh_ports)
                    .collect(),
                _ => vec![own(dimension)],
            };
            ports
                .into_iter()
                .map(|port| PortIndex(port as u8))
                .collect()
        })
        .collect()
}

/// Place in a mesh port list that leads from coordinate `own` to `other` (digest 0.5: the 1-based
/// port is `other` if that is the greater, else `other + 1`).
pub fn mesh_slot(own: u32, other: u32) -> usize {
    (if other > own { other - 1 } else { other }) as usize
}
