//! RTL and reference in lockstep while parts fail and the manager works through the RTL's control ports.

use mkns::cosim::{
    Disturbance, Judge, LiveFaults, PlannedFailure, Request, Silent, Traffic, check_network_live,
};
use mkns::design::Plan;
use mkns::rtl::render_sources;
use mkns::topology::{self, Faults};
use mkns::{routing, spec};

use crate::common::rtl_designs::quick_models;

#[test]
fn tables_lead_round_a_cable_a_switch_block_and_an_adapter_block_that_fail() {
    three_parts_fail("vtftr");
}

#[test]
fn masks_lead_round_a_cable_a_switch_block_and_an_adapter_block_that_fail() {
    three_parts_fail("planes");
}

fn three_parts_fail(engine: &str) {
    let spec = spec::parse_with("MKNS(2,4x4,2,1)", &[format!("routing={engine}")]);
    let spec = spec.expect("a valid spec");
    let network = topology::build(&spec);
    let routes = routing::build(&spec, &network, &Faults::none()).expect("routes");
    let plan = Plan::new(&spec, network, routes.clone());
    let failure = |(name, cycle): (&str, u64)| PlannedFailure {
        part: Faults::named(&plan.network, [name])
            .expect("a part")
            .parts()
            .next()
            .expect("one part"),
        cycle,
    };
    let failures = [
        ("ab_0_1_0_0-ab_3_1_0_0", 731),
        ("kb_y2", 1_811),
        ("ab_1_3_0_0", 3_207),
    ];
    let live = LiveFaults {
        failures: failures.map(failure).to_vec(),
        managed: Some(routes),
    };
    let request = Request {
        spec: "MKNS(2,4x4,2,1)".to_owned(),
        set: Vec::new(),
        damage: String::new(),
        traffic: vec![Traffic::Uniform],
        load: 300,
        cycles: 5_000,
        seed: 1,
        disturbance: Disturbance::default(),
        judge: Judge::Reference,
        threads: 2,
        trace: None,
    };
    let models = quick_models(&render_sources(&plan));
    let summaries = check_network_live(&plan, &models, &request, &live, &Silent);
    let summaries = summaries.unwrap_or_else(|error| panic!("{error:?}"));
    let live = summaries[0].live.as_ref().expect("parts failed");
    assert_eq!(live.history.repairs.len(), 3);
    assert!(
        live.history
            .repairs
            .iter()
            .all(|seen| seen.cycles < 1_000 && !seen.repair.hosts_held)
    );
    assert!(live.exact_packets > 1_000);
}
