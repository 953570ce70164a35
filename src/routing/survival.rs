//! What becomes of the pairs of adapter blocks when parts of a network fail: which are lost with the parts, which
//! are led another way and how much longer it is, which the engine cannot serve.

use std::collections::BTreeMap;

use serde::Serialize;

use super::flat::{Decision, FlatTables, Slot};
use super::{Routing, build, verify};
use mkns_diag::Diagnostic;
use mkns_spec::NetworkSpec;
use mkns_topology::{BlockId, Faults, Network, NetworkIndex};

/// A whole network and its routes, to compare damaged ones with.
pub struct Survival<'a> {
    spec: &'a NetworkSpec,
    network: &'a Network,
    index: NetworkIndex,
    whole: Walks,
}

/// Ordered pairs of different adapter blocks after some parts have failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Survivors {
    /// Pairs whose two blocks work.
    pub surviving_pairs: u64,
    /// Pairs of which a block has failed.
    pub lost_pairs: u64,
    /// Served pairs whose former path is broken, by the hops that the new one is longer.
    pub rerouted_pairs: BTreeMap<i64, u64>,
    /// Served pairs whose former path works and is not the new one.
    pub moved_pairs: u64,
    /// Surviving pairs that no path is found for, those that no cables join any more included.
    pub unroutable_pairs: u64,
    /// Surviving pairs that no cables join any more.
    pub cut_pairs: u64,
    /// Whether packets can wait for each other in a circle.
    pub cyclic: bool,
}

/// Paths of a network, found in its tables.
struct Walks {
    flat: FlatTables,
    /// By destination and source: the layer of the shortest path and its hops, none where there is no path.
    best: Vec<Vec<Option<(u32, u32)>>>,
    addresses: Vec<u32>,
}

impl Walks {
    fn new(spec: &NetworkSpec, network: &Network, index: &NetworkIndex, routing: &Routing) -> Self {
        let flat = FlatTables::new(index, network, routing, spec);
        let adapters = network.adapters().len();
        let numbers = 0..adapters as u32;
        let addresses = numbers.map(|number| routing.layout.address_of_node(number));
        let mut walks = Self {
            flat,
            best: Vec::new(),
            addresses: addresses.collect(),
        };
        let allowed = |from: usize, to: usize| match &routing.paths {
            Some(paths) => paths
                .mask(from, routing.layout.node_address(walks.addresses[to]))
                .into(),
            None => 1,
        };
        let layers = 0..spec.block.layers;
        let to = |to: usize| {
            let hops = layers.clone().map(|layer| walks.hops(layer, to));
            let hops: Vec<Vec<Option<u32>>> = hops.collect();
            let best = |from: usize| {
                let mask: u32 = allowed(from, to);
                let usable = layers.clone().filter(|layer| mask >> layer & 1 == 1);
                let paths = usable.filter_map(|layer| Some((hops[layer as usize][from]?, layer)));
                paths.min().map(|(hops, layer)| (layer, hops))
            };
            (0..adapters).map(best).collect()
        };
        walks.best = (0..adapters).map(to).collect();
        walks
    }

    /// Hops from every block; none where a packet does not arrive.
    fn hops(&self, layer: u32, to: usize) -> Vec<Option<u32>> {
        let out = self.flat.decide_all(layer, self.addresses[to]);
        self.flat.hops(&out, to)
    }

    /// The ports that send on the way of a packet that arrives.
    fn path(&self, layer: u32, from: usize, to: usize) -> impl Iterator<Item = Slot> {
        let mut at = from;
        std::iter::from_fn(move || {
            let Decision::Forward(slot) = self.flat.decide(at, layer, self.addresses[to]) else {
                return None;
            };
            at = self.flat.next_block(slot);
            Some(slot)
        })
    }
}

impl<'a> Survival<'a> {
    /// An error when the engine cannot serve the whole network.
    pub fn new(spec: &'a NetworkSpec, network: &'a Network) -> Result<Self, Box<Diagnostic>> {
        let routing = build(spec, network, &Faults::none())?;
        let index = network.index();
        let whole = Walks::new(spec, network, &index, &routing);
        Ok(Self {
            spec,
            network,
            index,
            whole,
        })
    }

    /// What the engine makes of `faults`; an error when the spec's channels or layers do not suffice for them.
    pub fn with(&self, faults: &Faults) -> Result<Survivors, Box<Diagnostic>> {
        let routing = build(self.spec, self.network, faults)?;
        Ok(self.compare(faults, Some(&routing)))
    }

    /// The pairs where the engine makes no routes at all.
    pub fn refused(&self, faults: &Faults) -> Survivors {
        self.compare(faults, None)
    }

    fn compare(&self, faults: &Faults, routing: Option<&Routing>) -> Survivors {
        let index = self.network.index_without(faults);
        let walks = routing.map(|routing| Walks::new(self.spec, self.network, &index, routing));
        let cyclic = |routing| verify::is_cyclic(self.spec, self.network, faults, routing);
        let joined = index.parts(self.network);
        let mut survivors = Survivors {
            cyclic: routing.is_some_and(cyclic),
            ..Survivors::default()
        };
        let adapters = self.network.adapters().len();
        let works = |block: usize| faults.block_works(BlockId(block as u32));
        for to in 0..adapters {
            for from in (0..adapters).filter(|from| *from != to) {
                if !works(from) || !works(to) {
                    survivors.lost_pairs += 1;
                    continue;
                }
                survivors.surviving_pairs += 1;
                let found = walks
                    .as_ref()
                    .and_then(|walks| Some((walks, walks.best[to][from]?)));
                let Some((walks, (new_layer, hops))) = found else {
                    survivors.unroutable_pairs += 1;
                    survivors.cut_pairs += u64::from(joined[from] != joined[to]);
                    continue;
                };
                let Some((layer, before)) = self.whole.best[to][from] else {
                    continue;
                };
                if self.is_broken(faults, layer, from, to) {
                    let longer = i64::from(hops) - i64::from(before);
                    *survivors.rerouted_pairs.entry(longer).or_default() += 1;
                } else {
                    let [old, new] = [(&self.whole, layer), (walks, new_layer)]
                        .map(|(walks, layer)| walks.path(layer, from, to));
                    survivors.moved_pairs += u64::from(!old.eq(new));
                }
            }
        }
        survivors
    }

    /// Whether the path of the whole network leads through what has failed.
    fn is_broken(&self, faults: &Faults, layer: u32, from: usize, to: usize) -> bool {
        self.whole.path(layer, from, to).any(|slot| {
            let link = self.index.link(self.index.end_of(slot as usize));
            link.is_none_or(|link| !faults.cable_works(self.network, link.cable))
        })
    }
}
