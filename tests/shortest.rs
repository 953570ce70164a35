//! Shortest paths on graphs of every kind: what the engine claims holds, it says how many channels it would take
//! where blocks have too few, and the networks that have it by default are served by it.

use mkns::routing::{self, Routing, verify};
use mkns::spec::{self, NetworkSpec};
use mkns::topology::{self, Faults, Network, Part};

fn shortest(text: &str, settings: &[&str]) -> NetworkSpec {
    let all = ["routing=shortest"].iter().chain(settings);
    let all: Vec<String> = all.map(|&setting| setting.to_owned()).collect();
    spec::parse_with(text, &all).expect("a valid spec")
}

fn report(
    spec: &NetworkSpec,
    network: &Network,
    faults: &Faults,
    routing: &Routing,
) -> verify::VerificationReport {
    verify::verify(spec, network, faults, routing, &|_| {})
}

#[test]
fn networks_of_every_kind_have_shortest_paths_without_a_circle() {
    for text in [
        "MKNS(2,4x4,2,1)",
        "MKNS(1,3x12,2,2)",
        "KNS(4x4,1)",
        "HyperX(4x3,2)",
        "torus(6x6)",
        "torus(3x4x5)",
        "fat_tree(2x4,2)",
        "slim_fly(4,2)",
        "slim_fly(5,4)",
        "slim_fly(7,1)",
        "random_shortcut(64,4,2)",
        "dln(100,3,1)",
    ] {
        let spec = shortest(text, &[]);
        let network = topology::build(&spec);
        let routing = routing::build(&spec, &network, &Faults::none()).expect("routes");
        let report = report(&spec, &network, &Faults::none(), &routing);
        assert!(report.passed, "{}", report.to_text());
        let minimal = report.checks.iter().find(|check| check.name == "minimal");
        let minimal = minimal.expect("a check");
        assert_eq!(
            minimal.state,
            verify::State::Passed,
            "{text}: the claim is checked"
        );
    }
}

#[test]
fn without_steps_the_same_paths_make_a_circle() {
    let spec = shortest("slim_fly(5,4)", &[]);
    assert_eq!(spec.block.virtual_channels, 2);
    let network = topology::build(&spec);
    let mut routing = routing::build(&spec, &network, &Faults::none()).expect("routes");
    let steps = routing
        .tables
        .iter_mut()
        .flat_map(|tables| &mut tables.step);
    steps.flatten().for_each(|step| *step = false);
    assert!(verify::is_cyclic(
        &spec,
        &network,
        &Faults::none(),
        &routing
    ));
}

#[test]
fn too_few_channels_are_refused_with_the_number_that_it_takes() {
    for (text, channels, needed) in [
        ("slim_fly(5,4)", 1, 2),
        ("random_shortcut(64,4,2)", 2, 3),
        ("random_shortcut(1024,3,1)", 4, 6),
    ] {
        let spec = shortest(text, &[&format!("virtual_channels={channels}")]);
        let network = topology::build(&spec);
        let error = routing::build(&spec, &network, &Faults::none()).expect_err("too few channels");
        let fact = format!(
            "paths of this network need {needed} virtual channels, and blocks have {channels}"
        );
        assert_eq!(error.fact, fact, "{text}");
    }
}

/// Two channels are enough for these; blocks have 2 by default where distances say so.
#[test]
fn fewer_channels_than_the_bound_are_taken_where_they_suffice() {
    for text in ["dln(64,1,1)", "random_shortcut(64,6,2)", "KNS(4x4,1)"] {
        let spec = shortest(text, &["virtual_channels=2"]);
        let network = topology::build(&spec);
        let routing = routing::build(&spec, &network, &Faults::none()).expect("routes");
        assert!(
            report(&spec, &network, &Faults::none(), &routing).passed,
            "{text}"
        );
    }
}

/// Spec of a network whose engine nobody names; none where its default is another.
fn by_default(text: &str, settings: &[String]) -> Option<NetworkSpec> {
    let spec = spec::parse_with(text, settings).ok()?;
    (spec.routing == "shortest").then_some(spec)
}

#[test]
fn networks_that_have_it_by_default_are_served() {
    let mut served = 0;
    let mut serve = |text: &str, settings: &[String]| {
        let Some(spec) = by_default(text, settings) else {
            return;
        };
        let network = topology::build(&spec);
        let routing = routing::build(&spec, &network, &Faults::none());
        let routing = routing.unwrap_or_else(|error| panic!("{text} {settings:?}: {}", error.fact));
        assert!(
            !verify::is_cyclic(&spec, &network, &Faults::none(), &routing),
            "{text}"
        );
        served += 1;
    };
    for order in [3, 4, 5, 7] {
        serve(&format!("slim_fly({order},1)"), &[]);
    }
    for nodes in [5, 7, 12, 31, 64, 100, 255, 512] {
        for chords in [1, 2, 3, 5, 9] {
            serve(&format!("dln({nodes},{chords},1)"), &[]);
        }
    }
    for (nodes, degree) in [
        (8, 3),
        (16, 3),
        (32, 3),
        (16, 4),
        (64, 4),
        (256, 4),
        (364, 4),
        (512, 5),
        (64, 8),
        (512, 8),
    ] {
        for base in ["ring", "torus", "hypercube", "tree"] {
            for method in ["uniform", "average"] {
                for seed in 1..=2 {
                    let settings = [
                        format!("network.base={base}"),
                        format!("network.method={method}"),
                        format!("network.seed={seed}"),
                    ];
                    serve(&format!("random_shortcut({nodes},{degree},1)"), &settings);
                }
            }
        }
    }
    assert!(served > 100, "{served} networks");
}

#[test]
fn failed_cables_are_gone_round_and_paths_stay_as_short_as_they_can() {
    let spec = shortest("slim_fly(5,1)", &["virtual_channels=4"]);
    let network = topology::build(&spec);
    for first in (0..network.cables.len() as u32).step_by(9) {
        let faults: Faults = [first, (first + 60) % 175]
            .map(Part::Cable)
            .into_iter()
            .collect();
        let routing = routing::build(&spec, &network, &faults).expect("routes");
        let report = report(&spec, &network, &faults, &routing);
        assert!(report.passed, "{}", report.to_text());
        let minimal = report.checks.iter().find(|check| check.name == "minimal");
        let paths = &minimal.expect("a check").examined;
        assert!(
            paths.ends_with("shortest: +0: 2500") || paths.ends_with("+0: 2450"),
            "{paths}"
        );
    }
}
