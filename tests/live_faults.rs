//! Parts that fail while hosts send, and the manager that reroutes around them: references on both sides.

use mkns::cosim::{
    FaultPlan, LiveFaults, NetworkRun, NetworkSummary, Pair, PlannedFailure, golden_network_device,
};
use mkns::design::Plan;
use mkns::routing::{self, Routing};
use mkns::simulation::live::{LiveExperiment, State};
use mkns::simulation::measure::WarmUp;
use mkns::topology::{self, Faults, Part};
use mkns::traffic::Traffic as SimulatedTraffic;
use mkns::traffic::{OfferedPackets, Pattern};
use mkns::{cosim::Failure, spec};

/// A network with its plan and the routes that its blocks hold.
fn network(engine: &str) -> (Plan, Routing) {
    let spec = spec::parse_with("MKNS(2,4x4,2,1)", &[format!("routing={engine}")]);
    let spec = spec.expect("a valid spec");
    let network = topology::build(&spec);
    let routes = routing::build(&spec, &network, &Faults::none()).expect("routes");
    (Plan::new(&spec, network, routes.clone()), routes)
}

fn part(plan: &Plan, name: &str) -> Part {
    let faults = Faults::named(&plan.network, [name]).expect("a part");
    faults.parts().next().expect("one part")
}

fn run(
    plan: &Plan,
    failures: &[(&str, u64)],
    managed: Option<Routing>,
    seed: u64,
) -> Result<NetworkSummary, Box<Failure>> {
    let failures = failures.iter().map(|&(name, cycle)| PlannedFailure {
        part: part(plan, name),
        cycle,
    });
    let live = LiveFaults {
        failures: failures.collect(),
        managed,
        in_band: None,
    };
    let run = NetworkRun {
        cables: mkns::cosim::CableFaultPlan::default(),
        traffic: Pattern::Uniform,
        load: 300,
        cycles: 4_000,
        seed,
        fault_plan: FaultPlan::default(),
        offered: OfferedPackets::Random,
        live: Some(live),
        threads: 1,
    };
    // Engines with flat tables have no closed form: routes are those that are written.
    let mut devices = |module: usize, blocks: &[topology::BlockId]| Pair {
        rtl: golden_network_device(plan, module, blocks),
        golden: None,
    };
    run.run(plan, &mut devices, &mut |_| {})
}

#[test]
fn a_manager_leads_routes_round_whatever_fails() {
    for (engine, failures) in [
        ("vtftr", &[("kb_y2", 1_000), ("ab_1_0_0_0", 2_200)][..]),
        (
            "vtftr",
            &[("ab_2_0_0_0-ab_3_0_0_0", 700), ("ab_0_1_0_0-kb_y0", 701)],
        ),
        ("planes", &[("kb_y2", 1_000), ("ab_1_0_0_0", 2_200)]),
        ("up_down", &[("ab_0_0_0_0-kb_y0", 1_000)]),
    ] {
        let (plan, routes) = network(engine);
        for seed in 1..=3 {
            let summary = run(&plan, failures, Some(routes.clone()), seed);
            let summary = summary.unwrap_or_else(|failure| panic!("{engine}: {failure}"));
            let live = summary.live.expect("parts failed");
            assert_eq!(live.history.failures.len(), failures.len());
            assert!(live.exact_packets > 300, "{live:?}");
            let fault_report = summary.fault_report.expect("packets were lost");
            let missing = summary.totals.packets_sent - summary.totals.packets_received;
            assert_eq!(
                missing,
                fault_report.packets_lost + fault_report.packets_bad
            );
            let held = live
                .history
                .repairs
                .iter()
                .any(|seen| seen.repair.hosts_held);
            assert_eq!(held, engine == "up_down", "vtftr changes while hosts send");
            let named: usize = live
                .history
                .repairs
                .iter()
                .map(|seen| seen.repair.failed.len())
                .sum();
            assert_eq!(named, failures.len(), "{live:?}");
        }
    }
}

#[test]
fn without_a_manager_what_is_lost_is_counted() {
    let (plan, _) = network("vtftr");
    let summary = run(&plan, &[("kb_y2", 1_000)], None, 5).expect("all is accounted for");
    let live = summary.live.expect("a part failed");
    assert!(live.history.repairs.is_empty());
    assert!(
        summary
            .fault_report
            .is_some_and(|all| all.packets_lost > 100)
    );
}

/// Whoever believes that blocks hold other tables than they do writes too little.
#[test]
fn a_manager_that_writes_too_little_is_found_out() {
    let (plan, _) = network("vtftr");
    let faults: Faults = [part(&plan, "kb_y2")].into_iter().collect();
    let wrong = routing::build(&plan.spec, &plan.network, &faults).expect("routes");
    let failure = run(&plan, &[("kb_y2", 1_000)], Some(wrong), 5).expect_err("packets are lost");
    assert!(failure.to_string().contains("lost"), "{failure}");
}

/// In the simulation the manager sees, writes and ends in the same cycles as at the control ports of the blocks, and
/// what was sent after it is not lost.
#[test]
fn a_simulation_is_led_round_in_the_same_cycles() {
    for (engine, names) in [
        ("vtftr", [("kb_y2", 1_000), ("ab_1_0_0_0", 2_200)]),
        (
            "vtftr",
            [("ab_2_0_0_0-ab_3_0_0_0", 700), ("ab_0_1_0_0-kb_y0", 701)],
        ),
        ("planes", [("kb_y2", 1_000), ("ab_1_0_0_0", 2_200)]),
        (
            "planes_spread",
            [("ab_2_0_0_0-ab_3_0_0_0", 1_234), ("kb_y1", 2_345)],
        ),
    ] {
        let (plan, routes) = network(engine);
        let summary = run(&plan, &names, Some(routes.clone()), 1);
        let summary = summary.unwrap_or_else(|failure| panic!("{engine}: {failure}"));
        let expected = summary.live.expect("parts failed").history;
        let failures = names.map(|(name, cycle)| (part(&plan, name), cycle));
        let experiment = LiveExperiment {
            plan: &plan,
            traffic: SimulatedTraffic::uniform(0.3, 9, 1),
            warm_up: WarmUp::Cycles(0),
            cycles: 4_000,
            parts: 1,
            failures: &failures,
            managed: Some(&routes),
            in_band: None,
        };
        let found = experiment.run(&|_| {}).expect("routes");
        assert_eq!(found.history, expected, "{engine}");
        let on_three_threads = LiveExperiment {
            parts: 3,
            ..experiment
        };
        assert_eq!(on_three_threads.run(&|_| {}).expect("routes"), found);
        let totals = found.totals;
        assert_eq!(totals.sent, totals.received + totals.bad + totals.lost);
        assert!(totals.lost > 0, "{engine}: {totals:?}");
        let lost: u64 = found.periods.iter().map(|period| period.lost).sum();
        assert_eq!(lost, totals.lost + totals.bad);
        let last = found.periods.last().expect("a period");
        assert_eq!((last.state, last.lost), (State::LedRound, 0), "{engine}");
    }
}
