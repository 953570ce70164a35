//! Which port next: routing tables for every block, and the proof that they work.
//!
//! `build` picks the engine for a spec and returns dense tables in the shape of the hardware. Knows
//! nothing of Verilog.

mod address;
mod arithmetic;
mod dimension_order;
mod engine;
pub mod file;
pub mod nonblocking;
mod path_layers;
mod spine;
mod table;
mod torus;
mod trace;
pub mod train;
mod up_down;
pub mod verify;

pub use arithmetic::Arithmetic;
pub use engine::Routing;
pub use path_layers::PathLayers;
pub use table::{AddressField, AddressLayout, BlockTables, DimensionTable, TableEntry};
pub use trace::{Hop, Path, PortName, RouteFault, trace};

use engine::RoutingEngine;
use mkns_spec::{Family, NetworkKind, NetworkSpec};
use mkns_topology::Network;

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
    Routing {
        layout,
        tables,
        paths: None,
    }
}
