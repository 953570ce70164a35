//! Routing tables: equal to coordinate arithmetic, passing every check, and each check can fail.

use std::collections::BTreeMap;

use crate::common::networks::{mkns, paper_machines, small_specs};
use mkns::routing::verify::{self, State, VerificationReport};
use mkns::routing::{self, Arithmetic, Routing, TableEntry};
use mkns::spec::{Join, NetworkSpec};
use mkns::topology::{self, Faults, Network, PortIndex};
use proptest::prelude::*;

/// First (block, destination) at which tables and arithmetic differ.
fn first_difference(spec: &NetworkSpec) -> Option<String> {
    let network = topology::build(spec);
    let routing = routing::build(spec, &network, &Faults::none()).expect("routes");
    let arithmetic = Arithmetic::of(spec).expect("this kind has a closed form");
    for (block, tables) in network.blocks.iter().zip(&routing.tables) {
        for host in &network.hosts {
            let destination = network.block(host.block);
            let address = routing.layout.address_of(host.host);
            let entry = tables.lookup(&routing.layout, 0, address);
            let closed = arithmetic
                .next_port(block, &destination.coordinates)
                .map_or(block.network_ports + host.pcie_port, |port| port.0);
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

fn quietly(spec: &NetworkSpec, network: &Network, routing: &Routing) -> VerificationReport {
    verify::verify(spec, network, &Faults::none(), routing, &|_| {})
}

/// States of the checks by name, for a network and tables that `spoil` has changed.
fn states_after(
    spec: &NetworkSpec,
    spoil: impl FnOnce(&mut Network, &mut Routing),
) -> BTreeMap<&'static str, State> {
    let mut network = topology::build(spec);
    let mut routing = routing::build(spec, &network, &Faults::none()).expect("routes");
    spoil(&mut network, &mut routing);
    let report = quietly(spec, &network, &routing);
    assert!(
        !report.passed,
        "the damage was not noticed:\n{}",
        report.to_text()
    );
    assert!(report.to_text().contains("FAILED"));
    report
        .checks
        .iter()
        .map(|check| (check.name, check.state))
        .collect()
}

/// `MKNS(2,4,2,1)`, the machine of Fig. 1.
fn figure_1() -> NetworkSpec {
    mkns(2, &[4, 4], &[Join::SwitchBlock])
}

fn port_of(network: &Network, name: &str) -> usize {
    network.block_named(name).unwrap().0 as usize
}

#[test]
fn the_papers_machines_pass_every_check() {
    for (_, spec) in paper_machines()
        .into_iter()
        .filter(|(hosts, _)| *hosts <= 1600)
    {
        let network = topology::build(&spec);
        let routing = routing::build(&spec, &network, &Faults::none()).expect("routes");
        let report = quietly(&spec, &network, &routing);
        assert!(report.passed, "{}", report.to_text());
        assert_eq!(report.checks.len(), 7);
    }
}

#[test]
fn machines_of_every_kind_pass_every_check() {
    for notation in [
        "MKNS(1,8,1,1)",
        "MKNS(2,8x4,2,0)",
        "MKNS(2,4x3x2,3,1)",
        "MKNS(2,3x2x2x2,4,1)",
        "MKNS(1,3x20,2,2)",
        "MKNS(3,2x11x3x4,4,2x0x1)",
    ] {
        let spec = mkns::spec::parse(notation).unwrap();
        let network = topology::build(&spec);
        let routing = routing::build(&spec, &network, &Faults::none()).expect("routes");
        let report = quietly(&spec, &network, &routing);
        assert!(report.passed, "{}", report.to_text());
    }
}

/// The paper's number of a port: it counts those of adapter blocks from 1.
fn in_the_paper(block: &str, port: String) -> String {
    match port.parse::<u32>() {
        Ok(index) if block.starts_with("AB") => (index + 1).to_string(),
        _ => port,
    }
}

#[test]
fn the_four_worked_routes_of_the_paper_come_out_port_for_port() {
    let golden: serde_json::Value =
        serde_json::from_str(include_str!("data/mkns_routes.json")).unwrap();
    let spec = figure_1();
    let network = topology::build(&spec);
    let routing = routing::build(&spec, &network, &Faults::none()).expect("routes");
    let index = network.index();
    let routes = golden["routes"].as_array().unwrap();
    assert_eq!(routes.len(), 4);
    for route in routes {
        let host = |key: &str| route[key].as_u64().unwrap() as u32;
        let path =
            routing::trace(&network, &index, &routing, host("src_vm"), host("dst_vm")).unwrap();
        let found: Vec<[String; 3]> = path
            .hops
            .iter()
            .map(|hop| {
                let ports = [hop.in_port, hop.out_port]
                    .map(|port| hop.port_name(&network, port).to_string());
                let label = network.block(hop.block).label();
                let [input, output] = ports.map(|port| in_the_paper(&label, port));
                [label, input, output]
            })
            .collect();
        let text =
            |value: &serde_json::Value| value.as_str().map_or(value.to_string(), str::to_owned);
        let hops = route["hops"].as_array().unwrap();
        let printed: Vec<[String; 3]> = hops[1..hops.len() - 1]
            .iter()
            .map(|hop| ["at", "in", "out"].map(|key| text(&hop[key])))
            .collect();
        assert_eq!(found, printed);
    }
    let path = routing::trace(&network, &index, &routing, 2, 19).unwrap();
    assert_eq!(
        path.describe(&network),
        "PCI0 → AB(1 0 0 0) out 7 → in 0 KB Y1 out 2 → in 7 AB(1 2 0 0) → PCI1"
    );
}

#[test]
fn a_cable_in_the_wrong_port_fails_the_cable_check() {
    let states = states_after(&figure_1(), |network, _| {
        network.cables[1].a.port = network.cables[0].a.port;
    });
    assert_eq!(states["cables"], State::Failed);
    assert_eq!(states["delivery"], State::Skipped);
    let states = states_after(&figure_1(), |network, _| {
        network.cables[3].b.port = PortIndex(10)
    });
    assert_eq!(
        states["cables"],
        State::Failed,
        "port 10 of a 10-port block"
    );
    let states = states_after(&figure_1(), |network, _| network.hosts.swap(0, 1));
    assert_eq!(states["cables"], State::Failed);
}

#[test]
fn a_missing_cable_fails_the_table_check() {
    let states = states_after(&figure_1(), |network, _| {
        network.cables.remove(5);
    });
    assert_eq!(
        (states["cables"], states["tables"]),
        (State::Passed, State::Failed)
    );
}

#[test]
fn an_entry_beyond_the_size_fails_the_table_check() {
    let spec = mkns(2, &[4, 3], &[Join::SwitchBlock]);
    let states = states_after(&spec, |network, routing| {
        let switch = port_of(network, "kb_y0");
        routing.tables[switch].tables[0].entries[3] = TableEntry::to(PortIndex(0));
    });
    assert_eq!(states["tables"], State::Failed);
}

#[test]
fn a_wrong_switch_port_fails_minimality_and_arithmetic_but_arrives() {
    let states = states_after(&figure_1(), |network, routing| {
        let adapter = port_of(network, "ab_0_0_0_0");
        // x = 1 by way of the neighbour x = 2 (port 2): one hop too many.
        routing.tables[adapter].tables[0].entries[1] = TableEntry::to(PortIndex(1));
    });
    assert_eq!(states["tables"], State::Passed);
    assert_eq!(states["delivery"], State::Passed);
    assert_eq!(states["minimal"], State::Failed);
    assert_eq!(states["arithmetic"], State::Failed);
}

#[test]
fn a_loop_and_an_invalid_entry_fail_delivery() {
    let states = states_after(&figure_1(), |network, routing| {
        let switch = port_of(network, "kb_y1");
        routing.tables[switch].tables[0].entries[2].port = 3;
    });
    assert_eq!(
        states["delivery"],
        State::Failed,
        "y = 3 and the switch play ping-pong"
    );
    assert_eq!(
        states["deadlock"],
        State::Failed,
        "and its packets wait for each other"
    );
    let states = states_after(&figure_1(), |network, routing| {
        let adapter = port_of(network, "ab_3_3_0_0");
        routing.tables[adapter].tables[0].entries[0] = TableEntry::default();
    });
    assert_eq!(states["delivery"], State::Failed);
    assert_eq!(states["minimal"], State::Passed);
}

#[test]
fn swapped_pcie_ports_fail_delivery_and_nothing_else() {
    let states = states_after(&figure_1(), |network, routing| {
        let adapter = port_of(network, "ab_3_0_0_0");
        routing.tables[adapter].tables[2].entries.swap(0, 1);
    });
    assert_eq!(states["delivery"], State::Failed);
    let failed = states
        .values()
        .filter(|state| **state == State::Failed)
        .count();
    assert_eq!(failed, 1);
}

#[test]
fn mixed_dimension_order_deadlocks_unless_a_virtual_channel_is_stepped() {
    // Every other adapter block, as on a chessboard, routes y first: minimal, complete, cyclic.
    let mixed = |network: &Network, routing: &mut Routing| {
        for (number, block) in network.adapters().iter().enumerate() {
            if (block.coordinates[0] + block.coordinates[1]) % 2 == 1 {
                routing.tables[number].tables.swap(0, 1);
            }
        }
    };
    let states = states_after(&figure_1(), |network, routing| mixed(network, routing));
    assert_eq!(
        (states["delivery"], states["minimal"]),
        (State::Passed, State::Passed)
    );
    assert_eq!(states["deadlock"], State::Failed);
    // One channel up at every hop: 3 cables need channels 1, 2, 3; with two of them it still cycles.
    for (channels, expected) in [(4, State::Passed), (2, State::Failed)] {
        let mut spec = figure_1();
        spec.block.virtual_channels = channels;
        let states = states_after(&spec, |network, routing| {
            mixed(network, routing);
            let rows = routing
                .tables
                .iter_mut()
                .flat_map(|tables| tables.step.iter_mut());
            rows.flatten().for_each(|step| *step = true);
        });
        assert_eq!(states["deadlock"], expected, "{channels} channels");
    }
}

#[test]
fn every_layer_is_walked() {
    let mut spec = figure_1();
    spec.block.layers = 3;
    let states = states_after(&spec, |network, routing| {
        let adapter = port_of(network, "ab_2_0_0_0");
        // Layer 2, x = 1.
        routing.tables[adapter].tables[0].entries[2 * 4 + 1] = TableEntry::default();
    });
    assert_eq!(states["delivery"], State::Failed);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_valid_spec_passes_every_check(spec in small_specs()) {
        let network = topology::build(&spec);
        let routing = routing::build(&spec, &network, &Faults::none()).expect("routes");
        let report = quietly(&spec, &network, &routing);
        prop_assert!(report.passed, "{}", report.to_text());
    }
}

/// A network whose tables use every column: layers, steps, alternates.
fn decorated() -> (NetworkSpec, Network, Routing) {
    let mut spec = mkns(2, &[3, 7], &[Join::SwitchAssembly]);
    spec.block.layers = 2;
    let network = topology::build(&spec);
    let mut routing = routing::build(&spec, &network, &Faults::none()).expect("routes");
    routing.tables[4].step[1][11] = true;
    routing.tables[4].step[11][0] = true;
    routing.tables[7].tables[1].entries[9].alternate = Some(13);
    (spec, network, routing)
}

#[test]
fn dumped_tables_are_loaded_as_equal() {
    let (_, network, routing) = decorated();
    let text = routing::file::dump(&network, &routing.layout, &routing.tables);
    let loaded = routing::file::load("routes.csv", &text, &network, &routing.layout).unwrap();
    assert_eq!(loaded, routing.tables);
    assert!(
        text.contains("\nab_0_0_0_0,x,1,0,0,1,0,\n"),
        "x = 1 is port index 0"
    );
    assert!(text.contains("\nab_0_0_0_0,pcie,1,11,0,1,1,\n"));
}

#[test]
fn a_table_file_that_does_not_fit_is_refused_with_its_line() {
    let (_, network, routing) = decorated();
    let text = routing::file::dump(&network, &routing.layout, &routing.tables);
    let line = "ab_0_0_0_0,x,1,0,0,1,0,";
    for (wrong, fact) in [
        ("ab_0_0_0_0,x,1,0,0,1,0", "7 cells instead of 8"),
        (
            "ab_0_0_0_0,x,1,32,0,1,0,",
            "port is `32`, not a number from 0 to 31",
        ),
        ("ab_0_0_0_0,x,2,0,0,1,0,", "index 2 where 1 must follow"),
        ("ab_0_0_0_0,u,1,0,0,1,0,", "there is no address field `u`"),
        (
            "ab_9_0_0_0,x,1,0,0,1,0,",
            "block `ab_9_0_0_0` is unknown or out of order",
        ),
        (
            "ab_0_0_0_0,step,1,12,0,1,0,",
            "step names a port that the block does not have",
        ),
    ] {
        let spoilt = text.replacen(line, wrong, 1);
        let error = routing::file::load("r.csv", &spoilt, &network, &routing.layout).unwrap_err();
        assert_eq!(error.fact, fact);
        assert_eq!(error.place.excerpt.unwrap().line, 3, "{wrong}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn table_files_of_any_network_read_back_equal(spec in small_specs()) {
        let network = topology::build(&spec);
        let routing = routing::build(&spec, &network, &Faults::none()).expect("routes");
        let text = routing::file::dump(&network, &routing.layout, &routing.tables);
        let loaded = routing::file::load("r.csv", &text, &network, &routing.layout).unwrap();
        prop_assert_eq!(loaded, routing.tables);
    }
}
