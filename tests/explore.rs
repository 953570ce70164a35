//! `mkns explore`: every network of a size is listed, with the numbers that the other verbs give, and the front holds
//! those that no other beats.

use std::collections::BTreeSet;

use mkns::cabling::FloorPlan;
use mkns::explore::{self, EXAMPLE, Figures, KINDS, ParetoStanding, Prices, SearchLimits};
use mkns::routing::{self, UniformLoads};
use mkns::topology::{self, Faults};

fn wanted(hosts: (u32, u32)) -> SearchLimits {
    SearchLimits {
        hosts,
        vms_per_node: (1, 8),
        ports: 10,
        kinds: KINDS.to_vec(),
    }
}

fn prices() -> Prices {
    explore::read_prices("example", EXAMPLE).expect("the example is a price list")
}

fn figures(hosts: (u32, u32)) -> Vec<Figures> {
    let candidates = explore::candidates(&wanted(hosts));
    Figures::of_all(&candidates, &FloorPlan::default(), &prices(), || ())
        .expect("all can be measured")
}

#[test]
fn the_machines_of_the_paper_are_among_the_networks_of_their_size() {
    let named = |hosts: u32| -> BTreeSet<String> {
        let found = explore::candidates(&wanted((hosts, hosts)));
        found
            .into_iter()
            .map(|candidate| candidate.notation)
            .collect()
    };
    let of_160 = named(160);
    for notation in [
        "MKNS(2,8x10,2,1)",
        "KNS(10x8,2)",
        "torus(5x4x4,2)",
        "fat_tree(4x4x5,2)",
    ] {
        assert!(of_160.contains(notation), "{notation}");
    }
    assert!(named(200).contains("slim_fly(5,4)"));
    assert!(named(1600).contains("MKNS(2,8x10x10,3,1)"));
    assert!(named(64).contains("multi_ring(8,1)"));
    assert!(named(149).contains("block_design(37,9,2,2)"));
    assert!(named(130).contains("block_design(13,4,1,3)"));
}

#[test]
fn all_that_is_listed_fits() {
    let found = explore::candidates(&wanted((60, 66)));
    assert!(found.len() > 100, "{}", found.len());
    for candidate in &found {
        let network = topology::build(&candidate.spec);
        let title = &candidate.notation;
        assert!((60..=66).contains(&network.hosts.len()), "{title}");
        assert!(
            network.blocks.iter().all(|block| block.network_ports <= 10),
            "{title}"
        );
    }
    let titles: BTreeSet<&String> = found.iter().map(|candidate| &candidate.notation).collect();
    assert_eq!(titles.len(), found.len(), "each is listed once");
}

/// MKNS(2,4,2,1): 4 × 4 blocks, a mesh of 4 in dimension 1, a switch block for each line of dimension 2. An adapter
/// block of a line reaches 12 others through its one cable of dimension 2, from each of the 4 of its plane.
#[test]
fn the_bound_follows_from_the_busiest_cable() {
    let spec = mkns::spec::parse("MKNS(2,4,2,1)").expect("a notation");
    let network = topology::build(&spec);
    let routes = routing::build(&spec, &network, &Faults::none()).expect("it has routes");
    let loads = UniformLoads::of(&spec, &network, &routes);
    assert_eq!(loads.busiest, 12);
    assert!((loads.bound(32, 2) - 31.0 / 48.0).abs() < 1e-12);
    assert!(
        (loads.mean_cables - 2.4).abs() < 1e-12,
        "{}",
        loads.mean_cables
    );
}

#[test]
fn costs_are_the_sum_of_the_parts() {
    let found = figures((32, 32));
    let network = found
        .iter()
        .find(|figures| figures.network == "MKNS(2,4x4,2,1) --set network.ports=6");
    let network = network.expect("it is listed");
    let prices = prices();
    let cables: f64 = network
        .bill
        .iter()
        .map(|bill| {
            let metres = bill.longest_mm.metres();
            f64::from(bill.cables) * prices.cable(metres).cost
        })
        .sum();
    let ports = 20.0 * 6.0 + 16.0 * 2.0;
    let wanted = 16.0 * prices.adapter_block.cost
        + 4.0 * prices.switch_block.cost
        + ports * prices.port.cost
        + cables;
    assert!(
        (network.amount.cost - wanted).abs() < 1e-6,
        "{} {wanted}",
        network.amount.cost
    );
    assert_eq!(
        (
            network.adapter_blocks,
            network.switch_blocks,
            network.cables
        ),
        (16, 4, 40)
    );
    assert_eq!(network.diameter, Some(3));
}

