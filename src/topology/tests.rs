//! Numbers of networks without symmetry: connectivity and tree diameters are those of all pairs and all centres, and
//! the bound on the bisection is one that an established heuristic finds.

use std::collections::VecDeque;

use crate::metrics::{self, Metric};
use crate::{self as topology, Network};
use mkns_spec::{NetworkSpec, parse, parse_with};

fn shortcuts(nodes: u32, degree: u32, settings: &[&str]) -> NetworkSpec {
    let settings: Vec<String> = settings.iter().map(|text| (*text).to_owned()).collect();
    parse_with(&format!("random_shortcut({nodes},{degree},1)"), &settings).expect("a valid network")
}

fn row(spec: &NetworkSpec, name: &str) -> Metric {
    let metrics = metrics::measure(spec, &topology::build(spec));
    metrics.row(name).expect("the row is printed").clone()
}

/// Measured value, which is no bound.
fn exact(spec: &NetworkSpec, name: &str) -> u64 {
    let row = row(spec, name);
    assert!(!row.at_most && !row.at_least, "{name} of {}", spec.name);
    row.measured.expect("it was measured")
}

/// Cables of the adapter block that has fewest.
fn least_degree(network: &Network) -> u64 {
    let mut degrees = vec![0; network.blocks.len()];
    for cable in &network.cables {
        degrees[cable.a.block.0 as usize] += 1;
        degrees[cable.b.block.0 as usize] += 1;
    }
    *degrees.iter().min().expect("blocks")
}

#[test]
fn numbers_a2_connectivity_of_irregular_networks_is_that_of_all_blocks() {
    for (nodes, degree, seed, cables) in [
        (300, 6, 1, 2),
        (600, 6, 1, 2),
        (300, 4, 1, 2),
        (300, 4, 2, 2),
        (300, 4, 4, 2),
    ] {
        let seed = format!("network.seed={seed}");
        let spec = shortcuts(nodes, degree, &["network.method=\"average\"", &seed]);
        assert_eq!(
            exact(&spec, "connectivity"),
            cables,
            "{nodes} {degree} {seed}"
        );
    }
}

/// Two halves of a network that few cables join, each block in its half having many: the least degree says nothing.
#[test]
fn numbers_a2_connectivity_is_that_of_the_narrowest_cut() {
    let spec = parse("HyperX(9x2,1)").expect("a valid network");
    let mut network = topology::build(&spec);
    let side = |block: u32| block / 9;
    let mut left = 3;
    network.cables.retain(|cable| {
        let crosses = side(cable.a.block.0) != side(cable.b.block.0);
        left -= i32::from(crosses);
        !crosses || left >= 0
    });
    let metrics = metrics::measure(&spec, &network);
    let row = metrics.row("connectivity").expect("a row");
    assert_eq!(row.measured, Some(3));
    assert!(least_degree(&network) == 8);
}

/// The least over all centres, from a search around each.
fn tree_diameter(network: &Network) -> u64 {
    let mut neighbours = vec![Vec::new(); network.blocks.len()];
    for cable in &network.cables {
        let (a, b) = (cable.a.block.0 as usize, cable.b.block.0 as usize);
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    let farthest = |centre: &[usize]| {
        let mut distances = vec![u64::MAX; neighbours.len()];
        centre.iter().for_each(|&block| distances[block] = 0);
        let mut queue: VecDeque<usize> = centre.iter().copied().collect();
        while let Some(block) = queue.pop_front() {
            for &next in &neighbours[block] {
                if distances[next] == u64::MAX {
                    distances[next] = distances[block] + 1;
                    queue.push_back(next);
                }
            }
        }
        distances[..network.adapters().len()]
            .iter()
            .copied()
            .max()
            .expect("blocks")
    };
    let blocks = (0..neighbours.len()).map(|block| 2 * farthest(&[block]));
    let cables = network.cables.iter();
    let cables =
        cables.map(|cable| 2 * farthest(&[cable.a.block.0 as usize, cable.b.block.0 as usize]) + 1);
    blocks.chain(cables).min().expect("blocks")
}

#[test]
fn numbers_a3_tree_diameter_is_the_least_over_all_centres() {
    for (nodes, degree, diameter) in [
        (600, 5, 11),
        (1000, 8, 9),
        (1000, 5, 12),
        (2000, 4, 16),
        (4096, 3, 26),
    ] {
        let spec = shortcuts(nodes, degree, &[]);
        assert_eq!(exact(&spec, "tree diameter"), diameter, "{nodes} {degree}");
    }
    for notation in [
        "random_shortcut(60,3,1)",
        "KNS(3x4,1)",
        "MKNS(1,3x9,2,2)",
        "fat_tree(3x4,1)",
        "slim_fly(3,1)",
        "dln(30,1,1)",
    ] {
        let spec = parse(notation).expect("a valid network");
        assert_eq!(
            exact(&spec, "tree diameter"),
            tree_diameter(&topology::build(&spec)),
            "{notation}"
        );
    }
}

#[test]
fn numbers_a4_bisection_bounds_are_cuts_that_a_heuristic_finds() {
    for (notation, cables) in [
        ("dln(32,3,1)", 16),
        ("dln(64,4,1)", 32),
        ("random_shortcut(64,4,1)", 22),
        ("random_shortcut(200,4,1)", 54),
        ("random_shortcut(30,5,2)", 19),
        ("KNS(4x4x4,1)", 28),
        // As before.
        ("MKNS(2,8x10x10,3,1)", 336),
        ("torus(8x8x4,2)", 64),
        ("slim_fly(7,1)", 175),
    ] {
        let row = row(&parse(notation).expect("a valid network"), "bisection");
        assert!(row.at_most, "{notation}");
        let found = row.measured.expect("it was measured");
        assert!(found <= cables, "{notation}: {found}");
    }
}

/// docs/reference/spec.md states them.
#[test]
fn numbers_b7_blocks_have_the_ports_that_the_page_states() {
    for (notation, ports) in [
        ("dln(30,1)", 3),
        ("random_shortcut(30,3)", 3),
        ("torus(30)", 4),
        ("HyperX(3)", 4),
        ("fat_tree(2x2)", 4),
        ("KNS(4x4)", 10),
    ] {
        let network = topology::build(&parse(notation).expect("a valid network"));
        let all = network.blocks.iter().map(|block| block.network_ports);
        assert_eq!(all.max(), Some(ports), "{notation}");
    }
}
