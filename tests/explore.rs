//! `mkns explore`: every network of a size is listed, with the numbers that the other verbs give, and the front holds
//! those that no other beats.

use std::collections::BTreeSet;

use mkns::cabling::FloorPlan;
use mkns::explore::{self, EXAMPLE, Figures, KINDS, Prices, Wanted};
use mkns::routing::{self, UniformLoads};
use mkns::topology::{self, Faults};

fn wanted(vms: (u32, u32)) -> Wanted {
    Wanted {
        vms,
        vms_per_node: (1, 8),
        ports: 10,
        kinds: KINDS.to_vec(),
    }
}

fn prices() -> Prices {
    explore::read_prices("example", EXAMPLE).expect("the example is a price list")
}

fn figures(vms: (u32, u32)) -> Vec<Figures> {
    let candidates = explore::candidates(&wanted(vms));
    Figures::of_all(&candidates, &FloorPlan::default(), &prices(), || ())
        .expect("all can be measured")
}

#[test]
fn the_machines_of_the_paper_are_among_the_networks_of_their_size() {
    let named = |vms: u32| -> BTreeSet<String> {
        let found = explore::candidates(&wanted((vms, vms)));
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
        assert!((60..=66).contains(&network.terminals.len()), "{title}");
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
        .find(|figures| figures.network == "MKNS(2,4x4,2,1)");
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
    let ports = 20.0 * 10.0 + 16.0 * 2.0;
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
    assert_eq!((network.diameter, network.cable_faults_survived), (3, 3));
}

#[test]
fn nothing_on_the_front_is_beaten() {
    let found = figures((48, 50));
    let ranks: Vec<[f64; 3]> = found.iter().map(Figures::ranks).collect();
    let front = explore::front(&ranks);
    assert!(!front.is_empty() && front.len() < found.len() / 4);
    for &at in &front {
        let beaten = ranks
            .iter()
            .any(|other| other.iter().zip(&ranks[at]).all(|(a, b)| a <= b) && *other != ranks[at]);
        assert!(!beaten, "{}", found[at].network);
    }
}
