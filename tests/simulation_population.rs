//! No result of a simulation shrinks its own population silently: pairs without a route, traces, traffic to oneself, windows.

use mkns::design::{self, Plan, RouteSource};
use mkns::simulation::live::{LiveExperiment, State};
use mkns::simulation::measure::{Experiment, Point, TO_THE_END, WarmUp};
use mkns::topology::{self, Faults, Part};
use mkns::traffic::{Injection, Pattern, PlannedPacket, Traffic};
use mkns::{routing, spec};

fn plan(notation: &str, settings: &[&str], down: &[&str]) -> Plan {
    let settings: Vec<String> = settings.iter().map(|text| (*text).to_owned()).collect();
    let spec = spec::parse_with(notation, &settings).expect("a valid spec");
    let network = topology::build(&spec);
    let faults = Faults::named(&network, down.iter().copied()).expect("parts of it");
    let routes = routing::build(&spec, &network, &faults).expect("routes");
    Plan::with_faults(&spec, network, faults, routes)
}

fn run(plan: &Plan, traffic: Traffic, warm_up: u64, cycles: u64) -> Point {
    let experiment = Experiment {
        plan,
        routes: RouteSource::Tables,
        traffic,
        warm_up: WarmUp::Cycles(warm_up),
        cycles,
        parts: 1,
        flows: false,
        links: false,
    };
    experiment.run()
}

#[test]
fn numbers_a1_a_network_that_is_cut_accepts_what_it_joins_and_no_more() {
    // A ring of eight cut in two by a block at each end: 6 hosts work, 3 and 3, and 64 - 18 pairs have no route.
    let cut = plan("torus(8,1)", &["routing=up_down"], &["ab_0", "ab_4"]);
    assert_eq!(cut.pairs_without_route(), 64 - 18);
    let point = run(&cut, Traffic::uniform(0.2, 9, 1), 300, 6000);
    assert!((point.offered_load / 0.2 - 1.0).abs() < 0.05, "{point:?}");
    let share = point.load_without_route / point.offered_load;
    assert!((share - 46.0 / 64.0).abs() < 0.05, "{share}");
    assert!(
        point.accepted_load < 0.2 * 0.35 && !point.saturated,
        "{point:?}"
    );
}

#[test]
fn reports_1_every_pattern_counts_what_has_no_route() {
    let cut = plan("MKNS(1,3x2,2,1)", &[], &["kb_y0"]);
    assert!(cut.pairs_without_route() > 0);
    for pattern in [
        Pattern::Uniform,
        Pattern::BitComplement,
        Pattern::AllToAll,
        Pattern::Broadcast { root: 0 },
    ] {
        for injection in [Injection::Random, Injection::Window { packets: 2 }] {
            let traffic = Traffic {
                pattern,
                injection: injection.clone(),
                ..Traffic::uniform(0.1, 3, 1)
            };
            let point = run(&cut, traffic, 200, 3000);
            let what = format!("{pattern:?} {injection:?}: {point:?}");
            assert!(
                point.load_without_route > 0.0 && point.packets > 0,
                "{what}"
            );
            let lost = point.offered_load - point.load_without_route - point.accepted_load;
            assert!(lost.abs() < 0.03, "{what}");
        }
    }
}

#[test]
fn numbers_a1_a_manager_says_which_pairs_it_cannot_serve() {
    for (engine, state) in [
        ("dimension_order", State::PairsCut),
        ("vtftr", State::LedRound),
    ] {
        let plan = plan("MKNS(1,3x2,2,1)", &[&format!("routing={engine}")], &[]);
        let routes = routing::build(&plan.spec, &plan.network, &Faults::none()).expect("routes");
        let named = Faults::named(&plan.network, ["kb_y0"]).expect("a part");
        let failures: Vec<(Part, u64)> = named.parts().map(|part| (part, 300)).collect();
        let experiment = LiveExperiment {
            plan: &plan,
            traffic: Traffic::uniform(0.2, 9, 1),
            warm_up: WarmUp::Cycles(0),
            cycles: 1500,
            parts: 1,
            failures: &failures,
            in_band: None,
            managed: Some(&routes),
        };
        let report = experiment.run(&|_| {}).expect("routes");
        let last = report.periods.last().expect("a period");
        assert_eq!(last.state, state, "{engine}: {report:?}");
        let is_cut = state == State::PairsCut;
        assert_eq!(
            last.pairs_without_route.is_some_and(|pairs| pairs > 0),
            is_cut
        );
        assert_eq!(last.load_without_route > 0.0, is_cut);
        let text = report.history.to_string();
        assert_eq!(
            text.contains("pairs of hosts have no route: 0 to "),
            is_cut,
            "{text}"
        );
    }
}

