//! Slim Fly as the paper builds it: sizes and distances of every order, the Hoffman–Singleton graph at q = 5, racks
//! and their cables.

use std::collections::BTreeSet;

use mkns::spec;
use mkns::topology::distances::{self, Adjacency};
use mkns::topology::{self, Network};

/// q, k', adapter blocks, cables, diameter, mean distance: `tests/data/golden_slimfly.csv`.
fn golden() -> Vec<(u32, [usize; 3], u32, f64)> {
    let text = include_str!("data/golden_slimfly.csv");
    let rows = text.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let whole = |at: usize| -> usize { cells[at].parse().expect("a number") };
        let mean = cells[9].parse().expect("a number");
        let sizes = [whole(4), whole(3), whole(7)];
        (whole(0) as u32, sizes, whole(8) as u32, mean)
    });
    rows.collect()
}

fn slim_fly(order: u32) -> Network {
    let spec = spec::parse(&format!("slim_fly({order},1)")).expect("a valid order");
    topology::build(&spec)
}

/// Labels (s, a, b) of both ends of every cable, the lower end first.
fn labelled_cables(network: &Network) -> BTreeSet<[Vec<u32>; 2]> {
    let cables = network.cables.iter().map(|cable| {
        let ends = [cable.a, cable.b];
        let mut labels = ends.map(|end| network.block(end.block).coordinates[..3].to_vec());
        labels.sort();
        labels
    });
    cables.collect()
}

#[test]
fn sizes_and_distances_of_every_order_are_the_paper_s() {
    let golden = golden();
    assert_eq!(golden.len(), 12);
    for (order, [degree, blocks, cables], diameter, mean) in golden {
        let network = slim_fly(order);
        let found = [
            usize::from(network.blocks[0].network_ports),
            network.blocks.len(),
            network.cables.len(),
        ];
        assert_eq!(found, [degree, blocks, cables], "q = {order}");
        let adjacency = Adjacency::new(&network, &network.index());
        let distances = distances::between_adapters(&network, &adjacency);
        assert_eq!(distances.diameter, diameter, "q = {order}");
        let found = distances.total as f64 / distances.pairs as f64;
        assert!((found - mean).abs() < 1e-6, "q = {order}: {found}");
    }
}

#[test]
fn the_cables_of_order_5_are_the_paper_s() {
    let text = include_str!("data/slimfly_q5_edges.csv");
    let printed = text.lines().skip(1).map(|line| {
        let label = |cells: &[&str]| -> Vec<u32> {
            let numbers = cells.iter().map(|cell| cell.parse().expect("a number"));
            numbers.collect()
        };
        let cells: Vec<&str> = line.split(',').collect();
        let mut ends = [label(&cells[..3]), label(&cells[3..6])];
        ends.sort();
        ends
    });
    let printed: BTreeSet<[Vec<u32>; 2]> = printed.collect();
    assert_eq!(printed.len(), 175);
    assert_eq!(labelled_cables(&slim_fly(5)), printed);
}

/// A² + A − 6I = J has no other solution of 50 vertices of 7 edges each (Hoffman and Singleton 1960).
#[test]
fn order_5_is_the_hoffman_singleton_graph() {
    let network = slim_fly(5);
    let mut joined = [[0; 50]; 50];
    for cable in &network.cables {
        let [a, b] = [cable.a, cable.b].map(|end| end.block.0 as usize);
        joined[a][b] += 1;
        joined[b][a] += 1;
    }
    for a in 0..50 {
        for b in 0..50 {
            let square: i32 = (0..50).map(|c| joined[a][c] * joined[c][b]).sum();
            let identity = i32::from(a == b);
            assert_eq!(square + joined[a][b] - 6 * identity, 1, "{a} and {b}");
        }
    }
}

#[test]
fn racks_of_order_5_hold_75_cables_and_10_join_any_two() {
    let cables = labelled_cables(&slim_fly(5));
    let mut between = [[0; 5]; 5];
    for [one, two] in &cables {
        let mut racks = [one[1] as usize, two[1] as usize];
        racks.sort_unstable();
        between[racks[0]][racks[1]] += 1;
    }
    for (one, row) in between.iter().enumerate() {
        assert_eq!(row[one], 15, "within rack {one}");
        assert!(row[one + 1..].iter().all(|&cables| cables == 10));
    }
}

#[test]
fn orders_that_are_no_prime_power_are_refused_with_the_reason() {
    for order in [2, 6, 10, 12, 14, 15, 23, 27] {
        let refusals = spec::parse(&format!("slim_fly({order},1)")).expect_err("no such order");
        assert!(
            refusals[0].fact.contains("prime power"),
            "{}",
            refusals[0].fact
        );
        assert!(refusals[0].remedy.contains("25"), "{}", refusals[0].remedy);
    }
}
