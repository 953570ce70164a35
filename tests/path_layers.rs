//! Layers chosen by masks in generated RTL: blocks and networks against the golden model, whole and with failed parts,
//! and faults planted into the choice.
#![cfg(feature = "cosim")]

use crate::common::lockstep::{run_blocks, run_networks};
use crate::common::planted::{Fault, are_found, fault, run_with};
use crate::common::rtl_designs::{build, quick_models};
use mkns::cosim::{FaultPlan, Request, SessionError, Subject};
use mkns::design::ModuleKind::Adapter;
use mkns::design::Plan;
use mkns::routing;
use mkns::rtl::{render_network, render_sources};
use mkns::spec::{self, NetworkSpec};
use mkns::topology::{self, Faults};
use mkns::traffic::Pattern;

fn spec(notation: &str, settings: &[&str]) -> NetworkSpec {
    let settings: Vec<String> = settings.iter().map(|&text| text.to_owned()).collect();
    spec::parse_with(notation, &settings).expect("a valid spec")
}

/// The plan with parts that have failed.
fn damaged(spec: &NetworkSpec, down: &[&str]) -> Plan {
    let network = topology::build(spec);
    let faults = Faults::named(&network, down.iter().copied()).expect("parts of the network");
    let routing = routing::build(spec, &network, &faults).expect("routes");
    Plan::with_faults(spec, network, faults, routing)
}

/// Small blocks of three layers that choose, their buffers soon full.
fn small(settings: &[&str]) -> Plan {
    let own = [
        "routing=planes_spread",
        "network.ports=5",
        "max_packet_flits=5",
    ];
    build(&spec("MKNS(2,3x2,2,1)", &[&own[..], settings].concat()))
}

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

#[test]
fn blocks_that_choose_layers_equal_their_model() {
    for settings in [
        &[][..],
        &["virtual_channels=4", "pcie_bits=256", "counters=false"],
        &["flit_bits=256", "max_packet_flits=1"],
    ] {
        let plan = small(settings);
        let models = quick_models(&render_sources(&plan));
        let request = request(&Pattern::LOCKSTEP, 20_000);
        let summaries = run_blocks(Subject::Blocks(&plan, Adapter), &models, &request)
            .unwrap_or_else(|error| panic!("{settings:?}: {}", show(error)));
        assert_eq!(summaries.len(), Pattern::LOCKSTEP.len());
    }
}

/// Masks and tables come through the control ports, and are written again while hosts send.
#[test]
fn networks_of_planes_run_with_one_to_three_failed_parts() {
    for engine in ["planes", "planes_spread"] {
        let spec = spec("MKNS(2,4x4,2,1)", &[&format!("routing={engine}")]);
        let models = quick_models(&render_sources(&damaged(&spec, &[])));
        for down in [
            &[][..],
            &["ab_1_0_0_0"],
            &["kb_y2", "ab_0_0_0_0-ab_1_0_0_0"],
            &["ab_1_0_0_0", "kb_y2", "ab_3_3_0_0"],
        ] {
            let plan = damaged(&spec, down);
            let request = Request {
                fault_plan: FaultPlan {
                    control_traffic: true,
                    ..FaultPlan::default()
                },
                ..request(&[Pattern::Uniform], 3_000)
            };
            let summaries = run_networks(Subject::Network(&plan), &models, &request)
                .unwrap_or_else(|error| panic!("{engine} {down:?}: {}", show(error)));
            let totals = summaries[0].totals;
            assert_eq!(totals.packets_sent, totals.packets_received);
            assert!(totals.packets_sent > 1_000, "{totals:?}");
        }
    }
}

/// Nothing is written: what the generated top powers up with counts.
#[test]
fn a_generated_network_powers_up_with_its_masks() {
    for settings in [&[][..], &["control_port=false"]] {
        let plan = small(settings);
        let models = quick_models(&render_network(&plan).expect("the network has a name"));
        run_networks(
            Subject::SingleModel(&plan),
            &models,
            &request(&[Pattern::Uniform], 2_000),
        )
        .unwrap_or_else(|error| panic!("{settings:?}: {}", show(error)));
    }
}

const FAULTS: [Fault; 7] = [
    fault(
        "the last layer of the mask instead of the k-th",
        Adapter,
        "path_choice.v",
        "lower == product[7:4]",
        "lower >= product[7:4]",
        &["tx_", "rx_credit", "m_axis_pcie_", "s_axil_rdata"],
    ),
    fault(
        "the hint does not count",
        Adapter,
        "path_choice.v",
        "hash = {data[53], data[54], data[55], 1'b0};",
        "hash = 4'd0;",
        &["tx_", "rx_credit", "m_axis_pcie_", "s_axil_rdata"],
    ),
    fault(
        "unreachable packets pass",
        Adapter,
        "path_choice.v",
        "assign unreachable = mask == {LAYERS{1'b0}};",
        "assign unreachable = 1'b0;",
        &[
            "tx_",
            "rx_credit",
            "m_axis_pcie_",
            "s_axis_pcie_",
            "s_axil_rdata",
        ],
    ),
    fault(
        "no place for the beat in the stage",
        Adapter,
        "pcie_ingress.v",
        "!will_occupy[POINTER_BITS] && !(&will_occupy[POINTER_BITS-1:0]);",
        "!will_occupy[POINTER_BITS];",
        &["s_axis_pcie_tready", "tx_", "rx_credit", "m_axis_pcie_"],
    ),
    fault(
        "all layers start on channel 0",
        Adapter,
        "path_registers.v",
        "<= write_data[1:0] & CHANNEL_BITS[1:0];",
        "<= 2'd0;",
        &["tx_", "rx_credit", "m_axis_pcie_", "s_axil_rdata"],
    ),
    fault(
        "a mask is read while another is written",
        Adapter,
        "path_registers.v",
        "assign read_waits = read_whole & read_mask & writes;",
        "assign read_waits = 1'b0;",
        &["s_axil_arready", "s_axil_rdata", "s_axil_rvalid"],
    ),
    fault(
        "a read of no mask waits for a write, too",
        Adapter,
        "path_registers.v",
        "assign read_waits = read_whole & read_mask & writes;",
        "assign read_waits = read_mask & writes;",
        &["s_axil_arready"],
    ),
];

#[test]
fn every_fault_planted_into_the_choice_is_found() {
    are_found(&[(small(&[]), &FAULTS)]);
    let plan = small(&[]);
    if let Some(failure) = run_with(&plan, Adapter, &render_sources(&plan), 2) {
        panic!("{failure}");
    }
}
