//! `mkns workload`: completion times that can be computed by hand, and what depends on what.

use mkns::design::{self, Plan};
use mkns::simulation::work::{ChainStep, Completion, Work, WorkError};
use mkns::spec;
use mkns::workload::{Action, Collective, Schedule, parse_goal};

fn plan(notation: &str) -> Plan {
    let spec = spec::parse(notation).expect("a valid spec");
    design::build(&spec).expect("a plan")
}

fn run(plan: &Plan, schedule: &Schedule, clock_mhz: Option<f64>) -> Result<Completion, WorkError> {
    let hosts: Vec<u32> = (0..schedule.ranks).collect();
    let work = Work {
        plan,
        schedule,
        hosts: &hosts,
        packet_flits: 33,
        clock_mhz,
        parts: 1,
    };
    work.run(&|_| {})
}

/// Cycles of a message of `flits` flits, the first packet of it `first`, over c cables of an empty network
/// (`docs/reference/simulation.md`), and L + 1 until its host knows it. Packets follow each other without a pause.
fn message(plan: &Plan, cables: u64, first: u64, flits: u64) -> u64 {
    let link = u64::from(plan.spec.block.link_latency);
    let packet = 3 + (cables + 1) * 5 + cables * link + 2 + 2 * (first - 1);
    packet + (flits - first) + link + 1
}

/// 2 KiB in eight parts of 256 bytes: a packet of 33 flits each, 14 steps, one cable between any two nodes.
#[test]
fn a_ring_all_reduce_of_one_packet_a_step_takes_its_steps() {
    let plan = plan("MKNS(1,8,1,1)");
    let schedule = Collective::AllReduceRing.schedule(8, 2 << 10);
    let done = run(&plan, &schedule, None).expect("it ends");
    assert_eq!(done.cycles, 14 * message(&plan, 1, 33, 33));
    assert_eq!(
        (done.messages, done.packets, done.flits),
        (112, 112, 112 * 33)
    );
    assert_eq!(done.bound, 14 * 33);
    assert_eq!(done.chain.len(), 14);
}

/// 1 MB on 160 ranks: parts of 6,250 bytes, 24 packets of 33 flits and one of 15. A part goes 318 steps round the ring,
/// so the critical path is two rounds less the two cheapest steps that follow each other. A round: 80 steps within a
/// node; 70 to the next node of a line, one cable; 10 to the next line, a cable in dimension 1 and two over its
/// switch block. No two of them share a cable.
#[test]
fn a_ring_all_reduce_of_160_ranks_takes_two_rounds() {
    let plan = plan("MKNS(2,8x10,2,1)");
    let schedule = Collective::AllReduceRing.schedule(160, 1_000_000);
    let done = run(&plan, &schedule, None).expect("it ends");
    let step = |cables| message(&plan, cables, 33, 24 * 33 + 15);
    let round = 80 * step(0) + 70 * step(1) + 10 * step(3);
    let by_hand = 2 * round - step(0) - step(1);
    let difference = done.cycles.abs_diff(by_hand) as f64 / by_hand as f64;
    assert!(
        difference < 0.02,
        "{} cycles, by hand {by_hand}",
        done.cycles
    );
    assert_eq!(done.chain.len(), 318);
    let whole: u64 = done.chain.iter().map(ChainStep::cycles).sum();
    assert_eq!(whole, done.cycles, "the chain has no gaps");
}

/// A binomial tree of eight: three messages one after the other.
#[test]
fn a_broadcast_takes_the_height_of_its_tree() {
    let plan = plan("MKNS(1,8,1,1)");
    let schedule = Collective::Broadcast.schedule(8, 16);
    let done = run(&plan, &schedule, None).expect("it ends");
    // The last of three messages that rank 0 sends waits for nothing.
    assert_eq!(done.chain.len(), 3);
    assert_eq!(done.cycles, 3 * message(&plan, 1, 3, 3));
}

/// What is computed takes nanoseconds by the clock, one after the other on a processor; time in which nothing happens
/// in the network is left out and still counts.
#[test]
fn a_trace_computes_by_the_clock() {
    let plan = plan("MKNS(1,2,1,1)");
    let text = "num_ranks 2\nrank 0 {\na: calc 10000000000\nb: calc 100\nc: calc 1000 cpu 1\nd: send 0b to 1\n\
                d requires a\nd requires b\nd requires c\n}\nrank 1 {\ne: recv 0b from 0\n}\n";
    let trace = parse_goal(text).expect("good text");
    assert_eq!(run(&plan, &trace, None), Err(WorkError::NoClock));
    let done = run(&plan, &trace, Some(250.0)).expect("it ends");
    let computing = 2_500_000_025;
    assert_eq!(done.cycles, computing + message(&plan, 1, 1, 1));
    let [a, b, last] = done.chain[..] else {
        panic!("{:?}", done.chain);
    };
    let compute = |start, end| ChainStep::Compute {
        rank: 0,
        start,
        end,
    };
    assert_eq!(a, compute(0, 2_500_000_000));
    assert_eq!(b, compute(2_500_000_000, computing));
    assert!(
        matches!(last, ChainStep::Message { from: 0, to: 1, bytes: 0, start, .. } if start == computing)
    );
}

#[test]
fn ranks_that_wait_for_each_other_are_named() {
    let plan = plan("MKNS(1,2,1,1)");
    let text = "num_ranks 2\nrank 0 {\na: recv 8b from 1\nb: send 8b to 1\nb requires a\n}\n\
                rank 1 {\na: recv 8b from 0\nb: send 8b to 0\nb requires a\n}\n";
    let trace = parse_goal(text).expect("good text");
    let circle = WorkError::Circle {
        rank: 0,
        operation: 0,
    };
    assert_eq!(run(&plan, &trace, None), Err(circle));
}

/// Threads share the network; results do not depend on them, and the same work ends in the same cycle.
#[test]
fn parts_of_a_network_change_nothing() {
    let plan = plan("MKNS(2,4x4,2,1)");
    for (_, collective) in Collective::ALL {
        let schedule = collective.schedule(30, 3000);
        let hosts: Vec<u32> = (0..30).rev().collect();
        let of_parts = |parts| {
            let work = Work {
                plan: &plan,
                schedule: &schedule,
                hosts: &hosts,
                packet_flits: 9,
                clock_mhz: None,
                parts,
            };
            work.run(&|_| {}).expect("it ends")
        };
        let alone = of_parts(1);
        assert_eq!(of_parts(3), alone, "{collective:?}");
        assert!(alone.cycles >= alone.port_bound, "{collective:?}");
        let sends = schedule.operations.iter();
        let sends = sends.filter(|operation| matches!(operation.action, Action::Send { .. }));
        assert_eq!(alone.messages, sends.count() as u64);
    }
}