#[test]
fn reports_2_packets_that_blocks_drop_are_lost_and_no_saturation() {
    // The manager has not yet rerouted around the failed cable, so tables lead to a link that is down.
    let whole = plan("MKNS(1,4,1,1)", &[], &[]);
    let intact = run(&whole, Traffic::uniform(0.3, 3, 1), 300, 3000);
    assert_eq!((intact.packets_lost, intact.saturated), (0, false));
    let mut broken = whole;
    broken.network.cables.pop();
    let point = run(&broken, Traffic::uniform(0.3, 3, 1), 300, 3000);
    assert!(point.packets_lost > 10 && !point.saturated, "{point:?}");
}

fn three_packets() -> Traffic {
    let packet = |cycle, destination| {
        vec![PlannedPacket {
            cycle,
            destination,
            flits: 3,
        }]
    };
    Traffic {
        pattern: Pattern::Trace,
        plan: vec![packet(0, 1), packet(20_000, 2), packet(30_000, 0)],
        ..Traffic::uniform(1.0, 3, 1)
    }
}

#[test]
fn numbers_a8_a_trace_runs_to_its_end() {
    let plan = plan("MKNS(1,4,1,1)", &[], &[]);
    let whole = run(&plan, three_packets(), 0, TO_THE_END);
    assert_eq!((whole.packets, whole.packets_under_way), (3, 0));
    assert_eq!(whole.cycles, 30_020 + 1);
    let part = run(&plan, three_packets(), 0, 20_005);
    assert_eq!(
        (part.packets, part.created_packets, part.packets_under_way),
        (1, 2, 1)
    );
}

#[test]
fn numbers_b4_the_share_that_goes_back_to_its_sender_is_told() {
    let twelve = plan("torus(12)", &[], &[]);
    let point = run(&twelve, Traffic::uniform(0.3, 3, 1), 300, 6000);
    let share = point.load_to_self / point.offered_load;
    assert!((share - 1.0 / 12.0).abs() < 0.01, "{share}");
}

#[test]
fn reports_14_a_window_that_is_too_short_is_not_saturation() {
    let plan = plan("MKNS(2,4,2,1)", &[], &[]);
    let short = run(&plan, Traffic::uniform(0.357, 33, 1), 0, 300);
    assert!(
        !short.saturated && !short.settled && short.short,
        "{short:?}"
    );
    let long = run(&plan, Traffic::uniform(0.357, 33, 1), 1500, 4000);
    assert!(!long.saturated && long.settled && !long.short, "{long:?}");
    let full = run(&plan, Traffic::uniform(1.0, 33, 1), 0, 3000);
    assert!(full.saturated, "{full:?}");
}

#[test]
fn numbers_a5_a_ring_delivers_as_little_of_tornado_as_in_booksim() {
    let ring = plan("torus(8,1)", &[], &[]);
    let traffic = Traffic {
        pattern: Pattern::Tornado,
        ..Traffic::uniform(0.3, 9, 1)
    };
    let point = run(&ring, traffic, 2000, 4000);
    // BookSim2: .207. Without failures no load has no route.
    assert!(
        (0.15..0.22).contains(&point.accepted_load) && point.saturated,
        "{point:?}"
    );
    assert!(
        point.accepted_load_most > 3.0 * point.accepted_load_least,
        "{point:?}"
    );
    assert_eq!((point.load_without_route, point.load_to_self), (0.0, 0.0));
    assert_eq!(
        design::build(&ring.spec)
            .expect("a plan")
            .pairs_without_route(),
        0
    );
}
