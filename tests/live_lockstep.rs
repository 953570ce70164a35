//! RTL and reference in lockstep while parts fail and the manager works through the RTL's control ports.

use crate::common::lockstep::run_networks;
use mkns::cosim::{FaultPlan, LiveFaults, Models, PlannedFailure, Request, Subject};
use mkns::design::Plan;
use mkns::random::Random;
use mkns::rtl::render_sources;
use mkns::topology::{self, Faults, PartClass};
use mkns::traffic::Pattern;
use mkns::{routing, spec};

#[test]
fn tables_lead_round_a_cable_a_switch_block_and_an_adapter_block_that_fail() {
    three_parts_fail("vtftr", 1, 5_000);
}

#[test]
fn masks_lead_round_a_cable_a_switch_block_and_an_adapter_block_that_fail() {
    three_parts_fail("planes", 1, 5_000);
}

#[test]
#[ignore = "minutes for each of six runs: make test-long"]
fn three_parts_fail_at_random_cycles_of_long_runs() {
    for seed in 1..=3 {
        three_parts_fail("vtftr", seed, 200_000);
        three_parts_fail("planes", seed, 200_000);
    }
}

/// A cable, a switch block and an adapter block, each in a random cycle of a third of the run.
fn three_parts_fail(engine: &str, seed: u64, cycles: u64) {
    let spec = spec::parse_with("MKNS(2,4x4,2,1)", &[format!("routing={engine}")]);
    let spec = spec.expect("a valid spec");
    let network = topology::build(&spec);
    let routes = routing::build(&spec, &network, &Faults::none()).expect("routes");
    let plan = Plan::new(&spec, network, routes.clone());
    let mut random = Random::branch(seed, 28);
    let mut failure = |third: u64, class: PartClass| PlannedFailure {
        part: {
            let parts = class.parts(&plan.network);
            parts[random.below(parts.len() as u64) as usize]
        },
        cycle: cycles / 4 * third + random.below(cycles / 5),
    };
    let failures = [PartClass::Mesh, PartClass::Switch, PartClass::Adapter];
    let failures = (0..)
        .zip(failures)
        .map(|(third, class)| failure(third, class));
    let live = LiveFaults {
        failures: failures.collect(),
        managed: Some(routes),
        in_band: None,
    };
    let request = Request {
        cables: mkns::cosim::CableFaultPlan::default(),
        spec: "MKNS(2,4x4,2,1)".to_owned(),
        set: Vec::new(),
        failures: String::new(),
        traffic: vec![Pattern::Uniform],
        load: 300,
        cycles,
        seed,
        fault_plan: FaultPlan::default(),
        threads: 2,
        trace: None,
    };
    let models = Models::from_sources(&render_sources(&plan)).expect("Verilator is set up");
    let models = models.for_block_cycles(if cycles < 10_000 { 0 } else { cycles * 20 });
    let summaries = run_networks(Subject::FailingNetwork(&plan, &live), &models, &request);
    let summaries = summaries.unwrap_or_else(|error| panic!("{error:?}"));
    let live = summaries[0].live.as_ref().expect("parts failed");
    assert_eq!(live.history.repairs.len(), 3);
    assert!(
        live.history
            .repairs
            .iter()
            .all(|seen| seen.cycles < 1_000 && !seen.repair.hosts_held)
    );
    assert!(live.exact_packets > 1_000);
}