fn of_kinds(hosts: (u32, u32), vms_per_node: (u32, u32), kinds: &[&'static str]) -> Vec<Figures> {
    let wanted = SearchLimits {
        vms_per_node,
        kinds: kinds.to_vec(),
        ..wanted(hosts)
    };
    let candidates = explore::candidates(&wanted);
    Figures::of_all(&candidates, &FloorPlan::default(), &prices(), || ())
        .expect("all can be measured")
}

#[test]
fn nothing_on_the_front_is_beaten() {
    let found = figures((48, 50));
    let ranks: Vec<Option<[f64; 3]>> = found.iter().map(Figures::ranks).collect();
    let standings = explore::standings(&found.iter().collect::<Vec<_>>());
    let beats = |other: &[f64; 3], own: &[f64; 3]| {
        other.iter().zip(own).all(|(a, b)| a <= b) && other != own
    };
    let mut unbeaten = 0;
    for (at, standing) in standings.iter().enumerate() {
        let own = ranks[at];
        let is_beaten =
            own.is_some_and(|own| ranks.iter().flatten().any(|other| beats(other, &own)));
        match standing {
            ParetoStanding::Unbeaten | ParetoStanding::Like(_) => {
                assert!(!is_beaten, "{}", found[at].network)
            }
            ParetoStanding::NotCompared => assert!(own.is_none(), "{}", found[at].network),
            ParetoStanding::Close | ParetoStanding::Beaten => {
                let is_equal = ranks[..at].contains(&own);
                assert!(is_beaten || is_equal, "{}", found[at].network);
            }
        }
        unbeaten += usize::from(*standing == ParetoStanding::Unbeaten);
    }
    assert!(unbeaten > 0 && unbeaten < found.len() / 4);
}

#[test]
fn numbers_a7_networks_that_were_left_out_are_candidates() {
    let named = |hosts: (u32, u32)| -> BTreeSet<String> {
        let found = explore::candidates(&wanted(hosts));
        let words = |candidate: explore::Candidate| {
            candidate.notation + &mkns::spec::settings_as_words(&candidate.settings)
        };
        found.into_iter().map(words).collect()
    };
    let found = named((60, 64));
    for network in [
        "random_shortcut(32,3,2) --set network.best_of=10",
        "random_shortcut(32,7,2) --set network.best_of=10",
        "random_shortcut(30,5,2) --set network.best_of=10",
        "torus(30,2)",
        "torus(32,2)",
        "HyperX(2x2x2x2x2x2,1)",
        "KNS(2x2x2x2x2,2) --set network.ports=5",
        "MKNS(2,4x4x2,3,1) --set network.ports=6",
        "MKNS(2,4x4x2,3,0x1) --set network.ports=7",
        "MKNS(2,4x4x2,3,1x0) --set network.ports=6",
    ] {
        assert!(found.contains(network), "{network}");
    }
    let wanted = SearchLimits {
        vms_per_node: (2, 2),
        kinds: vec!["mkns"],
        ..wanted((16_000, 16_000))
    };
    let found = explore::candidates(&wanted);
    let machine = found
        .iter()
        .find(|found| found.notation == "MKNS(2,8x10x10x10,4,1)");
    assert!(machine.is_some_and(|machine| machine.settings.is_empty()));
}

/// A network of six ports in a machine of the product's own kind costs what a torus of six ports does.
#[test]
fn numbers_a7_mkns_pays_for_the_ports_that_it_needs() {
    let found = of_kinds((64, 64), (2, 2), &["mkns"]);
    let narrow = found
        .iter()
        .find(|figures| figures.notation == "MKNS(2,4x4x2,3,1)");
    let narrow = narrow.expect("it is listed");
    assert_eq!(narrow.ports, 6);
    assert!(narrow.cost_per_host() < 520.0, "{}", narrow.cost_per_host());
}

#[test]
fn numbers_a7_a_network_without_a_mean_way_is_not_compared() {
    let mut found = of_kinds((8, 8), (1, 1), &["hypercube", "torus"]);
    Figures::measure_cuts(found.iter_mut().collect(), || ());
    let standings = explore::standings(&found.iter().collect::<Vec<_>>());
    let mut switches = 0;
    for (figures, standing) in found.iter().zip(standings) {
        if figures.kind != "hypercube" {
            assert_ne!(standing, ParetoStanding::NotCompared);
            continue;
        }
        switches += 1;
        assert_eq!(standing, ParetoStanding::NotCompared, "{}", figures.network);
        assert_eq!((figures.diameter, figures.mean_cables), (None, None));
        let line = explore::table(&[figures]);
        assert_eq!(line.matches('–').count(), 6, "{line}");
        let json = serde_json::to_value(figures).expect("it can be written");
        for field in [
            "diameter",
            "mean_cables",
            "cable_faults_survived",
            "throughput_bound",
        ] {
            assert!(json[field].is_null(), "{field}");
        }
    }
    assert!(switches > 0);
}

#[test]
fn numbers_a7_what_a_higher_bound_would_make_unbeaten_is_close() {
    let found = of_kinds((60, 64), (2, 2), &["torus", "mkns", "random_shortcut"]);
    let standings = explore::standings(&found.iter().collect::<Vec<_>>());
    let mut close = 0;
    for (figures, standing) in found.iter().zip(&standings) {
        if !matches!(standing, ParetoStanding::Close | ParetoStanding::Beaten) {
            continue;
        }
        let raised = figures
            .ranks_at(1.0 + explore::CLOSE)
            .expect("it has a bound");
        let ranks = found.iter().filter_map(Figures::ranks);
        let mut better = ranks.filter(|other| other.iter().zip(&raised).all(|(a, b)| a <= b));
        let is_beaten = better.any(|other| other != raised);
        assert_eq!(
            *standing == ParetoStanding::Close,
            !is_beaten,
            "{}",
            figures.network
        );
        close += usize::from(*standing == ParetoStanding::Close);
    }
    assert!(close > 0);
}

#[test]
fn users_15_drawn_graphs_of_almost_one_size_stand_for_each_other() {
    let found = of_kinds((96, 102), (1, 1), &["random_shortcut"]);
    let standings = explore::standings(&found.iter().collect::<Vec<_>>());
    let mut alike = 0;
    for (at, standing) in standings.iter().enumerate() {
        let ParetoStanding::Like(other) = *standing else {
            continue;
        };
        alike += 1;
        assert_eq!(standings[other], ParetoStanding::Unbeaten);
        let (own, first) = (&found[at], &found[other]);
        assert_eq!(own.drawn_family(), first.drawn_family());
        let pairs = [
            (own.cost_per_host(), first.cost_per_host()),
            (
                own.mean_cables.expect("a mean"),
                first.mean_cables.expect("a mean"),
            ),
        ];
        for (own, first) in pairs {
            assert!((own / first - 1.0).abs() < 0.021, "{own} {first}");
        }
    }
    assert!(alike > 0);
}

fn explored(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mkns"));
    let output = command.arg("explore").args(arguments).output();
    let output = output.expect("mkns runs");
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn numbers_b9_what_keeps_networks_out_is_named() {
    let kinds = ["--kinds", "hypercube,multi_ring"];
    for (arguments, reason) in [
        (
            &["--hosts", "64", "--hosts-per-block", "2"][..],
            "has 2 hosts per adapter block",
        ),
        (
            &["--hosts", "121", "--ports", "10"],
            "has blocks of at most 10 ports",
        ),
        (
            &["--hosts", "131"],
            "no network of the kinds multi_ring, hypercube has 131 hosts",
        ),
    ] {
        let (code, _, said) = explored(&[arguments, &kinds].concat());
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(reason), "{said}");
    }
}

/// Networks that others beat by their bound alone.
#[test]
fn numbers_a7_close_networks_are_simulated_too() {
    let arguments = [
        "--hosts",
        "32",
        "--hosts-per-block",
        "2",
        "--kinds",
        "torus,mkns",
        "--format",
        "json",
    ];
    let short = [
        "--simulated",
        "4",
        "--load",
        "0.1",
        "--cycles",
        "200",
        "--warmup",
        "100",
    ];
    let (code, document, said) = explored(&[&arguments[..], &short].concat());
    assert_eq!(code, Some(0), "{said}");
    let document: serde_json::Value = serde_json::from_str(&document).expect("JSON");
    let names = |list: &serde_json::Value| -> BTreeSet<String> {
        let rows = list.as_array().expect("a list").iter();
        rows.map(|row| row["network"].as_str().expect("a name").to_owned())
            .collect()
    };
    let unbeaten = names(&document["networks"]);
    let simulated = names(&document["simulated"]["networks"]);
    assert!(
        !simulated.is_subset(&unbeaten),
        "{simulated:?} {unbeaten:?}"
    );
    assert!(
        !simulated.is_disjoint(&unbeaten),
        "{simulated:?} {unbeaten:?}"
    );
}
