//! Management messages from four hosts at once, over cables with bit errors, beside data: each write is carried out once,
//! and none that is repeated, old or without the key is; every request is answered.

use mkns::cosim::{
    CableFaultPlan, FaultPlan, FloodReport, MessageFlood, NetworkRun, NetworkSummary, Pair,
    golden_network_device,
};
use mkns::design::{self, Plan};
use mkns::topology::BlockId;
use mkns::traffic::{OfferedPackets, Pattern};

fn plan(notation: &str) -> Plan {
    let settings = ["link.kind=serial", "link.management=in_band"].map(str::to_owned);
    let spec = mkns::spec::parse_with(notation, &settings).expect("a valid spec");
    design::build(&spec).expect("the network can be built")
}

fn flood(hosts: u32, spare: u32) -> MessageFlood {
    MessageFlood {
        from: (0..hosts).map(BlockId).collect(),
        spare,
    }
}

fn run(
    plan: &Plan,
    flood: &MessageFlood,
    (load, bit_error_rate, cycles): (u32, f64, u64),
    seed: u64,
) -> (NetworkSummary, FloodReport) {
    let run = NetworkRun {
        cables: CableFaultPlan {
            bit_error_rate,
            ..CableFaultPlan::default()
        },
        traffic: Pattern::Uniform,
        load,
        cycles,
        seed,
        fault_plan: FaultPlan::default(),
        offered: OfferedPackets::Random,
        live: None,
        threads: 1,
    };
    let mut devices = |module: usize, blocks: &[BlockId]| Pair {
        rtl: golden_network_device(plan, module, blocks),
        golden: None,
    };
    let done = run.run_flooded(plan, flood, &mut devices, &mut |_| {});
    let (summary, report) = done.unwrap_or_else(|failure| panic!("{failure}"));
    println!("load {load}, {bit_error_rate}, {flood:?}: {report}");
    (summary, report)
}

/// Nothing is carried out that should not be, and all is answered within 20 messages.
fn is_right(report: &FloodReport) {
    assert!(report.wrong.is_empty(), "{:?}", report.wrong[0]);
    assert_eq!(report.late(), 0, "{report}");
}

const NETWORK: &str = "MKNS(1,3x2,2,1)";

/// Four blocks with cables between all, so that more messages go through per second.
const SMALL: &str = "MKNS(1,4,1,1)";

#[test]
fn four_hosts_flood_a_machine_with_errors() {
    let (_, report) = run(&plan(NETWORK), &flood(4, 0), (100, 1e-5, 60_000), 3);
    is_right(&report);
    assert!(report.answered() > 200, "{report}");
}

/// Data that cross the cables with a flood of this many hosts are at least 99 % of what they are without.
fn messages_leave_the_data_alone(network: &str, hosts: u32) {
    let plan = plan(network);
    let [without, with] =
        [0, hosts].map(|hosts| run(&plan, &flood(hosts, 0), (1_000, 0.0, 60_000), 3).1);
    is_right(&with);
    assert!(with.answered() > 50, "{with}");
    assert!(
        with.data_flits * 100 >= without.data_flits * 99,
        "{with}; {without}"
    );
}

#[test]
fn messages_take_at_most_one_per_cent_of_saturated_data() {
    messages_leave_the_data_alone(NETWORK, 4);
}

/// Two hosts that send all to each other: here the line of the one cable is what limits the data.
#[test]
fn messages_take_at_most_one_per_cent_of_a_full_link() {
    messages_leave_the_data_alone("MKNS(1,2,1,1)", 2);
}

/// Hosts that never wait take places of messages that somebody waits for.
#[test]
fn every_request_is_answered_among_messages_that_nobody_waits_for() {
    let (_, report) = run(&plan(NETWORK), &flood(4, 100), (100, 1e-5, 60_000), 3);
    assert!(report.wrong.is_empty(), "{:?}", report.wrong[0]);
    assert_eq!(report.unanswered, 0, "{report}");
}

#[test]
#[ignore = "most of an hour, by hand: cargo test --test plain a_million -- --ignored"]
fn a_million_messages_from_four_hosts() {
    let (plan, flood) = (plan(SMALL), flood(4, 0));
    let (mut messages, mut seed) = (0, 0);
    while messages < 1_000_000 {
        seed += 1;
        for (load, cycles) in [(1_000, 100_000), (100, 900_000)] {
            let (_, report) = run(&plan, &flood, (load, 1e-5, cycles), seed);
            is_right(&report);
            messages += report.messages;
        }
    }
}
