//! Which port next: routing tables for every block, and the proof that they work.
//!
//! `build` picks the engine for a spec and returns dense tables in the shape of the hardware. Knows
//! nothing of Verilog.

mod address;
mod arithmetic;
mod dimension_order;
pub mod file;
pub mod nonblocking;
mod spine;
mod table;
mod torus;
mod trace;
pub mod train;
mod up_down;
pub mod verify;

pub use arithmetic::Arithmetic;
pub use table::{AddressField, AddressLayout, BlockTables, DimensionTable, TableEntry};
pub use trace::{Hop, Path, PortName, RouteFault, trace};

use mkns_spec::{Family, NetworkKind, NetworkSpec};
use mkns_topology::Network;

/// Addresses and tables of a whole network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routing {
    pub layout: AddressLayout,
    /// Tables of each block, by [`mkns_topology::BlockId`].
    pub tables: Vec<BlockTables>,
}

impl Routing {
    /// n: channels that a packet may be on, the one it starts on and those that steps lead to. Tables from
    /// elsewhere that step where the network needs no steps may use all.
    pub fn channels(&self, spec: &NetworkSpec) -> u32 {
        let needed = spec.kind.route_channels();
        let mut rows = self.tables.iter().flat_map(|tables| &tables.step);
        if needed == 1 && rows.any(|row| row.contains(&true)) {
            return spec.block.virtual_channels;
        }
        needed
    }
}

/// A way to fill the tables.
pub trait RoutingEngine {
    /// Tables of every block, in block order, `layers` routing layers each.
    fn tables(&self, network: &Network, layout: &AddressLayout, layers: u32) -> Vec<BlockTables>;
}

/// Address layout and tables of the network that `spec` describes.
pub fn build(spec: &NetworkSpec, network: &Network) -> Routing {
    let layout = AddressLayout::of(&spec.kind);
    let engine: &dyn RoutingEngine = match &spec.kind {
        NetworkKind::Mkns(_) => &dimension_order::DimensionOrder,
        NetworkKind::DistributedSwitch(_) => &spine::SpineOutputs,
        NetworkKind::Grid(grid) => match grid.family {
            Family::Torus => &torus::Rings,
            Family::Kns | Family::HyperX => &dimension_order::DimensionOrder,
        },
        NetworkKind::FatTree(_) => &up_down::UpDown,
    };
    let tables = engine.tables(network, &layout, spec.block.layers);
    Routing { layout, tables }
}
