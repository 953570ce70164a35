//! On how many virtual channels packets of these tables can be.

use rayon::prelude::*;

use super::Routing;
use super::flat::{FlatTables, NONE, Slot};
use mkns_spec::NetworkSpec;
use mkns_topology::{Faults, Network};

/// Channels that packets are on which start on the first channel of their layer: 1 where none of them ever steps.
pub fn channels_used(
    spec: &NetworkSpec,
    network: &Network,
    faults: &Faults,
    routing: &Routing,
) -> u32 {
    let flat = FlatTables::new(&network.index_without(faults), network, routing, spec);
    let adapters = network.adapters().len() as u32;
    let highest = |to: u32| {
        let address = routing.layout.address_of_node(to);
        let in_layer = |layer: u32| {
            let entry = routing.paths.as_ref().map_or(0, |paths| {
                paths
                    .entry_channels
                    .get(layer as usize)
                    .copied()
                    .unwrap_or(0)
            });
            let out = flat.decide_all(layer, address);
            let sources = 0..adapters as usize;
            let channels = sources.map(|from| last_channel(&flat, network, &out, from, entry));
            channels.max().unwrap_or(entry)
        };
        (0..spec.block.layers).map(in_layer).max().unwrap_or(0)
    };
    (0..adapters)
        .into_par_iter()
        .map(highest)
        .max()
        .unwrap_or(0)
        + 1
}

/// The channel on which a packet from the hosts of an adapter block arrives.
fn last_channel(
    flat: &FlatTables,
    network: &Network,
    out: &[Slot],
    from: usize,
    entry: u32,
) -> u32 {
    let (mut at, mut channel) = (from, entry);
    let mut input = network.blocks[from].network_ports;
    // Who passes more blocks than there are goes in a circle.
    for _ in 0..out.len() {
        let slot = out[at];
        if slot == NONE {
            break;
        }
        channel = flat.next_channel(at, input, flat.port(slot), channel);
        (at, input) = (flat.next_block(slot), flat.entry_port(slot));
    }
    channel
}
