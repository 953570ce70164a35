//! RTL and reference in lockstep while one host brings up a network that is empty, and hosts then use it.

use crate::common::lockstep::run_networks;
use mkns::cosim::{
    CableFaultPlan, FaultPlan, LiveFaults, Models, Request, Subject, with_board_tops,
};
use mkns::rtl::render_network;
use mkns::topology::BlockId;
use mkns::traffic::Pattern;

#[test]
fn one_host_brings_up_an_empty_network() {
    let settings = ["link.kind=serial", "link.management=in_band"].map(str::to_owned);
    let spec = mkns::spec::parse_with("MKNS(2,2,1,1)", &settings).expect("a valid spec");
    let plan = mkns::design::build(&spec).expect("the network can be built");
    let live = LiveFaults {
        in_band: Some(BlockId(0)),
        ..LiveFaults::default()
    };
    let request = Request {
        cables: CableFaultPlan::default(),
        spec: "MKNS(2,2,1,1)".to_owned(),
        set: settings.to_vec(),
        failures: String::new(),
        traffic: vec![Pattern::Uniform],
        load: 300,
        cycles: 2_000,
        seed: 1,
        fault_plan: FaultPlan::default(),
        threads: 1,
        trace: None,
    };
    let sources = render_network(&plan).expect("the network can be built");
    let models = Models::from_sources(&with_board_tops(&plan, &sources));
    let models = models.expect("Verilator is set up");
    let summaries = run_networks(Subject::FailingNetwork(&plan, &live), &models, &request);
    let summaries = summaries.unwrap_or_else(|error| panic!("{error:?}"));
    let live = summaries[0].live.as_ref().expect("a manager");
    let in_band = live.in_band.as_ref().expect("over the cable");
    assert_eq!((in_band.bring_up.blocks, in_band.counts.unanswered), (2, 0));
    assert!(live.exact_packets > 50, "{live:?}");
}
