//! Routing tables against coordinate arithmetic.

#[path = "common/specs.rs"]
mod specs;

use mkns::routing::{self, Arithmetic};
use mkns::spec::{NetworkKind, NetworkSpec};
use mkns::topology;
use proptest::prelude::*;
use specs::small_specs;

/// First (block, destination) at which tables and arithmetic differ.
fn first_difference(spec: &NetworkSpec) -> Option<String> {
    let network = topology::build(spec);
    let routing = routing::build(spec, &network);
    let NetworkKind::Mkns(mkns) = &spec.kind;
    let arithmetic = Arithmetic::new(mkns);
    for (block, tables) in network.blocks.iter().zip(&routing.tables) {
        for terminal in &network.terminals {
            let destination = network.block(terminal.block);
            let address = routing.layout.address_of(terminal.vm);
            let entry = tables.lookup(&routing.layout, 0, address);
            let closed = arithmetic
                .next_port(&block.role, block.coordinates, destination.coordinates)
                .map_or(block.network_ports + terminal.pcie_port, |port| port.0);
            if entry.map(|entry| entry.port) != Some(closed) {
                return Some(format!(
                    "{} to {}: {entry:?}, {closed}",
                    block.name, destination.name
                ));
            }
        }
    }
    None
}

proptest! {
    #[test]
    fn tables_equal_coordinate_arithmetic(spec in small_specs()) {
        prop_assert_eq!(first_difference(&spec), None);
    }
}
