//! Management messages from four hosts at once through RTL: in lockstep with the golden model; and faults in the RTL, which
//! the answers alone give away.
#![cfg(feature = "cosim")]

use crate::common::rtl_designs::quick_models;
use mkns::cosim::{
    CableFaultPlan, Failure, FaultPlan, FloodReport, MessageFlood, NetworkRun, Pair,
    golden_network_device, rtl_device, with_board_tops,
};
use mkns::design::{self, Plan};
use mkns::rtl::render_network;
use mkns::topology::BlockId;
use mkns::traffic::{OfferedPackets, Pattern};

fn plan() -> Plan {
    let settings = ["link.kind=serial", "link.management=in_band"].map(str::to_owned);
    let spec = mkns::spec::parse_with("MKNS(1,4,1,1)", &settings).expect("a valid spec");
    design::build(&spec).expect("the network can be built")
}

/// Four hosts for so many cycles, over cables with bit errors; with the golden model, or by the answers alone.
fn flooded(
    plan: &Plan,
    sources: &[(String, String)],
    (load, cycles, compares): (u32, u64, bool),
) -> Result<FloodReport, Box<Failure>> {
    let models = quick_models(&with_board_tops(plan, sources));
    let run = NetworkRun {
        cables: CableFaultPlan {
            bit_error_rate: 1e-5,
            ..CableFaultPlan::default()
        },
        traffic: Pattern::Uniform,
        load,
        cycles,
        seed: 3,
        fault_plan: FaultPlan::default(),
        offered: OfferedPackets::Random,
        live: None,
        threads: 1,
    };
    let flood = MessageFlood {
        from: (0..4).map(BlockId).collect(),
        spare: 0,
    };
    let mut devices = |module: usize, blocks: &[BlockId]| {
        let library = models.library(&plan.modules[module], &|_| {});
        let rtl = rtl_device(&library.expect("Verilator is set up"), blocks, 1);
        Pair {
            rtl: rtl.expect("it runs"),
            golden: compares.then(|| golden_network_device(plan, module, blocks)),
        }
    };
    let done = run.run_flooded(plan, &flood, &mut devices, &mut |_| {});
    done.map(|(_, report)| report)
}

fn is_as_the_golden_model(runs: &[(u32, u64)]) {
    let plan = plan();
    let sources = render_network(&plan).expect("the network can be built");
    for &(load, cycles) in runs {
        let report = flooded(&plan, &sources, (load, cycles, true));
        let report = report.unwrap_or_else(|failure| panic!("{failure}"));
        println!("load {load}: {report}");
        assert!(report.wrong.is_empty(), "{:?}", report.wrong[0]);
        assert_eq!(report.late(), 0, "{report}");
        assert!(report.answered() > cycles / 1_000, "{report}");
    }
}

#[test]
fn four_hosts_flood_the_rtl() {
    is_as_the_golden_model(&[(300, 20_000), (1_000, 20_000)]);
}

#[test]
#[ignore = "some minutes: make test-long"]
fn four_hosts_flood_the_rtl_for_long() {
    is_as_the_golden_model(&[(100, 1_000_000), (1_000, 300_000)]);
}

/// What is planted into a file of the unit is seen in the answers, without a golden model.
fn answers_tell(file: &str, good: &str, bad: &str) {
    let plan = plan();
    let mut sources = render_network(&plan).expect("the network can be built");
    let source = sources.iter_mut().find(|(name, _)| name.ends_with(file));
    let (_, text) = source.expect("the network has the file");
    assert_eq!(text.matches(good).count(), 1, "{file}: {good}");
    *text = text.replace(good, bad);
    let report = flooded(&plan, &sources, (100, 6_000, false));
    let is_seen = report
        .as_ref()
        .map_or(true, |report| !report.wrong.is_empty() || report.late() > 0);
    assert!(is_seen, "{report:?}");
}

#[test]
fn answers_tell_of_a_key_that_nobody_looks_at() {
    let good = "key_good <= key_equal & (~at[0] | key_good);";
    answers_tell("management_message.v", good, "key_good <= 1'b1;");
}

#[test]
fn answers_tell_of_a_repeated_write_that_is_carried_out_twice() {
    let good = "writes & (~key_good | old | repeated)";
    answers_tell("management_unit.v", good, "writes & (~key_good | old)");
}

#[test]
fn answers_tell_of_a_return_path_that_is_off_by_one_port() {
    let good = "is_last ? status[3:0] : place;";
    let bad = "is_last ? status[3:0] : place + 4'd1;";
    answers_tell("management_words.v", good, bad);
}
