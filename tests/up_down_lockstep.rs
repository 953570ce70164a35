//! Up and down a tree in hardware: networks of every kind with random failed parts, RTL and reference in lockstep.
#![cfg(feature = "cosim")]

use crate::common::damage::{NETWORKS, damage};
use crate::common::lockstep::run_networks;
use crate::common::rtl_designs::quick_models;
use mkns::cosim::{FaultPlan, Request, Subject};
use mkns::design::Plan;
use mkns::random::Random;
use mkns::rtl::render_sources;
use mkns::traffic::Pattern;
use mkns::{routing, spec, topology};

/// Of the failed cables that could fail, per mille: the last tree in every other case.
const SHARES: [usize; 4] = [1000, 300, 1000, 700];

/// Case `number`: the next network, other cables down each time.
fn runs(number: usize) {
    let text = NETWORKS[number % NETWORKS.len()];
    let spec = spec::parse_with(text, &["routing=up_down".to_owned()]).expect("a valid spec");
    let network = topology::build(&spec);
    let mut random = Random::new(number as u64 + 1);
    let keys: Vec<u64> = (0..64).map(|_| random.below(u64::MAX)).collect();
    let faults = damage(&network, &keys, SHARES[number % SHARES.len()]);
    let routes = routing::build(&spec, &network, &faults).expect("routes");
    let plan = Plan::with_faults(&spec, network, faults, routes);
    let models = quick_models(&render_sources(&plan));
    let request = Request {
        cables: mkns::cosim::CableFaultPlan::default(),
        spec: text.to_owned(),
        set: Vec::new(),
        failures: String::new(),
        traffic: vec![Pattern::Uniform],
        load: 300,
        cycles: 2_000,
        seed: number as u64,
        fault_plan: FaultPlan::default(),
        threads: 2,
        trace: None,
    };
    let summaries = run_networks(Subject::Network(&plan), &models, &request);
    let summaries = summaries.unwrap_or_else(|error| panic!("{text}, case {number}: {error:?}"));
    assert!(summaries[0].totals.packets_received > 100, "{text}");
}

#[test]
fn a_torus_and_a_loop_run_on_what_is_left_of_them() {
    for number in [6, 11] {
        runs(number);
    }
}

#[test]
#[ignore = "models of twelve networks: make test-long"]
fn twenty_networks_run_with_random_damage() {
    for number in 0..20 {
        runs(number);
    }
}
