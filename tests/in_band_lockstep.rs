//! RTL and reference in lockstep while one host brings up a network of identical boards, which are empty and have no
//! numbers, and hosts then use it.

use crate::common::failing_cables::{
    MARGIN, all_are_repaired, all_packets_are_accounted_for, bit_errors, failing_cables, plan,
    settings,
};
use crate::common::lockstep::run_networks;
use mkns::cosim::{
    CableFaultPlan, FaultPlan, LiveFaults, Models, NetworkSummary, Request, Subject,
    with_board_tops,
};
use mkns::design::Plan;
use mkns::rtl::render_network;
use mkns::topology::BlockId;
use mkns::traffic::Pattern;

/// A run that begins with empty blocks and a host at block 0.
fn run(
    plan: &Plan,
    (notation, more): (&str, &[&str]),
    live: &LiveFaults,
    (cables, cycles): (CableFaultPlan, u64),
) -> NetworkSummary {
    let request = Request {
        cables,
        spec: notation.to_owned(),
        set: settings(more),
        failures: String::new(),
        traffic: vec![Pattern::Uniform],
        load: 300,
        cycles,
        seed: 1,
        fault_plan: FaultPlan::default(),
        threads: 2,
        trace: None,
    };
    let sources = render_network(plan).expect("the network can be built");
    let models = Models::from_sources(&with_board_tops(plan, &sources));
    let models = models.expect("Verilator is set up");
    let summaries = run_networks(Subject::FailingNetwork(plan, live), &models, &request);
    let summaries = summaries.unwrap_or_else(|error| panic!("{error:?}"));
    summaries.into_iter().next().expect("one pattern")
}

#[test]
fn one_host_brings_up_an_empty_network() {
    let plan = plan("MKNS(2,2,1,1)", &[]);
    let live = LiveFaults {
        in_band: Some(BlockId(0)),
        ..LiveFaults::default()
    };
    let no_errors = (CableFaultPlan::default(), 2_000);
    let summary = run(&plan, ("MKNS(2,2,1,1)", &[]), &live, no_errors);
    let live = summary.live.as_ref().expect("a manager");
    let in_band = live.in_band.as_ref().expect("over the cable");
    assert_eq!((in_band.bring_up.blocks, in_band.counts.unanswered), (2, 0));
    assert_eq!(in_band.bring_up.numbered, 2);
    assert!(live.exact_packets > 50, "{live:?}");
}

/// Cables that stay down, each repaired over the others, under load and with bit errors.
fn failures(network: (&str, &[&str]), (count, every): (usize, u64)) {
    let plan = plan(network.0, network.1);
    let failures = failing_cables(&plan, count, every, 2);
    let live = LiveFaults {
        failures: failures.clone(),
        in_band: Some(BlockId(0)),
        ..LiveFaults::default()
    };
    let summary = run(
        &plan,
        network,
        &live,
        (bit_errors(), MARGIN + count as u64 * every),
    );
    all_packets_are_accounted_for(&summary);
    let live = summary.live.expect("parts failed");
    println!("{live}");
    all_are_repaired(&plan, &failures, every, &live);
}

#[test]
#[ignore = "many minutes: make test-long"]
fn ten_failures_of_a_slim_fly_are_repaired_in_the_rtl() {
    failures(
        ("slim_fly(3,1)", &["routing=shortest", "rx_buffer_flits=32"]),
        (10, 80_000),
    );
}

/// It has 18 cables between 12 blocks, so ten cannot fail.
#[test]
#[ignore = "many minutes: make test-long"]
fn four_failures_of_an_mkns_are_repaired_in_the_rtl() {
    failures(("MKNS(2,3x3,2,1)", &["routing=up_down"]), (4, 60_000));
}
