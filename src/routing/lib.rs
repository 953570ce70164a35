//! Which port next: routing tables for every block, and the proof that they work.
//!
//! `build` picks the engine for a spec and returns dense tables in the shape of the hardware. Knows
//! nothing of Verilog.

mod address;
mod arithmetic;
mod candidates;
mod channels_used;
mod diversity;
mod engines;
pub mod fault_sets;
pub mod file;
mod flat;
mod loads;
pub mod nonblocking;
mod routes;
mod served;
pub mod survey;
pub mod survival;
mod table;
mod trace;
pub mod train;
mod transition;
mod turn_finder;
mod turns;
mod used_turns;
pub mod verify;

pub use arithmetic::Arithmetic;
pub use candidates::add_candidates;
pub use channels_used::channels_used;
pub use diversity::{Disjoint, Diversity};
pub use loads::UniformLoads;
pub use routes::{PathLayers, Routing};
pub use served::ServedPairs;
pub use table::{AddressField, AddressLayout, BlockTables, DimensionTable, TableEntry};
pub use trace::{Path, PortName, RouteFault, VisitedBlock, trace};
pub use transition::{Dependencies, TableMix, Transition};
pub use turn_finder::TurnFinder;
pub use turns::Turns;
pub use used_turns::used_by_tables;

use engines::Task;
use mkns_diag::Diagnostic;
use mkns_spec::NetworkSpec;
use mkns_topology::{BlockId, Faults, Network};

/// Address layout and tables of the network that `spec` describes, routed around what has failed as far as its
/// engine can. An error when the spec's channels or layers do not suffice.
pub fn build(
    spec: &NetworkSpec,
    network: &Network,
    faults: &Faults,
) -> Result<Routing, Box<Diagnostic>> {
    build_some(spec, network, faults, &|_| true)
}

/// Like [`build`] where nobody asks for tables of blocks that are not wanted: some engines leave them empty.
pub fn build_some(
    spec: &NetworkSpec,
    network: &Network,
    faults: &Faults,
    wanted: &(dyn Fn(BlockId) -> bool + Sync),
) -> Result<Routing, Box<Diagnostic>> {
    let layout = AddressLayout::of(spec);
    // The candidates of a block depend on the escape of its neighbours.
    let all_wanted = |_| true;
    let wanted = if spec.block.adaptive {
        &all_wanted
    } else {
        wanted
    };
    let whole = network.index();
    let damaged = (!faults.is_empty()).then(|| network.index_without(faults));
    let task = Task {
        spec,
        network,
        whole: &whole,
        index: damaged.as_ref().unwrap_or(&whole),
        faults,
        layout: &layout,
        wanted,
    };
    let mut routes = engines::named(spec.engine().name).route(&task)?;
    if spec.block.adaptive {
        add_candidates(network, task.index, &layout, &mut routes.tables);
    }
    Ok(Routing {
        layout,
        tables: routes.tables,
        paths: routes.paths,
        from_file: None,
    })
}
