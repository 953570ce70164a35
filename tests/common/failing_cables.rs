//! Machines with in-band management whose cables fail at random, one after the other, and are repaired.

use mkns::cosim::{CableFaultPlan, LiveReport, NetworkSummary, PlannedFailure};
use mkns::design::{self, Plan};
use mkns::random::Random;
use mkns::topology::distances::Adjacency;
use mkns::topology::{Faults, Part};

/// Cycles of a fault-free machine before the first failure and after the last one's repair.
pub const MARGIN: u64 = 2_000;

/// What every such network has besides its own settings.
pub const SETTINGS: [&str; 2] = ["link.kind=serial", "link.management=in_band"];

pub fn settings(more: &[&str]) -> Vec<String> {
    let all = SETTINGS.iter().chain(more);
    all.map(|setting| (*setting).to_owned()).collect()
}

pub fn plan(notation: &str, more: &[&str]) -> Plan {
    let spec = mkns::spec::parse_with(notation, &settings(more));
    design::build(&spec.expect("a valid spec")).expect("the network can be built")
}

/// Bit errors on all cables.
pub fn bit_errors() -> CableFaultPlan {
    CableFaultPlan {
        bit_error_rate: 1e-5,
        ..CableFaultPlan::default()
    }
}

fn is_connected(plan: &Plan, faults: &Faults) -> bool {
    let network = &plan.network;
    let mut reached = 0;
    Adjacency::new(network, &network.index_without(faults)).search(&[0], |_, _, _| reached += 1);
    reached == network.blocks.len()
}

/// Cables that fail one after the other, drawn among those without which the machine stays connected.
pub fn failing_cables(plan: &Plan, count: usize, every: u64, seed: u64) -> Vec<PlannedFailure> {
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

/// Every packet was received, lost by a failure or marked bad.
pub fn all_packets_are_accounted_for(summary: &NetworkSummary) {
    let faults = summary.fault_report.as_ref().expect("packets were lost");
    let missing = summary.totals.packets_sent - summary.totals.packets_received;
    assert_eq!(missing, faults.packets_lost + faults.packets_bad);
    println!(
        "{} packets sent, {missing} lost",
        summary.totals.packets_sent
    );
}

/// Each failure was repaired within twice the time to the next; over the cables, all requests were answered.
pub fn all_are_repaired(plan: &Plan, failures: &[PlannedFailure], every: u64, live: &LiveReport) {
    let repairs = &live.history.repairs;
    for name in failures.iter().map(|one| one.part.name(&plan.network)) {
        let seen = repairs
            .iter()
            .find(|seen| seen.repair.failed.contains(&name));
        let seen = seen.unwrap_or_else(|| panic!("{name} is not repaired: {live}"));
        assert!(seen.cycles < 2 * every, "{name}: {live}");
    }
    assert!(live.exact_packets > 100, "{live}");
    let Some(over_cables) = &live.in_band else {
        return;
    };
    assert_eq!(over_cables.bring_up.blocks, plan.network.blocks.len());
    assert_eq!(over_cables.counts.unanswered, 0, "{over_cables}");
    assert!(over_cables.counts.attempts.len() <= 20, "{over_cables}");
}
