//! Packets that go over random blocks: all arrive, and what a network accepts.

use crate::measure::{Experiment, Point, WarmUp};
use mkns_design::{Plan, RouteSource};
use mkns_traffic::{Injection, Lengths, Pattern, PlannedTraffic, Traffic};

fn plan(notation: &str) -> Plan {
    let spec = mkns_spec::parse(notation).expect("a valid spec");
    mkns_design::build(&spec).expect("a plan")
}

fn run(plan: &Plan, pattern: Pattern, load: f64) -> Point {
    let traffic = Traffic {
        pattern,
        injection: Injection::Random,
        lengths: Lengths::Fixed(9),
        load,
        seed: 1,
        plan: PlannedTraffic::new(),
    };
    let experiment = Experiment {
        plan,
        routes: RouteSource::Tables,
        traffic,
        warm_up: WarmUp::Cycles(1_000),
        cycles: 2_000,
        parts: 1,
        flows: false,
        links: false,
    };
    experiment.run()
}

/// CAMINOS 0.6.3 with four channels accepts .426, .412 and .416 (`tools/caminos.py`).
#[test]
fn a_slim_fly_accepts_what_valiant_routing_does_elsewhere() {
    let plan = plan("slim_fly(5,4)").over_random_blocks().expect("allowed");
    for (pattern, elsewhere) in [
        (Pattern::Uniform, 0.426),
        (Pattern::Tornado, 0.412),
        (Pattern::BitComplement, 0.416),
    ] {
        let point = run(&plan, pattern, 1.0);
        let ratio = point.accepted_load / elsewhere;
        assert!((0.9..1.2).contains(&ratio), "{ratio}: {point:?}");
        assert_eq!(point.packets_lost, 0);
    }
}

/// Two paths of networks with steps and with switch blocks: every packet arrives, and has passed more blocks.
#[test]
fn packets_pass_a_random_block_and_arrive() {
    for notation in [
        "HyperX(4x4,2)",
        "MKNS(2,4,2,1)",
        "fat_tree(4,3)",
        "slim_fly(5,2)",
    ] {
        let plain = plan(notation);
        let direct = run(&plain, Pattern::Uniform, 0.05);
        let over = plain.over_random_blocks().expect("allowed");
        let point = run(&over, Pattern::Uniform, 0.05);
        assert!(
            !point.saturated && point.packets_lost == 0,
            "{notation}: {point:?}"
        );
        assert!(
            point.hops_mean > 1.2 * direct.hops_mean,
            "{notation}: {point:?}"
        );
        let full = run(&over, Pattern::Uniform, 1.0);
        assert!(
            full.accepted_load > 0.05 && full.packets_lost == 0,
            "{notation}: {full:?}"
        );
    }
}
