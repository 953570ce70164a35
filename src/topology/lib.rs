//! Who is wired to whom: a [`Network`] of blocks, ports, cables and terminals.
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
pub mod formulas;
mod galois;
mod index;
mod lines;
mod locate;
mod measured;
pub mod metrics;
mod min_cut;
mod network;
mod shortcut;
pub mod simulators;
mod slim_fly;
pub mod spanning_tree;
mod torus;

pub use faults::{Faults, Part, PartClass};
pub use index::{Link, NetworkIndex};
pub use locate::terminal_named;
pub use network::{Block, BlockId, BlockRole, Cable, CableKind, End, Network, PortIndex, Terminal};

use mkns_spec::{NetworkKind, NetworkSpec};

/// The graph of a validated spec.
pub fn build(spec: &NetworkSpec) -> Network {
    match &spec.kind {
        NetworkKind::DistributedSwitch(switch) => {
            let wiring = distributed_switch::switch_of(switch);
            distributed_switch::build(&spec.name, &wiring, switch.trunks())
        }
        NetworkKind::Mkns(mkns) => lines::build(&spec.name, &mkns.lines()),
        NetworkKind::Grid(grid) => match grid.lines() {
            Some(lines) => lines::build(&spec.name, &lines),
            None => torus::build(&spec.name, grid),
        },
        NetworkKind::FatTree(tree) => fat_tree::build(&spec.name, tree),
        NetworkKind::SlimFly(fly) => slim_fly::build(&spec.name, fly),
        NetworkKind::RandomShortcut(graph) => shortcut::build_random(&spec.name, graph),
        NetworkKind::Loop(graph) => shortcut::build_loop(&spec.name, graph),
    }
}
