//! The kinds of networks beside MKNS: every one passes `mkns check`, is as large as its definition
//! says, and needs the virtual channels that its spec asks for.

use std::collections::{BTreeMap, BTreeSet};

use mkns::diag::Code;
use mkns::routing::verify::{self, State, VerificationReport};
use mkns::routing::{self, Routing};
use mkns::spec::{self, NetworkSpec};
use mkns::topology::{self, BlockId, CableKind, End, Faults, Network, PortIndex, metrics};

/// One network of each shape that matters: rings of two, without and with dateline, one to three of
/// them, several hosts a node.
const NETWORKS: [&str; 17] = [
    "torus(2)",
    "torus(3)",
    "torus(5)",
    "torus(2x3x4)",
    "torus(4x4x4)",
    "torus(6x5,2)",
    "torus(5x6x7)",
    "torus(2x2x2x2x2x2,2)",
    "KNS(4x4)",
    "KNS(3x10x2,2)",
    "HyperX(5x4)",
    "HyperX(4x3x2,3)",
    "fat_tree(4)",
    "fat_tree(4x4,2)",
    "fat_tree(5x5x10)",
    "fat_tree(4x6,2,3)",
    "fat_tree(2x3x4x2,1,3x1x5)",
];

fn parts(notation: &str) -> (NetworkSpec, Network, Routing) {
    let spec = spec::parse(notation).expect("a valid notation");
    let network = topology::build(&spec);
    let routing = routing::build(&spec, &network, &Faults::none()).expect("routes");
    (spec, network, routing)
}

fn check((spec, network, routing): &(NetworkSpec, Network, Routing)) -> VerificationReport {
    verify::verify(spec, network, &Faults::none(), routing, &|_| {})
}

fn states(report: &VerificationReport) -> BTreeMap<&'static str, State> {
    let checks = report.checks.iter();
    checks.map(|check| (check.name, check.state)).collect()
}

#[test]
fn every_kind_passes_every_check() {
    for notation in NETWORKS {
        let report = check(&parts(notation));
        assert!(report.passed, "{}", report.to_text());
        let all = states(&report);
        assert!(all.values().all(|state| *state == State::Passed), "{all:?}");
    }
}

#[test]
fn canonical_notations_mean_the_same_network() {
    for notation in NETWORKS {
        let spec = spec::parse(notation).expect("a valid notation");
        assert_eq!(spec.notation(), notation);
        assert_eq!(
            spec::parse(&spec.notation().to_uppercase()),
            Ok(spec.clone())
        );
        assert_eq!(spec::parse_toml("written", &spec.to_toml()), Ok(spec));
    }
}

/// The deadlock check when blocks have `channels` virtual channels, whatever validation says.
fn deadlock_with(notation: &str, channels: u32) -> State {
    let mut parts = parts(notation);
    parts.0.block.virtual_channels = channels;
    states(&check(&parts))["deadlock"]
}

#[test]
fn a_torus_needs_one_channel_more_than_it_has_datelines() {
    // Rings of up to 4 need none: half-way packets start at every other block only.
    assert_eq!(deadlock_with("torus(4x4x4)", 1), State::Passed);
    for (notation, least) in [
        ("torus(5)", 2),
        ("torus(5x4)", 2),
        ("torus(5x6)", 3),
        ("torus(5x4x7x6)", 4),
    ] {
        assert_eq!(deadlock_with(notation, least), State::Passed, "{notation}");
        assert_eq!(
            deadlock_with(notation, least - 1),
            State::Failed,
            "{notation}"
        );
    }
}

#[test]
fn a_notation_chooses_enough_channels_and_a_file_with_too_few_is_refused() {
    for (notation, channels) in [
        ("MKNS(2,4,2,1)", 1),
        ("MKNS(1,3x20,2,2)", 1),
        ("KNS(4x4)", 1),
        ("HyperX(4x4)", 1),
        ("fat_tree(5x10,2)", 1),
        ("hypercube(3)", 1),
        ("multi_ring(3,2)", 1),
        ("block_design(7,4,2)", 1),
        ("torus(4x4)", 1),
        ("torus(8)", 2),
        ("torus(4x5)", 2),
        ("torus(8x8)", 4),
        ("torus(5x5x5)", 4),
    ] {
        let spec = spec::parse(notation).expect("a valid notation");
        assert_eq!(spec.block.virtual_channels, channels, "{notation}");
        let more = spec::parse_with(notation, &["virtual_channels=4".to_owned()]);
        assert_eq!(more.expect("a valid setting").block.virtual_channels, 4);
    }
    let text = "network = \"torus(8x8)\"\n[block]\nvirtual_channels = 2\n";
    let found = spec::parse_toml("x.toml", text).expect_err("two channels are too few");
    assert_eq!(found[0].code, Code::TooFewChannels);
    assert!(found[0].fact.contains("fewer than 3"), "{}", found[0].fact);
}

#[test]
fn the_deadlock_check_follows_packets_from_every_channel_on_which_hosts_start() {
    let dependencies = |channels| {
        let mut parts = parts("torus(5)");
        parts.0.block.virtual_channels = channels;
        let report = check(&parts);
        let mut checks = report.checks.into_iter();
        let deadlock = checks.find(|check| check.name == "deadlock");
        let deadlock = deadlock.expect("it is there");
        assert_eq!(deadlock.state, State::Passed);
        let words = deadlock.examined.split(", ").nth(1).expect("a number");
        words
            .split(' ')
            .next()
            .expect("a number")
            .parse::<u32>()
            .expect("a number")
    };
    assert_eq!(dependencies(4), 2 * dependencies(2));
}

