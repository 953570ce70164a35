//! Whole distributed switches: RTL against golden model over simplex and duplex cables, one and two
//! cascades, serial and parallel terminals; zero-load latency; the text of a generated one.
#![cfg(feature = "cosim")]

use crate::common::lockstep::run_networks;
use crate::common::rtl_designs::{plan, quick_models};
use mkns::cosim::{FaultPlan, Request, SessionError, Subject};
use mkns::design::Pins;
use mkns::design::RouteSource;
use mkns::design::{Addressing, ModuleKind, Plan, ZeroLoadLatency};
use mkns::golden::Network;
use mkns::rtl::{render_network, render_sources};
use mkns::traffic::Pattern;

/// `load` of every host's port in thousandths.
fn request(traffic: &[Pattern], load: u32, cycles: u64) -> Request {
    Request {
        cables: mkns::cosim::CableFaultPlan::default(),
        spec: "test".to_owned(),
        set: Vec::new(),
        failures: String::new(),
        traffic: traffic.to_vec(),
        load,
        cycles,
        seed: 1,
        fault_plan: FaultPlan::default(),
        threads: 1,
        trace: None,
    }
}

fn show(error: SessionError) -> String {
    match error {
        SessionError::Failed(failure) => failure.to_string(),
        SessionError::Simulator(error) => error.to_string(),
    }
}

/// All kinds of traffic at a load that passes, then the two that are no permutation at more than passes:
/// merging arbiters, back-pressure and locks are at work in every cycle.
fn check_whole(notation: &str) {
    let plan = plan(notation);
    let models = quick_models(&render_sources(&plan));
    for request in [
        request(&Pattern::LOCKSTEP, 300, 800),
        request(&[Pattern::HOT_SPOT], 1000, 100_000),
        request(&[Pattern::Uniform], 1000, 20_000),
    ] {
        let summaries = run_networks(Subject::Network(&plan), &models, &request)
            .unwrap_or_else(|error| panic!("{notation}: {}", show(error)));
        for summary in summaries {
            assert_eq!(summary.totals.packets_sent, summary.totals.packets_received);
            assert!(
                summary.totals.packets_sent > request.cycles / 20,
                "{summary:?}"
            );
        }
    }
}

#[test]
fn digraphs_over_simplex_cables_run_without_a_difference() {
    check_whole("hypercube(3)");
    check_whole("multi_ring(3)");
}

#[test]
fn block_designs_over_duplex_cables_run_without_a_difference() {
    check_whole("block_design(7,4,2)");
}

#[test]
fn two_cascades_run_without_a_difference() {
    check_whole("hypercube(2,2)");
}

#[test]
fn parallel_terminals_run_without_a_difference() {
    check_whole("hypercube(3,1,1)");
}

/// The generated top, with its cables and tables as they are printed, as one model.
#[test]
fn a_generated_switch_runs_as_one_model() {
    let plan = plan("hypercube(2)");
    let sources = render_network(&plan).expect("the network can be printed");
    let models = quick_models(&sources);
    let summaries = run_networks(
        Subject::SingleModel(&plan),
        &models,
        &request(&Pattern::LOCKSTEP, 300, 500),
    )
    .unwrap_or_else(|error| panic!("{}", show(error)));
    assert!(
        summaries
            .iter()
            .all(|summary| summary.totals.packets_sent > 50)
    );
}

/// Cycles from the beat of a header-only packet to its arrival.
fn measured_latency(plan: &Plan, from: u32, to: u32) -> u32 {
    let terminal = plan
        .modules
        .iter()
        .find(|module| module.kind == ModuleKind::Terminal);
    let terminal = terminal.expect("a distributed switch has terminals");
    let at = Pins::new(terminal);
    let addressing = Addressing::new(plan);
    let header = addressing.destination(from, to).expect("a path");
    let block = |host: u32| plan.network.hosts[host as usize].block;
    let mut network = Network::new(plan, RouteSource::Tables);
    network.step();
    for host in &plan.network.hosts {
        network.inputs_mut(host.block)[at.egress.ready] = 1;
    }
    let pins = network.inputs_mut(block(from));
    pins[at.ingress.data] = header.into();
    pins[at.ingress.keep] = 0xff;
    pins[at.ingress.valid] = 1;
    pins[at.ingress.last] = 1;
    network.step();
    network.inputs_mut(block(from))[at.ingress.valid] = 0;
    for cycle in 1..100 {
        network.step();
        if network.outputs(block(to))[at.egress.valid] == 1 {
            let arrived = network.outputs(block(to))[at.egress.data];
            let source = (arrived >> 20 & 0xf_ffff) as u32;
            assert_eq!(source, addressing.source(from));
            assert_eq!(network.outputs(block(to))[at.egress.user], 0);
            return cycle;
        }
    }
    panic!("{from} to {to} never arrives");
}

#[test]
fn every_pair_has_the_latency_that_info_prints() {
    for (notation, cascades) in [
        ("multi_ring(3)", 1),
        ("block_design(7,4,2)", 1),
        ("hypercube(2,2)", 2),
    ] {
        let plan = plan(notation);
        let promised = ZeroLoadLatency::new(&plan.spec.block).terminal_to_terminal(cascades);
        let hosts = plan.network.hosts.len() as u32;
        for from in 0..hosts {
            for to in 0..hosts {
                let measured = measured_latency(&plan, from, to);
                assert_eq!(measured, promised, "{notation}: {from} to {to}");
            }
        }
    }
}
