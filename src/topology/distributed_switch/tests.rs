//! Laws of the wiring, over m, k and σ.

use std::collections::BTreeSet;

use super::{Complexity, DistributedSwitch, Stage, Structure};
use mkns_block_design::{Parameters, construct};

fn design(n: u32, m: u32, sigma: u32, cascades: u32) -> DistributedSwitch {
    let design = construct(Parameters::new(n, m, sigma)).expect("the design exists");
    DistributedSwitch::new(Structure::BlockDesign(design), m, cascades)
}

fn sizes(n: u32, m: u32, sigma: u32, cascades: u32) -> Vec<u32> {
    let switch = design(n, m, sigma, cascades);
    let terminals = (1..=cascades).map(|cascade| switch.stage(cascade).terminals());
    terminals.collect::<Vec<_>>().into_iter().rev().collect()
}

/// Copies that `from` sends to and `to` receives from, with multiplicity one.
fn common_copies(stage: &Stage, from: u32, to: u32) -> usize {
    let copies =
        |ways: &[super::Attachment]| ways.iter().map(|at| at.copy).collect::<BTreeSet<_>>();
    let (up, down) = (copies(stage.up(from)), copies(stage.down(to)));
    up.intersection(&down).count()
}

/// Every input and output of every copy has at most one terminal.
fn assert_ports_are_single(stage: &Stage) {
    for ways in [Stage::up, Stage::down] {
        let mut seen = BTreeSet::new();
        for terminal in 0..stage.terminals() {
            for at in ways(stage, terminal) {
                assert!(at.copy < stage.copies() && at.port < stage.copy_ports());
                assert!(seen.insert(*at), "{at:?} has two terminals");
            }
        }
    }
}

#[test]
fn digraphs_have_one_path_per_pair_in_every_stage() {
    for structure in [Structure::MultiRing, Structure::Hypercube] {
        for (m, k) in [
            (2, 1),
            (2, 2),
            (2, 3),
            (2, 4),
            (3, 1),
            (3, 2),
            (3, 3),
            (4, 2),
            (5, 1),
            (7, 1),
        ] {
            let switch = DistributedSwitch::new(structure.clone(), m, k);
            assert_eq!(switch.terminals(), m.pow(k + 1));
            for cascade in 1..=k {
                let stage = switch.stage(cascade);
                assert_ports_are_single(stage);
                for from in 0..stage.terminals() {
                    for to in 0..stage.terminals() {
                        assert_eq!(common_copies(stage, from, to), 1, "{from} to {to}");
                    }
                }
            }
        }
    }
}

#[test]
fn block_designs_have_sigma_paths_per_pair_in_every_stage() {
    for (n, m, sigma, k) in [
        (7, 4, 2, 4),
        (7, 3, 1, 3),
        (13, 4, 1, 2),
        (11, 5, 2, 2),
        (15, 7, 3, 2),
        (5, 4, 3, 3),
    ] {
        let switch = design(n, m, sigma, k);
        for cascade in 1..=k {
            let stage = switch.stage(cascade);
            assert_ports_are_single(stage);
            for from in 0..stage.terminals() {
                for to in 0..stage.terminals() {
                    let found = common_copies(stage, from, to) as u32;
                    assert!(found == sigma || found == m, "{from} to {to}: {found}");
                }
            }
        }
    }
}

#[test]
fn the_optimum_of_the_partial_group_of_b_7_4_2_gives_the_known_sizes() {
    assert_eq!(sizes(7, 4, 2, 5), [7, 11, 18, 31, 53]);
    let switch = design(7, 4, 2, 5);
    assert!(
        switch
            .placements()
            .iter()
            .all(|placement| placement.is_optimal)
    );
}

/// The search against every multiset of elements, for small designs.
#[test]
fn no_placement_is_longer_than_the_search_finds() {
    fn longest(stage: &Stage, first: u32, free: &mut [u32]) -> usize {
        let mut best = 0;
        for element in first..stage.terminals() {
            let copies: Vec<usize> = stage
                .up(element)
                .iter()
                .map(|at| at.copy as usize)
                .collect();
            if copies.iter().all(|copy| free[*copy] > 0) {
                copies.iter().for_each(|copy| free[*copy] -= 1);
                best = best.max(1 + longest(stage, element, free));
                copies.iter().for_each(|copy| free[*copy] += 1);
            }
        }
        best
    }
    for (n, m, sigma) in [(7, 4, 2), (7, 3, 1), (13, 4, 1), (11, 5, 2), (5, 4, 3)] {
        let switch = design(n, m, sigma, 1);
        for columns in 0..m {
            let placement = super::place(switch.stage(1), columns);
            let mut free = vec![columns; n as usize];
            let expected = longest(switch.stage(1), 0, &mut free);
            assert_eq!(
                placement.elements.len(),
                expected,
                "B({n},{m},{sigma}), {columns}"
            );
            assert!(placement.is_optimal);
        }
    }
}

#[test]
fn complexity_of_one_cascade_is_the_formula_of_the_paper() {
    for m in 2..=8 {
        let count = Complexity::of(&DistributedSwitch::new(Structure::Hypercube, m, 1));
        let (m, n) = (u64::from(m), u64::from(m * m));
        assert_eq!(
            (count.crosspoints, count.channels),
            (2 * m * n + n * n, m * n)
        );
        assert_eq!(count.direct_crosspoints, n * (n - 1));
    }
}

#[test]
fn spine_crosspoints_are_the_square_of_the_terminals() {
    for k in 1..=4 {
        let switch = DistributedSwitch::new(Structure::MultiRing, 3, k);
        assert_eq!(switch.spine_switches() * 9, switch.terminals().pow(2));
    }
}
