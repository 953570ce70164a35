//! Who is wired to whom: a [`Network`] of blocks, ports, cables and hosts.
//!
//! One file per family builds the graph from a spec; `metrics` compares formula and graph;
//! `export` writes it for other tools. Knows nothing of routes or Verilog.

pub mod assembly;
mod bisection;
pub mod components;
mod connectivity;
pub mod distances;
pub mod distributed_switch;
mod drawing;
pub mod export;
mod fat_tree;
mod fault_names;
mod faults;
pub mod flow;
pub mod formulas;
mod galois;
mod index;
mod layout;
mod lines;
mod locate;
mod measured;
pub mod metrics;
mod min_cut;
mod network;
mod partition;
mod shortcut;
pub mod simulators;
mod slim_fly;
pub mod spanning_tree;
#[cfg(test)]
mod tests;
mod torus;

pub use faults::{Faults, Part, PartClass};
pub use index::{NetworkIndex, PortCable};
pub use layout::{Graph, NetworkLayout, Subgraph};
pub use locate::host_named;
pub use network::{
    Block, BlockId, BlockRole, Cable, CableKind, End, HostAttachment, Network, PortIndex,
};

use std::sync::Arc;

use lines::LinesLayout;
use mkns_spec::{NetworkKind, NetworkSpec};
use torus::TorusLayout;

/// The network of a spec block by block; none where only the graph of the whole says who is joined to whom.
pub fn layout(spec: &NetworkSpec) -> Option<Arc<dyn NetworkLayout>> {
    match &spec.kind {
        NetworkKind::Mkns(mkns) => Some(Arc::new(LinesLayout::new(mkns.lines()))),
        NetworkKind::Grid(grid) => Some(match grid.lines() {
            Some(lines) => Arc::new(LinesLayout::new(lines)),
            None => Arc::new(TorusLayout::new(grid)),
        }),
        NetworkKind::DistributedSwitch(_)
        | NetworkKind::FatTree(_)
        | NetworkKind::SlimFly(_)
        | NetworkKind::RandomShortcut(_)
        | NetworkKind::Loop(_) => None,
    }
}

/// The graph of a validated spec.
pub fn build(spec: &NetworkSpec) -> Network {
    let name = &spec.name;
    if let Some(layout) = layout(spec) {
        return layout::graph(name, &*layout);
    }
    match &spec.kind {
        NetworkKind::Mkns(_) | NetworkKind::Grid(_) => unreachable!("they have a layout"),
        NetworkKind::DistributedSwitch(switch) => {
            let wiring = distributed_switch::switch_of(switch);
            distributed_switch::build(name, &wiring, switch.trunks())
        }
        NetworkKind::FatTree(tree) => fat_tree::build(name, tree),
        NetworkKind::SlimFly(fly) => slim_fly::build(name, fly),
        NetworkKind::RandomShortcut(graph) => shortcut::build_random(name, graph),
        NetworkKind::Loop(graph) => shortcut::build_loop(name, graph),
    }
}
