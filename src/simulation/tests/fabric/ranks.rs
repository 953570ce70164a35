//! Several ranks find what one finds, to the last bit: random networks, traffic, options, ranks and threads.

use std::sync::Arc;

use proptest::prelude::*;

use super::super::random_plan::random_plan;
use super::random_traffic::random_traffic;
use crate::fabric::{Partitioning, RankShare, Stepping};
use crate::measure::{Experiment, Point, RankReport, WarmUp};
use crate::ranks::in_threads;
use mkns_design::{Plan, RouteSource};
use mkns_random::Random;
use mkns_traffic::{Injection, Pattern, Traffic};

/// `needs_graph`: links are recorded, too.
fn experiment<'a>(
    plan: &'a Plan,
    traffic: &Traffic,
    parts: usize,
    needs_graph: bool,
) -> Experiment<'a> {
    Experiment {
        plan,
        routes: RouteSource::Tables,
        traffic: traffic.clone(),
        warm_up: WarmUp::Cycles(150),
        cycles: 700,
        parts,
        flows: true,
        links: needs_graph,
    }
}

/// What does not depend on the machine.
fn found(point: Point) -> Point {
    Point {
        router_cycles_per_second: 0.0,
        set_up_seconds: 0.0,
        // Tables of borders are not the same.
        state_bytes_per_router: 0.0,
        buffer_bytes_per_router: 0.0,
        ..point
    }
}

/// How a rank comes to its plan: the plan, and the numbers of its blocks in the whole network.
pub type Planned<'a> = &'a (dyn Fn(&Partitioning, usize) -> (Plan, Vec<u32>) + Sync);

pub fn on_ranks(
    partitioning: &Arc<Partitioning>,
    planned: Planned<'_>,
    traffic: &Traffic,
    parts: usize,
    needs_graph: bool,
) -> Vec<(Point, RankReport)> {
    in_threads(partitioning.ranks, |ranks| {
        let (plan, numbers) = planned(partitioning, ranks.rank());
        let stepping = Stepping::in_parts(parts);
        let share =
            RankShare::of_rank(plan, (&numbers, partitioning), ranks, stepping, needs_graph);
        experiment(share.plan(), traffic, parts, needs_graph).run_on(ranks, &share, &|_| {})
    })
}

/// On ranks that know the graph of the whole.
fn on_informed_ranks(
    plan: &Plan,
    traffic: &Traffic,
    ranks: usize,
    parts: usize,
) -> Vec<(Point, RankReport)> {
    let partitioning = Arc::new(Partitioning::of_graph(&plan.network, ranks));
    let numbers: Vec<u32> = (0..plan.instances.len() as u32).collect();
    let planned = |_: &Partitioning, _| (plan.clone(), numbers.clone());
    on_ranks(&partitioning, &planned, traffic, parts, true)
}

fn check(plan: &Plan, traffic: &Traffic, ranks: usize, parts: usize) -> Result<(), String> {
    let shares = on_informed_ranks(plan, traffic, ranks, parts);
    compare(plan, traffic, shares, true)
}

/// What ranks found with what one finds.
pub fn compare(
    plan: &Plan,
    traffic: &Traffic,
    shares: Vec<(Point, RankReport)>,
    needs_graph: bool,
) -> Result<(), String> {
    let alone = found(experiment(plan, traffic, 1, needs_graph).run());
    let ranks = shares.len();
    for (rank, (point, share)) in shares.into_iter().enumerate() {
        let wanted = match rank {
            0 => alone.clone(),
            _ => Point {
                flows: Vec::new(),
                links: Vec::new(),
                ..alone.clone()
            },
        };
        let point = found(point);
        if point != wanted {
            let kind = &plan.spec.kind;
            return Err(format!(
                "rank {rank} of {ranks}, {kind:?}:\n{point:?}\n{wanted:?}"
            ));
        }
        if share.blocks == 0 {
            return Err(format!("rank {rank} of {ranks} has no block"));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn ranks_find_what_one_finds(seed: u64) {
        let random = &mut Random::new(seed);
        let plan = random_plan(random);
        let traffic = random_traffic(&plan, random);
        let ranks = random.between(2, 4).min(plan.instances.len() as u64) as usize;
        let parts = random.between(1, 2) as usize;
        if let Err(difference) = check(&plan, &traffic, ranks, parts) {
            prop_assert!(false, "seed {seed}: {difference}");
        }
    }
}

fn plan(text: &str, down: &[&str]) -> Plan {
    let spec = mkns_spec::parse(text).expect("a valid spec");
    let network = mkns_topology::build(&spec);
    let faults = mkns_topology::Faults::named(&network, down.iter().copied()).expect("parts");
    let routing = mkns_routing::build(&spec, &network, &faults).expect("routes");
    Plan::with_faults(&spec, network, faults, routing)
}

/// Random traffic, traffic that reacts to what arrives, and a pattern.
pub fn kinds_of_traffic(pattern: Pattern) -> [Traffic; 3] {
    let windows = Traffic {
        injection: Injection::Window { packets: 2 },
        ..Traffic::uniform(1.0, 5, 3)
    };
    let pattern = Traffic {
        pattern,
        ..Traffic::uniform(0.4, 5, 3)
    };
    [Traffic::uniform(0.3, 5, 7), windows, pattern]
}

/// Every kind, with failed parts where tables are made anew, and traffic that reacts to what arrives.
#[test]
fn all_kinds_are_the_same_on_any_number_of_ranks() {
    let networks: [(&str, &[&str]); 6] = [
        ("MKNS(2,4x4,2,1)", &[]),
        ("MKNS(2,4x4,2,1)", &["kb_y0"]),
        ("torus(4x4,2)", &[]),
        ("fat_tree(4,2)", &[]),
        ("slim_fly(5,1)", &[]),
        ("multi_ring(3,1,1)", &[]),
    ];
    for (text, down) in networks {
        let plan = plan(text, down);
        let all = kinds_of_traffic(Pattern::Broadcast { root: 1 });
        for traffic in all.iter().filter(|traffic| traffic.pattern.suits(&plan)) {
            for (ranks, parts) in [(2, 1), (3, 2), (5, 1)] {
                if let Err(difference) = check(&plan, traffic, ranks, parts) {
                    panic!("{text} {down:?}, {:?}: {difference}", traffic.pattern);
                }
            }
        }
    }
}

/// The test above can fail: ranks that cut the network send bytes.
#[test]
fn messages_cross_the_borders() {
    let plan = plan("torus(4x4,2)", &[]);
    let shares = on_informed_ranks(&plan, &Traffic::uniform(0.3, 5, 7), 2, 1);
    for (_, share) in shares {
        assert_eq!((share.blocks, share.neighbours), (8, 1));
        assert!(share.border_blocks > 0 && share.border_bytes > 0 && share.notice_bytes > 0);
    }
}
