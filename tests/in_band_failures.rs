//! Random cable failures under load and bit errors, repaired over the cables, next to the same failures repaired through
//! the control ports: references on both sides.

use mkns::cosim::{
    CableFaultPlan, FaultPlan, LiveFaults, LiveReport, NetworkRun, NetworkSummary, Pair,
    PlannedFailure, golden_network_device,
};
use mkns::design::{self, Plan};
use mkns::topology::distances::Adjacency;
use mkns::topology::{BlockId, Faults, Part};
use mkns::traffic::{OfferedPackets, Pattern};
use mkns::{random::Random, routing};

/// Cycles of a fault-free machine before the first failure and after the last one's repair.
const MARGIN: u64 = 2_000;

fn plan(notation: &str, more: &[&str]) -> Plan {
    let settings = ["link.kind=serial", "link.management=in_band"];
    let settings = settings.iter().chain(more).map(|set| (*set).to_owned());
    let spec = mkns::spec::parse_with(notation, &settings.collect::<Vec<_>>());
    design::build(&spec.expect("a valid spec")).expect("the network can be built")
}

fn is_connected(plan: &Plan, faults: &Faults) -> bool {
    let network = &plan.network;
    let mut reached = 0;
    Adjacency::new(network, &network.index_without(faults)).search(&[0], |_, _, _| reached += 1);
    reached == network.blocks.len()
}

/// Cables that fail one after the other, drawn among those without which the machine stays connected.
fn drawn(plan: &Plan, count: usize, every: u64, seed: u64) -> Vec<PlannedFailure> {
    let mut random = Random::new(seed);
    let mut failed: Vec<Part> = Vec::new();
    while failed.len() < count {
        let cable = random.below(plan.network.cables.len() as u64) as u32;
        let with = failed.iter().copied().chain([Part::Cable(cable)]);
        if !failed.contains(&Part::Cable(cable)) && is_connected(plan, &with.collect()) {
            failed.push(Part::Cable(cable));
        }
    }
    let failures = (0..).zip(failed);
    let failures = failures.map(|(number, part)| PlannedFailure {
        part,
        cycle: MARGIN + number * every,
    });
    failures.collect()
}

/// What became of the failures.
fn repaired(plan: &Plan, failures: &[PlannedFailure], every: u64, in_band: bool) -> LiveReport {
    let routes = routing::build(&plan.spec, &plan.network, &Faults::none()).expect("routes");
    let live = LiveFaults {
        failures: failures.to_vec(),
        managed: (!in_band).then_some(routes),
        in_band: in_band.then_some(BlockId(0)),
    };
    let run = NetworkRun {
        cables: CableFaultPlan {
            bit_error_rate: 1e-5,
            ..CableFaultPlan::default()
        },
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
    is_accounted_for(&summary);
    summary.live.expect("parts failed")
}

fn is_accounted_for(summary: &NetworkSummary) {
    let faults = summary.fault_report.as_ref().expect("packets were lost");
    let missing = summary.totals.packets_sent - summary.totals.packets_received;
    assert_eq!(missing, faults.packets_lost + faults.packets_bad);
    println!(
        "{} packets sent, {missing} lost",
        summary.totals.packets_sent
    );
}

/// Failures, repaired over the cables and through the control ports.
fn both_ways(plan: &Plan, (count, every): (usize, u64), seed: u64) {
    let failures = drawn(plan, count, every, seed);
    let names: Vec<String> = failures
        .iter()
        .map(|failure| failure.part.name(&plan.network))
        .collect();
    for in_band in [false, true] {
        let live = repaired(plan, &failures, every, in_band);
        println!("in-band: {in_band}\n{live}");
        let repairs = &live.history.repairs;
        let of_part = |name: &String| {
            repairs
                .iter()
                .find(|seen| seen.repair.failed.contains(name))
        };
        for name in &names {
            let seen = of_part(name).unwrap_or_else(|| panic!("{name} is not repaired: {live}"));
            assert!(seen.cycles < 2 * every, "{name}: {live}");
        }
        assert!(live.exact_packets > 100, "{live}");
        let Some(over_cables) = &live.in_band else {
            continue;
        };
        assert_eq!(over_cables.bring_up.blocks, plan.network.blocks.len());
        assert_eq!(over_cables.counts.unanswered, 0, "{over_cables}");
        assert!(over_cables.counts.attempts.len() <= 20, "{over_cables}");
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
    let failures = drawn(&plan, 1, 30_000, 2);
    let live = repaired(&plan, &failures, 30_000, false);
    assert_eq!(live.history.repairs.len(), 1, "{live}");
    assert!(
        live.exact_packets > 100,
        "in order after the repair: {live}"
    );
}

/// Ten cables of 45, which stay down; some fail while the manager still repairs the one before.
#[test]
#[ignore = "some minutes"]
fn ten_failures_of_a_slim_fly_are_repaired_over_its_cables() {
    let plan = plan("slim_fly(3,1)", &["routing=shortest", "rx_buffer_flits=32"]);
    both_ways(&plan, (10, 80_000), 2);
}
