//! Which hosts can reach which after parts of a network have failed.

use bitvec::prelude::*;
use rayon::prelude::*;

use super::Routing;
use super::flat::FlatTables;
use mkns_spec::NetworkSpec;
use mkns_topology::{BlockId, Faults, Network};

/// The pairs of hosts that routes join.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedPairs {
    /// M
    per_node: u32,
    /// By host: whether its port works.
    hosts: BitVec,
    /// By adapter block of the destination: the adapter blocks that reach it.
    sources: Vec<BitVec>,
}

impl ServedPairs {
    /// The pairs of a network with tables; its adapter blocks are alike.
    pub fn new(spec: &NetworkSpec, network: &Network, faults: &Faults, routing: &Routing) -> Self {
        let flat = FlatTables::new(&network.index_without(faults), network, routing, spec);
        let adapters = network.adapters().len() as u32;
        let sources = |to| sources(spec, network, faults, routing, &flat, to);
        let hosts = 0..network.hosts.len() as u32;
        Self {
            per_node: spec.kind.vms_per_node(),
            hosts: hosts.map(|host| faults.host_works(network, host)).collect(),
            sources: (0..adapters).into_par_iter().map(sources).collect(),
        }
    }

    /// Whether packets of host `from` reach `to`.
    pub fn has(&self, from: u32, to: u32) -> bool {
        let [source, destination] = [from, to].map(|host| (host / self.per_node) as usize);
        self.hosts[from as usize] && self.hosts[to as usize] && self.sources[destination][source]
    }

    /// Pairs of hosts that have no route, of all: a host with itself is a pair, and so is a host that has failed
    /// with every other.
    pub fn pairs_without_route(&self) -> u64 {
        let working = self.working();
        let served = self.block_pairs();
        let served = served.filter(|&(from, to)| self.sources[to][from]);
        let joined: u64 = served.map(|(from, to)| working[from] * working[to]).sum();
        (self.hosts.len() as u64).pow(2) - joined
    }

    /// As [`Self::pairs_without_route`], of the hosts that work.
    pub fn working_pairs_without_route(&self) -> u64 {
        let working = self.working();
        let cut = self.block_pairs();
        let cut = cut.filter(|&(from, to)| !self.sources[to][from]);
        cut.map(|(from, to)| working[from] * working[to]).sum()
    }

    /// The pairs of hosts that work and have no route, by source.
    pub fn cut_pairs(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        let working = || self.hosts.iter_ones().map(|host| host as u32);
        let pairs = working().flat_map(move |from| working().map(move |to| (from, to)));
        pairs.filter(|&(from, to)| !self.has(from, to))
    }

    /// Hosts that work, by adapter block.
    fn working(&self) -> Vec<u64> {
        let blocks = self.hosts.chunks(self.per_node as usize);
        blocks.map(|hosts| hosts.count_ones() as u64).collect()
    }

    fn block_pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let blocks = self.sources.len();
        (0..blocks).flat_map(move |from| (0..blocks).map(move |to| (from, to)))
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
    let address = routing.layout.address_of_node(to);
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
