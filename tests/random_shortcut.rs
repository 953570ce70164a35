//! Random shortcut topologies: the numbers of the paper's text and tables, and graphs that depend on nothing but
//! their spec.

use mkns::spec::{
    self, Base, BlockParameters, Method, NetworkKind, NetworkSpec, RandomShortcutSpec,
};
use mkns::topology::distances::{self, Adjacency};
use mkns::topology::{self, Network};

/// A graph of one host a block.
fn drawn(nodes: u32, degree: u32, choose: impl FnOnce(&mut RandomShortcutSpec)) -> Network {
    let mut graph = RandomShortcutSpec::new(nodes, degree, 1);
    choose(&mut graph);
    let block = BlockParameters {
        virtual_channels: 4,
        ..BlockParameters::default()
    };
    let spec = NetworkSpec::from_parts(NetworkKind::RandomShortcut(graph), block);
    topology::build(&spec.expect("a valid network"))
}

/// Diameter and mean distance.
fn distances(network: &Network) -> (u32, f64) {
    let adjacency = Adjacency::new(network, &network.index());
    let found = distances::between_adapters(network, &adjacency);
    assert_eq!(
        found.pairs,
        (network.blocks.len() * (network.blocks.len() - 1)) as u64
    );
    (found.diameter, found.total as f64 / found.pairs as f64)
}

fn degrees(network: &Network) -> Vec<usize> {
    let mut degrees = vec![0; network.blocks.len()];
    for cable in &network.cables {
        degrees[cable.a.block.0 as usize] += 1;
        degrees[cable.b.block.0 as usize] += 1;
    }
    degrees
}

/// Fig. 2 and verification: regular chords of 256 switches, K = 1…7.
#[test]
fn chords_of_a_loop_give_the_diameters_of_the_paper() {
    let wanted = [64, 33, 17, 10, 6, 5, 4];
    for (chords, wanted) in (1..).zip(wanted) {
        let spec = spec::parse(&format!("dln(256,{chords},1)")).expect("a valid network");
        let network = topology::build(&spec);
        assert_eq!(distances(&network).0, wanted, "K = {chords}");
        let degree = 2 + 1 + 2 * (chords - 1);
        assert!(
            degrees(&network).iter().all(|&found| found == degree),
            "K = {chords}"
        );
    }
}

/// Table 2: 64 switches of degree 4, 256 of degree 8; three hundred draws of the first lie between 3.05 and 3.30.
#[test]
fn single_draws_lie_in_the_ranges_of_table_2() {
    for seed in 1..=20 {
        let (diameter, mean) = distances(&drawn(64, 4, |graph| graph.seed = seed));
        assert!((5..=6).contains(&diameter), "seed {seed}: {diameter}");
        assert!((3.05..3.30).contains(&mean), "seed {seed}: {mean}");
        let (diameter, mean) = distances(&drawn(256, 8, |graph| graph.seed = seed));
        assert!((4..=5).contains(&diameter), "seed {seed}: {diameter}");
        assert!((2.87..2.925).contains(&mean), "seed {seed}: {mean}");
    }
}

/// Fig. 2: two shortcuts a switch; the best of a hundred graphs is better than the 8 that is printed.
#[test]
fn two_shortcuts_a_switch_make_the_diameter_of_256_switches_7() {
    assert_eq!(distances(&drawn(256, 4, |graph| graph.best_of = 100)).0, 7);
}

#[test]
fn degree_4_at_4096_switches_beats_the_hypercube_of_degree_12() {
    for seed in 1..=3 {
        assert_eq!(distances(&drawn(4096, 4, |graph| graph.seed = seed)).0, 10);
    }
}

#[test]
fn degree_14_makes_the_diameter_of_64_switches_3() {
    assert_eq!(distances(&drawn(64, 14, |_| ())).0, 3);
}

/// Table 1: least and greatest degree where the average is given; draws lie around the printed pair.
#[test]
fn an_average_degree_spreads_as_table_1_says() {
    let text = include_str!("../src/papers/random_shortcut/table1.csv");
    for line in text.lines().skip(1) {
        let cells: Vec<usize> = line
            .split(',')
            .skip(1)
            .map(|cell| cell.parse().expect("a number"))
            .collect();
        for (nodes, printed) in [(256, 1), (1024, 3)] {
            let degrees = degrees(&drawn(nodes, cells[0] as u32, |graph| {
                graph.method = Method::Average
            }));
            let [least, most] = [
                *degrees.iter().min().expect("blocks"),
                *degrees.iter().max().expect("blocks"),
            ];
            assert_eq!(degrees.iter().sum::<usize>(), nodes as usize * cells[0]);
            assert!(
                least.abs_diff(cells[printed]) <= 2,
                "{nodes}: least {least}, printed {}",
                cells[printed]
            );
            assert!(
                most.abs_diff(cells[printed + 1]) <= 5,
                "{nodes}: most {most}, printed {}",
                cells[printed + 1]
            );
        }
    }
}

#[test]
fn uniform_shortcuts_give_every_block_the_same_degree_on_every_base() {
    for base in [Base::Ring, Base::Torus, Base::Hypercube, Base::Tree] {
        let network = drawn(64, 8, |graph| graph.base = base);
        assert!(
            degrees(&network).iter().all(|&degree| degree == 8),
            "{base:?}"
        );
    }
}

/// The cables of seed 7, fixed so that no machine and no version draws others.
#[test]
fn a_seed_says_the_graph() {
    let ends = |seed: u32| -> Vec<(u32, u32)> {
        let network = drawn(16, 4, |graph| graph.seed = seed);
        let cables = network.cables.iter();
        cables
            .map(|cable| (cable.a.block.0, cable.b.block.0))
            .collect()
    };
    assert_eq!(ends(7), CABLES_OF_SEED_7);
    assert_ne!(ends(8), CABLES_OF_SEED_7);
}

const CABLES_OF_SEED_7: [(u32, u32); 32] = [
    (0, 1),
    (0, 15),
    (0, 10),
    (0, 14),
    (1, 2),
    (1, 5),
    (1, 4),
    (2, 3),
    (2, 12),
    (2, 6),
    (3, 4),
    (3, 14),
    (3, 7),
    (4, 5),
    (4, 9),
    (5, 6),
    (5, 10),
    (6, 7),
    (6, 9),
    (7, 8),
    (7, 13),
    (8, 9),
    (8, 13),
    (8, 11),
    (9, 10),
    (10, 11),
    (11, 12),
    (11, 15),
    (12, 13),
    (12, 15),
    (13, 14),
    (14, 15),
];
