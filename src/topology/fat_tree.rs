//! The fat tree: an adapter block on one leaf, every switch block below several of the next level.
//!
//! A block of level l has one digit per level: the first l say which of the equal switch blocks above
//! the same adapter blocks it is, the others where in the tree it stands. Two blocks of levels l − 1
//! and l are joined when they agree in all digits but the l-th; that digit of the upper one is the
//! number of the lower one's port upward, and the other way round. Ports down come first.

use super::drawing::{Drawing, Grid};
use super::{BlockId, BlockRole, CableKind, Network, PortIndex};
use mkns_spec::FatTreeSpec;

/// The whole graph of a fat tree.
pub fn build(name: &str, spec: &FatTreeSpec) -> Network {
    let mut below = Grid::new(spec.down.clone());
    let mut first_below = 0;
    let mut drawing = Drawing::new(&below, 1, spec.vms_per_node);
    for level in 1..=spec.levels() {
        let grid = level_grid(spec, level);
        let first = first_below + below.nodes();
        for number in 0..grid.nodes() {
            let digits = grid.coordinates(number);
            let text: Vec<String> = digits.iter().map(u32::to_string).collect();
            let role = BlockRole::Stage { stage: level as u8 };
            let name = format!("sw{level}_{}", text.join("_"));
            drawing.switch(name, role, digits, spec.ports);
        }
        for number in 0..below.nodes() {
            let lower = below.coordinates(number);
            for way in 0..spec.up_cables(level - 1) {
                let mut upper = lower.clone();
                upper[level - 1] = way;
                let up = up_port(spec, level - 1, way);
                let down = PortIndex(lower[level - 1] as u8);
                let upper = BlockId(first + grid.node(&upper));
                let lower = BlockId(first_below + number);
                drawing.cable((lower, up), (upper, down), level - 1, CableKind::Switch);
            }
        }
        (below, first_below) = (grid, first);
    }
    drawing.finish(name)
}

/// The blocks of a level by their digits.
fn level_grid(spec: &FatTreeSpec, level: usize) -> Grid {
    let copies = (0..level).map(|below| spec.up_cables(below));
    let places = spec.down[level..].iter().copied();
    Grid::new(copies.chain(places).collect())
}

/// Port upward number `way` of a block of `level`.
fn up_port(spec: &FatTreeSpec, level: usize, way: u32) -> PortIndex {
    let down = if level == 0 { 0 } else { spec.down[level - 1] };
    PortIndex((down + way) as u8)
}
