//! The n-dimensional torus: every line of adapter blocks is a ring.
//!
//! Dimension i uses two ports of an adapter block, the first towards the next higher coordinate
//! (round to 0), the second towards the next lower one. Two adapter blocks are joined by one cable,
//! not by two: the first port of coordinate 0 and the second port of coordinate 1.

use super::drawing::Grid;
use super::layout::NetworkLayout;
use super::{Block, BlockId, Cable, CableKind, End, PortIndex};
use mkns_spec::GridSpec;

/// A torus block by block.
#[derive(Debug)]
pub struct TorusLayout {
    grid: Grid,
    ports: u32,
    vms_per_node: u32,
    /// By dimension index, the ports up and down.
    ways: Vec<[PortIndex; 2]>,
}

impl TorusLayout {
    pub fn new(spec: &GridSpec) -> Self {
        let plan = spec.port_plan();
        let ways = plan.dimensions.iter();
        Self {
            grid: Grid::new(spec.sizes.clone()),
            ports: spec.ports,
            vms_per_node: spec.vms_per_node,
            ways: ways
                .map(|ports| [0, 1].map(|way| PortIndex(ports[way] as u8 - 1)))
                .collect(),
        }
    }

    /// From the coordinate `low` of the ring of dimension index `i` on which `node` is to the next one.
    fn cable_up(&self, node: u32, i: usize, low: u32) -> Cable {
        let end = |coordinate: u32, way: usize| End {
            block: BlockId(self.grid.on_line(node, i, coordinate)),
            port: self.ways[i][way],
        };
        let high = (low + 1) % self.grid.size(i);
        Cable::between(end(low, 0), end(high, 1), i, CableKind::Mesh)
    }
}

impl NetworkLayout for TorusLayout {
    fn blocks(&self) -> u32 {
        self.grid.nodes()
    }

    fn dimensions(&self) -> usize {
        self.ways.len()
    }

    fn place(&self, BlockId(node): BlockId) -> Vec<u32> {
        self.grid.coordinates(node)
    }

    fn block(&self, BlockId(node): BlockId) -> Block {
        Block::adapter(self.grid.coordinates(node), self.ports, self.vms_per_node)
    }

    fn cables(&self, BlockId(node): BlockId) -> Vec<Cable> {
        let of_dimension = |i: usize| {
            let (own, size) = (self.grid.coordinate(node, i), self.grid.size(i));
            let up = (size > 2 || own == 0).then_some(own);
            let down = (size > 2 || own == 1).then_some((own + size - 1) % size);
            let lows = up.into_iter().chain(down);
            lows.map(move |low| self.cable_up(node, i, low))
        };
        (0..self.dimensions()).flat_map(of_dimension).collect()
    }
}
