//! The fast model held to the reference: in networks under beats, faults, resets and accesses of control ports, blocks
//! of both that are given the same inputs show the same on every pin in every cycle.

mod control;
mod faults;
mod hosts;
mod pair;

use proptest::prelude::*;

use super::random_plan::random_plan;
use control::Controllers;
use faults::Faults;
use hosts::Hosts;
use mkns_design::Plan;
use mkns_random::Random;
use pair::Pair;

/// Runs both for some cycles; the first difference in words.
fn first_difference(plan: &Plan, cycles: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let mut hosts = Hosts::new(plan, &mut random);
    let mut controllers = Controllers::new(plan, &mut random);
    let computes_routes = !controllers.changes_routes && random.below(2) == 0;
    let mut pair = Pair::new(plan, computes_routes);
    let mut faults = Faults::new(plan, &mut random);
    for cycle in 0..cycles {
        hosts.drive(&mut pair, &mut random);
        controllers.drive(&mut pair, &mut random);
        faults.drive(&mut pair, &mut random, cycle);
        pair.step();
        if let Some(difference) = pair.difference(plan) {
            return Err(format!("cycle {cycle}: {difference}"));
        }
        hosts.observe(&pair);
        controllers.observe(&pair);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 24, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn fast_networks_do_what_the_reference_does(seed in 1..u64::MAX, cycles in 1000..2500u64) {
        let plan = random_plan(&mut Random::new(seed));
        let difference = first_difference(&plan, cycles, seed);
        let spec = (&plan.spec.kind, &plan.spec.block);
        prop_assert!(difference.is_ok(), "{spec:?}\n{}", difference.unwrap_err());
    }
}

#[test]
#[ignore = "a minute: make regress"]
fn fast_networks_do_what_the_reference_does_for_long() {
    for number in 1..=200 {
        // Neighbouring numbers begin alike.
        let seed = Random::new(number << 20 | 0xabcd).below(u64::MAX).max(1);
        let plan = random_plan(&mut Random::new(seed));
        if let Err(difference) = first_difference(&plan, 4000, seed) {
            panic!("seed {seed}, {:?}\n{difference}", plan.spec);
        }
    }
}

/// What blocks say of themselves while hosts send.
fn told(notation: &str) -> String {
    let mut random = Random::new(1);
    let spec = mkns_spec::parse(notation).expect("a valid spec");
    let plan = mkns_design::build(&spec).expect("a plan");
    let mut hosts = Hosts::new(&plan, &mut random);
    let mut pair = Pair::new(&plan, false);
    let mut told = String::new();
    for _ in 0..2000 {
        hosts.drive(&mut pair, &mut random);
        pair.step();
        hosts.observe(&pair);
        told += &pair.fast_states();
    }
    told
}

#[test]
fn states_are_told_in_words() {
    let of_switches = [
        "ingress",
        "payload beats",
        "egress",
        "on the tx pins",
        "output register",
    ];
    let of_splitters = ["packet in progress to branch", "locked by branch"];
    for (notation, words) in [
        ("MKNS(2,2,2,1)", &of_switches[..]),
        ("multi_ring(2,2)", &of_splitters),
    ] {
        let told = told(notation);
        for words in words {
            assert!(told.contains(words), "{notation} never says: {words}");
        }
        for sign in ["[", "{", "Some(", "None"] {
            assert!(!told.contains(sign), "Rust's {sign} in:\n{told}");
        }
    }
}
