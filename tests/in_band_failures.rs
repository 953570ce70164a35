//! Random cable failures under load and bit errors, repaired over the cables, next to the same failures repaired through
//! the control ports: references on both sides.

use crate::common::failing_cables::{
    MARGIN, all_are_repaired, all_packets_are_accounted_for, bit_errors, failing_cables, plan,
};
use mkns::cosim::{
    FaultPlan, LiveFaults, LiveReport, NetworkRun, Pair, PlannedFailure, golden_network_device,
};
use mkns::design::Plan;
use mkns::routing;
use mkns::topology::{BlockId, Faults};
use mkns::traffic::{OfferedPackets, Pattern};

/// What became of the failures.
fn repaired(plan: &Plan, failures: &[PlannedFailure], every: u64, in_band: bool) -> LiveReport {
    let routes = routing::build(&plan.spec, &plan.network, &Faults::none()).expect("routes");
    let live = LiveFaults {
        failures: failures.to_vec(),
        managed: (!in_band).then_some(routes),
        in_band: in_band.then_some(BlockId(0)),
    };
    let run = NetworkRun {
        cables: bit_errors(),
        traffic: Pattern::Uniform,
        load: 300,
        cycles: MARGIN + every * failures.len() as u64,
        seed: 5,
        fault_plan: FaultPlan::default(),
        offered: OfferedPackets::Random,
        live: Some(live),
        threads: 1,
    };
    let mut devices = |module: usize, blocks: &[BlockId]| Pair {
        rtl: golden_network_device(plan, module, blocks),
        golden: None,
    };
    // A packet that is neither received nor lost by a failure, nor marked bad, is an error of the run.
    let summary = run.run(plan, &mut devices, &mut |_| {});
    let summary = summary.unwrap_or_else(|failure| panic!("{failure}"));
    all_packets_are_accounted_for(&summary);
    summary.live.expect("parts failed")
}

/// Failures, repaired over the cables and through the control ports.
fn both_ways(plan: &Plan, (count, every): (usize, u64), seed: u64) {
    let failures = failing_cables(plan, count, every, seed);
    for in_band in [false, true] {
        let live = repaired(plan, &failures, every, in_band);
        println!("in-band: {in_band}\n{live}");
        all_are_repaired(plan, &failures, every, &live);
    }
}

#[test]
fn failures_of_a_small_machine_are_repaired_over_its_cables() {
    both_ways(
        &plan("MKNS(1,3x2,2,1)", &["routing=up_down"]),
        (2, 60_000),
        1,
    );
}

/// Up*/down* has another tree after the failure: flows that nothing cut have another path, and a packet on the new one
/// overtakes one on the old one.
#[test]
fn flows_that_a_repair_moves_arrive_whole_and_once() {
    let plan = plan("slim_fly(3,1)", &["routing=up_down", "rx_buffer_flits=32"]);
    let failures = failing_cables(&plan, 1, 30_000, 2);
    let live = repaired(&plan, &failures, 30_000, false);
    assert_eq!(live.history.repairs.len(), 1, "{live}");
    assert!(
        live.exact_packets > 100,
        "in order after the repair: {live}"
    );
}

/// Ten cables of 45, which stay down; some fail while the manager still repairs the one before.
#[test]
#[ignore = "some minutes: make test-long"]
fn ten_failures_of_a_slim_fly_are_repaired_over_its_cables() {
    let plan = plan("slim_fly(3,1)", &["routing=shortest", "rx_buffer_flits=32"]);
    both_ways(&plan, (10, 80_000), 2);
}
