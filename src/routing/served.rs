//! Which hosts can reach which after parts of a network have failed.

use bitvec::prelude::*;
use rayon::prelude::*;

use super::Routing;
use super::flat::FlatTables;
use mkns_spec::NetworkSpec;
use mkns_topology::{BlockId, Faults, Network};

/// The pairs of compute modules that routes join.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedPairs {
    /// M
    per_node: u32,
    /// By compute module: whether its port works.
    terminals: BitVec,
    /// By adapter block of the destination: the adapter blocks that reach it.
    sources: Vec<BitVec>,
}

impl ServedPairs {
    /// The pairs of a network with tables; its adapter blocks are alike.
    pub fn new(spec: &NetworkSpec, network: &Network, faults: &Faults, routing: &Routing) -> Self {
        let flat = FlatTables::new(&network.index_without(faults), network, routing, spec);
        let adapters = network.adapters().len() as u32;
        let sources = |to| sources(spec, network, faults, routing, &flat, to);
        let terminals = 0..network.terminals.len() as u32;
        Self {
            per_node: spec.kind.vms_per_node(),
            terminals: terminals
                .map(|vm| faults.terminal_works(network, vm))
                .collect(),
            sources: (0..adapters).into_par_iter().map(sources).collect(),
        }
    }

    /// Whether packets of compute module `from` reach `to`.
    pub fn has(&self, from: u32, to: u32) -> bool {
        let [source, destination] = [from, to].map(|vm| (vm / self.per_node) as usize);
        self.terminals[from as usize]
            && self.terminals[to as usize]
            && self.sources[destination][source]
    }
}

/// The adapter blocks from which all layers that they may take lead to adapter block `to`.
fn sources(
    spec: &NetworkSpec,
    network: &Network,
    faults: &Faults,
    routing: &Routing,
    flat: &FlatTables,
    to: u32,
) -> BitVec {
    let adapters = network.adapters().len();
    let works = |block: usize| faults.block_works(BlockId(block as u32));
    let address = routing.layout.address_of(to * spec.kind.vms_per_node());
    let node = routing.layout.node_address(address);
    let mask = |from: usize| match &routing.paths {
        Some(paths) => paths.mask(from, node),
        None => u8::MAX,
    };
    let allowed = |from: usize| works(from) && works(to as usize) && mask(from) != 0;
    let mut sources: BitVec = (0..adapters).map(allowed).collect();
    for layer in 0..spec.block.layers {
        let hops = flat.hops(&flat.decide_all(layer, address), to as usize);
        for (from, hops) in hops.iter().take(adapters).enumerate() {
            if mask(from) >> layer & 1 == 1 && hops.is_none() {
                sources.set(from, false);
            }
        }
    }
    sources
}
