//! Graphs that the papers measure, and how far apart their adapter blocks are.

use mkns_random::Random;
use mkns_spec::{BlockParameters, NetworkKind, NetworkSpec, RandomShortcutSpec};
use mkns_topology::distances::{self, Adjacency, Distances};
use mkns_topology::{self as topology, Faults, Network, Part};

/// A network of blocks that have as many channels as there may be.
pub fn built(kind: NetworkKind) -> Network {
    let block = BlockParameters {
        virtual_channels: 4,
        ..BlockParameters::default()
    };
    topology::build(&NetworkSpec::from_parts(kind, block).expect("a valid network"))
}

/// Random shortcuts of a number of nodes and a degree, whose other properties are chosen.
pub fn random_shortcuts(
    nodes: u32,
    degree: u32,
    choose: impl FnOnce(&mut RandomShortcutSpec),
) -> Network {
    let mut graph = RandomShortcutSpec::new(nodes, degree, 1);
    choose(&mut graph);
    built(NetworkKind::RandomShortcut(graph))
}

/// Distances between adapter blocks over the cables that work.
pub fn measured(network: &Network, faults: &Faults) -> Distances {
    let adjacency = Adjacency::new(network, &network.index_without(faults));
    distances::between_adapters(network, &adjacency)
}

/// Cables from one adapter block to another, on the average.
pub fn mean(found: &Distances) -> f64 {
    found.total as f64 / found.pairs as f64
}

/// The first cables of an order that is drawn have failed; more of them are those and others.
pub fn failed_cables(network: &Network, count: usize) -> Faults {
    let order = Random::new(1).permutation(network.cables.len());
    let failed = order.into_iter().take(count);
    failed.map(|cable| Part::Cable(cable as u32)).collect()
}
