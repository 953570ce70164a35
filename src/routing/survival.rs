//! What becomes of the pairs of adapter blocks when parts of a network fail: which are lost with the parts, which
//! are led another way and how much longer it is, which the engine cannot serve.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

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

/// Counts over sets of failed parts. Pairs are ordered pairs of different adapter blocks, each counted in
/// every set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survey {
    /// Parts that fail together.
    pub count: usize,
    pub sets: u64,
    /// Whether the sets were drawn at random.
    pub drawn: bool,
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
    /// Sets with an unroutable pair.
    pub unserved_sets: u64,
    /// Sets in which packets can wait for each other in a circle.
    pub cyclic_sets: u64,
    /// Sets for which the engine finds no routes with the channels and layers of the spec; their pairs count as
    /// unroutable.
    pub refused_sets: u64,
    /// The first set with an unroutable pair that cables still join: names of its parts.
    pub example: Option<Vec<String>>,
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

    /// What the engine makes of `faults`; no pair has a path where the spec's channels or layers do not suffice.
    pub fn with(&self, faults: &Faults) -> Survey {
        let index = self.network.index_without(faults);
        let routing = build(self.spec, self.network, faults).ok();
        let walks = routing
            .as_ref()
            .map(|routing| Walks::new(self.spec, self.network, &index, routing));
        let is_cyclic = |routing| verify::is_cyclic(self.spec, self.network, faults, routing);
        let joined = index.parts(self.network);
        let mut survivors = Survey {
            sets: 1,
            refused_sets: u64::from(routing.is_none()),
            cyclic_sets: u64::from(routing.as_ref().is_some_and(is_cyclic)),
            ..Survey::default()
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
        survivors.unserved_sets = u64::from(survivors.unroutable_pairs > 0);
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

impl Survey {
    /// Adds what was counted over other sets.
    pub fn add(&mut self, other: &Self) {
        self.sets += other.sets;
        self.surviving_pairs += other.surviving_pairs;
        self.lost_pairs += other.lost_pairs;
        self.moved_pairs += other.moved_pairs;
        self.unroutable_pairs += other.unroutable_pairs;
        self.cut_pairs += other.cut_pairs;
        self.unserved_sets += other.unserved_sets;
        self.cyclic_sets += other.cyclic_sets;
        self.refused_sets += other.refused_sets;
        for (hops, pairs) in &other.rerouted_pairs {
            *self.rerouted_pairs.entry(*hops).or_default() += pairs;
        }
    }

    /// Share of the surviving pairs that have a path, 0 to 1.
    pub fn served_share(&self) -> f64 {
        match self.surviving_pairs {
            0 => 1.0,
            pairs => (pairs - self.unroutable_pairs) as f64 / pairs as f64,
        }
    }
}