#[test]
fn without_its_dateline_a_ring_fails_the_deadlock_check() {
    let mut parts = parts("torus(6)");
    let last = parts.1.block_named("ab_5").expect("it exists").0 as usize;
    for row in &mut parts.2.tables[last].step {
        row.fill(false);
    }
    let states = states(&check(&parts));
    assert_eq!(states["deadlock"], State::Failed);
    assert_eq!(states["delivery"], State::Passed);
}

#[test]
fn a_route_the_long_way_round_is_not_minimal_and_not_the_closed_form() {
    let mut parts = parts("torus(5x3)");
    // From (0 0) to x = 2 by the port towards x = 4: three cables instead of two.
    let entry = &mut parts.2.tables[0].tables[0].entries[2];
    entry.port = 1;
    let states = states(&check(&parts));
    assert_eq!(states["delivery"], State::Passed);
    assert_eq!(states["minimal"], State::Failed);
    assert_eq!(states["arithmetic"], State::Failed);
}

/// Adapter blocks, switch blocks, cables.
fn size(notation: &str) -> (usize, usize, usize) {
    let network = parts(notation).1;
    let adapters = network.adapters().len();
    let switches = network.blocks.len() - adapters;
    (adapters, switches, network.cables.len())
}

#[test]
fn networks_are_as_large_as_their_definitions_say() {
    // N; n·N, a ring of two being one cable instead of two
    assert_eq!(size("torus(4x4x4)"), (64, 0, 192));
    assert_eq!(size("torus(2x2x4x4)"), (64, 0, 192));
    // a switch block a line: N/K1 + N/K2; n·N
    assert_eq!(size("KNS(4x10)"), (40, 14, 80));
    // leaves, spines as many as a leaf has ports up; N cables a level
    assert_eq!(size("fat_tree(5x10)"), (50, 10 + 5, 100));
    // 5-ary 3-tree, its top level used on both sides
    assert_eq!(size("fat_tree(5x5x10)"), (250, 50 + 50 + 25, 750));
    assert_eq!(size("fat_tree(4x6,2,3)"), (24, 6 + 3, 24 + 18));
    // K(K − 1)/2 a line
    assert_eq!(size("HyperX(8x4)"), (32, 0, 4 * 28 + 8 * 6));
}

#[test]
fn destinations_of_a_leaf_spread_over_all_ways_up_and_share_no_way_down() {
    let (_, network, routing) = parts("fat_tree(4x4x8)");
    let index = network.index();
    let mut last_ups = BTreeSet::new();
    let mut downs = BTreeSet::new();
    // From another part of the tree to the four adapter blocks of one leaf.
    for destination in 4..8 {
        let path =
            routing::trace(&network, &index, &routing, 100, destination).expect("it arrives");
        assert_eq!(path.hops.len(), 7, "up and down three levels");
        last_ups.insert((path.hops[2].block, path.hops[2].out_port));
        downs.insert((path.hops[4].block, path.hops[4].out_port));
    }
    assert_eq!((last_ups.len(), downs.len()), (4, 4));
}

/// Measured value and whether it is only a bound.
fn measured(notation: &str, name: &str) -> (u64, bool) {
    let (spec, network, _) = parts(notation);
    let metrics = metrics::measure(&spec, &network);
    let row = metrics.row(name).expect("a row of this name");
    (row.measured.expect("it was measured"), row.at_most)
}

#[test]
fn cuts_and_diameters_of_fat_trees_are_measured_on_the_graph() {
    assert_eq!(measured("fat_tree(4x4)", "diameter"), (4, false));
    assert_eq!(measured("fat_tree(4x4x8)", "diameter"), (6, false));
    // All halvings, with a minimum cut each: full bisection, and half of it with half the spines.
    assert_eq!(measured("fat_tree(4x4)", "bisection"), (8, false));
    assert_eq!(measured("fat_tree(4x4,1,2)", "bisection"), (4, false));
    assert_eq!(measured("fat_tree(4x4x8)", "bisection"), (64, true));
    assert_eq!(measured("fat_tree(4x4)", "connectivity"), (1, false));
}

#[test]
fn one_way_cables_lead_one_way() {
    // A ring of three by one-way cables on port 0 of each block: it sends to the next and hears from
    // the one before.
    let (spec, mut network, mut routing) = parts("torus(3)");
    for (cable, number) in network.cables.iter_mut().zip(0..3) {
        cable.a = End {
            block: BlockId(number),
            port: PortIndex(0),
        };
        cable.b = End {
            block: BlockId((number + 1) % 3),
            port: PortIndex(0),
        };
        cable.kind = CableKind::Simplex;
    }
    for tables in &mut routing.tables {
        for entry in tables.tables[0]
            .entries
            .iter_mut()
            .filter(|entry| !entry.same)
        {
            entry.port = 0;
        }
    }
    let index = network.index();
    let end = |block| End {
        block: BlockId(block),
        port: PortIndex(0),
    };
    assert_eq!(index.peer(end(0)), Some(end(1)));
    assert_eq!(
        index.receives_from(end(0)).map(|link| link.peer),
        Some(end(2))
    );
    let report = verify::verify(&spec, &network, &Faults::none(), &routing, &|_| {});
    let states = states(&report);
    assert_eq!(states["cables"], State::Passed, "{}", report.to_text());
    assert_eq!(states["delivery"], State::Passed);
    assert_eq!(
        states["minimal"],
        State::Passed,
        "the only way is the shortest"
    );
    assert_eq!(states["deadlock"], State::Failed, "a ring on one channel");
    // Two of them sending from one port are a fault.
    network.cables[1].a = network.cables[0].a;
    let report = verify::verify(&spec, &network, &Faults::none(), &routing, &|_| {});
    assert_eq!(self::states(&report)["cables"], State::Failed);
}
