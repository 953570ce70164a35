//! Generated RTL against the golden model: blocks under every kind of traffic, and the networks
//! that the project promises. Cycle counts are cut for `make test`; `mkns cosim` runs them in full.
#![cfg(feature = "cosim")]

use crate::common::lockstep::{run_blocks, run_networks};
use crate::common::rtl_designs::{build, plan, quick_models};
use crate::common::smallest::smallest_plan;
use crate::common::specs;
use mkns::cosim::{FaultPlan, Request, SessionError, Subject};
use mkns::design::{ModuleKind, Plan};
use mkns::routing;
use mkns::rtl::render_sources;
use mkns::spec::{Join, NetworkSpec, Switching};
use mkns::topology::Faults;
use mkns::traffic::Pattern;
use proptest::prelude::*;

fn request(traffic: &[Pattern], cycles: u64) -> Request {
    Request {
        cables: mkns::cosim::CableFaultPlan::default(),
        spec: "test".to_owned(),
        set: Vec::new(),
        failures: String::new(),
        traffic: traffic.to_vec(),
        load: 300,
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

fn check_all_blocks(plan: &Plan, cycles: u64) {
    check_blocks_of(plan, &[ModuleKind::Switch, ModuleKind::Adapter], cycles);
}

fn check_blocks_of(plan: &Plan, kinds: &[ModuleKind], cycles: u64) {
    let models = quick_models(&render_sources(plan));
    for &kind in kinds {
        let request = request(&Pattern::LOCKSTEP, cycles);
        let summaries = run_blocks(Subject::Blocks(plan, kind), &models, &request)
            .unwrap_or_else(|error| panic!("{}", show(error)));
        assert!(!summaries.is_empty());
        assert!(summaries.iter().all(|summary| summary.cycles >= cycles));
        // With random tables one run of ten has a fifth of the packets of the others, so they count together.
        let packets = summaries.iter().map(|summary| summary.packets).sum::<u64>();
        assert!(
            packets * 100 > cycles * summaries.len() as u64,
            "{summaries:?}"
        );
    }
}

/// `cycles` of hosts as wide as flits; narrower ones send a flit in several beats and get as many times longer.
fn check_whole(plan: &Plan, traffic: &[Pattern], cycles: u64) {
    let models = quick_models(&render_sources(plan));
    let beats = (plan.spec.block.flit_bits / plan.spec.block.pcie_bits).max(1);
    let request = request(traffic, cycles * u64::from(beats));
    let summaries = run_networks(Subject::Network(plan), &models, &request)
        .unwrap_or_else(|error| panic!("{}: {}", plan.spec.name, show(error)));
    for summary in summaries {
        assert_eq!(summary.totals.packets_sent, summary.totals.packets_received);
        assert!(summary.totals.packets_sent > cycles / 20, "{summary:?}");
    }
}

/// Four-port blocks of two channels with other parameters than the default.
fn small(change: impl Fn(&mut NetworkSpec)) -> Plan {
    let mut spec = specs::mkns_with_ports(4, 2, &[2, 3], &[Join::SwitchBlock]);
    spec.block.virtual_channels = 2;
    change(&mut spec);
    build(&spec)
}

#[test]
fn default_blocks_equal_their_model() {
    check_all_blocks(&plan("MKNS(2,4,2,1)"), 20_000);
}

/// The plan of a notation whose blocks have more channels than its routes need.
fn plan_with_channels(notation: &str, channels: u32) -> Plan {
    let mut spec = plan(notation).spec;
    spec.block.virtual_channels = channels;
    build(&spec)
}

#[test]
fn blocks_whose_hosts_are_spread_over_channels_equal_their_model() {
    check_all_blocks(&plan_with_channels("MKNS(2,4,2,1)", 2), 20_000);
    check_whole(
        &plan_with_channels("MKNS(2,3,2,1)", 2),
        &Pattern::LOCKSTEP,
        2_000,
    );
}

#[test]
fn rings_whose_hosts_start_on_two_of_four_channels_equal_their_model() {
    let plan = plan_with_channels("torus(5,2)", 4);
    assert_eq!(plan.modules[0].host_channels(), 2);
    check_blocks_of(&plan, &[ModuleKind::Adapter], 20_000);
    check_whole(&plan, &Pattern::LOCKSTEP, 2_000);
}

/// Before the first clock edge pins have any value, also that of a channel which is not there.
#[test]
fn whatever_a_block_powers_up_with_is_no_failure() {
    let plan = smallest_plan();
    let models = quick_models(&render_sources(&plan));
    for seed in 1..=40 {
        let request = Request {
            seed,
            ..request(&[Pattern::Uniform], 20)
        };
        run_blocks(
            Subject::Blocks(&plan, ModuleKind::Switch),
            &models,
            &request,
        )
        .unwrap_or_else(|error| panic!("seed {seed}: {}", show(error)));
    }
}

/// Cut-through, four channels and long links.
fn every_option() -> Plan {
    small(|spec| {
        let block = &mut spec.block;
        block.switching = Switching::Vct;
        block.max_packet_flits = 9;
        block.link_latency = 2;
        block.rx_buffer_flits = 16;
        block.virtual_channels = 4;
        block.host_timeout = 50;
        block.layers = 3;
    })
}

#[test]
fn blocks_with_cut_through_and_long_links_equal_their_model() {
    check_all_blocks(&every_option(), 20_000);
}

#[test]
fn wide_blocks_with_one_channel_equal_their_model() {
    let plan = small(|spec| {
        let block = &mut spec.block;
        block.flit_bits = 128;
        block.pcie_bits = 128;
        block.virtual_channels = 1;
        block.banks = 1;
        block.host_timeout = 0;
        block.counters = false;
    });
    check_all_blocks(&plan, 20_000);
}

/// Blocks and network whose hosts have beats of `pcie_bits`.
fn check_widths(flit_bits: u32, pcie_bits: u32) {
    let plan = small(|spec| {
        let block = &mut spec.block;
        (block.flit_bits, block.pcie_bits) = (flit_bits, pcie_bits);
        block.max_packet_flits = 20;
        block.host_timeout = 40;
    });
    let models = quick_models(&render_sources(&plan));
    let request = request(&Pattern::LOCKSTEP, 10_000);
    let summaries = run_blocks(
        Subject::Blocks(&plan, ModuleKind::Adapter),
        &models,
        &request,
    )
    .unwrap_or_else(|error| panic!("{}", show(error)));
    assert_eq!(summaries.len(), Pattern::LOCKSTEP.len());
    check_whole(&plan, &[Pattern::Uniform], 3_000);
}

#[test]
fn hosts_of_eight_times_the_width_equal_their_model() {
    check_widths(64, 512);
}

#[test]
fn hosts_of_a_quarter_of_the_width_equal_their_model() {
    check_widths(256, 64);
}

#[test]
fn the_demo_network_runs_20000_cycles_without_a_difference() {
    check_whole(&plan("MKNS(2,4,2,1)"), &[Pattern::Uniform], 20_000);
    check_whole(
        &plan("MKNS(2,4,2,1)"),
        &[Pattern::Permutation, Pattern::HOT_SPOT],
        3_000,
    );
}

/// The judge looks routes up in the file; the arithmetic of the engine, which did not make it, says something else.
#[test]
fn reports_3_rtl_does_what_tables_of_a_file_say() {
    let engine = plan("MKNS(2,4,2,1)");
    let network = engine.network.clone();
    let mut routing = routing::build(&engine.spec, &network, &Faults::none()).expect("routes");
    routing.from_file = Some("detour.csv".to_owned());
    // From the first block to first coordinate 1 over block 2.
    routing.tables[0].tables[0].entries[1].port = 1;
    let detour = Plan::new(&engine.spec, network, routing);
    assert_ne!(detour.key(), engine.key());
    check_whole(&detour, &[Pattern::Uniform], 2_000);
}

#[test]
fn a_single_mesh_runs_without_a_difference() {
    check_whole(&plan("MKNS(1,8,1,1)"), &Pattern::LOCKSTEP, 2_000);
}

#[test]
fn the_papers_machine_of_64_runs_without_a_difference() {
    check_whole(&plan("MKNS(2,8x4,2,0)"), &Pattern::LOCKSTEP, 2_000);
}

#[test]
fn three_dimensions_run_without_a_difference() {
    check_whole(&plan("MKNS(2,4x3x2,3,1)"), &Pattern::LOCKSTEP, 2_000);
}

#[test]
#[ignore = "takes most of a minute: make test-long"]
fn four_dimensions_run_without_a_difference() {
    check_whole(&plan("MKNS(2,3x2x2x2,4,1)"), &Pattern::LOCKSTEP, 2_000);
}

#[test]
fn switch_assemblies_run_without_a_difference() {
    check_whole(&plan("MKNS(1,3x20,2,2)"), &Pattern::LOCKSTEP, 2_000);
}

/// Every output is compared while cables fail and control ports are used.
#[test]
fn networks_under_faults_run_without_a_difference() {
    for (plan, cycles) in [
        (plan("MKNS(2,4,2,1)"), 4_000),
        (plan("MKNS(1,8,1,1)"), 4_000),
        (every_option(), 8_000),
    ] {
        let models = quick_models(&render_sources(&plan));
        let request = Request {
            fault_plan: FaultPlan {
                link_faults: true,
                control_traffic: true,
            },
            ..request(&[Pattern::Uniform], cycles)
        };
        let summaries = run_networks(Subject::Network(&plan), &models, &request)
            .unwrap_or_else(|error| panic!("{}: {}", plan.spec.name, show(error)));
        let fault_report = summaries[0].fault_report.expect("faults were injected");
        assert!(fault_report.cable_failures > 10, "{fault_report:?}");
        assert!(fault_report.packets_lost > 0, "{fault_report:?}");
        assert!(fault_report.control_operations > 100, "{fault_report:?}");
    }
}

#[test]
fn a_ring_with_its_dateline_runs_without_a_difference() {
    // Virtual channels step at the dateline.
    check_whole(&plan("torus(6)"), &Pattern::LOCKSTEP, 2_000);
}

#[test]
fn a_fat_tree_runs_without_a_difference() {
    // Flat tables, adapter blocks with one network port.
    check_whole(&plan("fat_tree(2x3)"), &Pattern::LOCKSTEP, 2_000);
}

/// Networks of four to six ports with any mix of block options.
fn small_random_specs() -> impl Strategy<Value = NetworkSpec> {
    let network = (4..=6u32, 1..=2u32, 2..=4u32, 0..=3u32);
    let options = (0..=1u32, 1..=3u32, 1..=2u32);
    let widths = (0..=3u32, 0..=3u32);
    (network, options, widths).prop_map(|((ports, hosts, first, second), options, widths)| {
        let lines: &[_] = if second < 2 {
            &[]
        } else {
            &[Join::SwitchBlock]
        };
        let sizes = [first.min(ports - 2), second];
        let mut spec = specs::mkns_with_ports(ports, hosts, &sizes[..=lines.len()], lines);
        let (channel_bits, banks, latency) = options;
        let block = &mut spec.block;
        block.flit_bits = 64 << widths.0;
        block.pcie_bits = 64 << widths.1;
        block.virtual_channels = 1 << channel_bits;
        block.banks = banks;
        block.link_latency = latency;
        block.rx_buffer_flits = 16;
        spec
    })
}

proptest! {
    // Every case compiles its own models, some ten seconds each.
    #![proptest_config(ProptestConfig { max_shrink_iters: 4, ..ProptestConfig::with_cases(3) })]

    #[test]
    #[ignore = "takes most of a minute: make test-long"]
    fn small_random_networks_run_without_a_difference(spec in small_random_specs()) {
        check_whole(&build(&spec), &[Pattern::Uniform], 1_500);
    }
}
