//! The n-dimensional torus: every line of adapter blocks is a ring.
//!
//! Dimension i uses two ports of an adapter block, the first towards the next higher coordinate
//! (round to 0), the second towards the next lower one. Two adapter blocks are joined by one cable,
//! not by two: the first port of coordinate 0 and the second port of coordinate 1.

use super::drawing::{Drawing, Grid};
use super::{CableKind, Network, PortIndex};
use mkns_spec::GridSpec;

/// The whole graph of a torus.
pub fn build(name: &str, spec: &GridSpec) -> Network {
    let grid = Grid::new(spec.sizes.clone());
    let plan = spec.port_plan();
    let mut drawing = Drawing::new(&grid, spec.ports, spec.vms_per_node);
    for (i, &size) in spec.sizes.iter().enumerate() {
        let [up, down] = [0, 1].map(|way| PortIndex(plan.dimensions[i][way] as u8 - 1));
        let cables = if size == 2 { 1 } else { size };
        for line in grid.lines(i) {
            for low in 0..cables {
                let a = (grid.on_line(&line, i, low), up);
                let b = (grid.on_line(&line, i, (low + 1) % size), down);
                drawing.cable(a, b, i, CableKind::Mesh);
            }
        }
    }
    drawing.finish(name)
}
