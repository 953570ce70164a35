//! Adaptive blocks (`docs/microarchitecture.md` 1.8), RTL and golden model in lockstep: lone blocks with random tables
//! and room, whole saturated networks, and faults that are planted into the RTL.
#![cfg(feature = "cosim")]

use crate::common::lockstep::run_networks;
use crate::common::planted::{Fault, are_found, fault, run_with};
use crate::common::rtl_designs::quick_models;
use mkns::cosim::{FaultPlan, Models, Request, Subject};
use mkns::design::ModuleKind::{self, Adapter, Switch};
use mkns::design::Plan;
use mkns::rtl::render_sources;
use mkns::topology::Faults;
use mkns::traffic::Pattern;
use mkns::{routing, spec, topology};

/// A network of adaptive blocks in which parts are down.
fn damaged(text: &str, settings: &[&str], down: &[&str]) -> Plan {
    let mut settings: Vec<String> = settings.iter().map(|&it| it.to_owned()).collect();
    settings.push("routing=adaptive".to_owned());
    let spec = spec::parse_with(text, &settings).expect("a valid spec");
    let network = topology::build(&spec);
    let faults = Faults::named(&network, down.iter().copied()).expect("parts");
    let routes = routing::build(&spec, &network, &faults).expect("routes");
    Plan::with_faults(&spec, network, faults, routes)
}

/// Packets of up to 9 flits, and buffers that two of them fill.
fn small(text: &str) -> Plan {
    let sizes = [
        "max_packet_flits=9",
        "rx_buffer_flits=19",
        "queue_flits=32",
        "host_timeout=30",
    ];
    damaged(text, &sizes, &[])
}

fn agrees(plan: &Plan, kind: ModuleKind) {
    if let Some(failure) = run_with(plan, kind, &render_sources(plan), 1) {
        panic!("{failure}");
    }
}

#[test]
fn an_adaptive_adapter_block_is_the_golden_model() {
    agrees(&small("random_shortcut(8,3,2)"), Adapter);
}

#[test]
fn an_adaptive_switch_block_is_the_golden_model() {
    agrees(&small("fat_tree(3x2,2)"), Switch);
}

/// Packets of the escape go a channel up, flits and beats differ, and links are long.
#[test]
#[ignore = "models of six blocks: make test-long"]
fn adaptive_blocks_of_all_sizes_are_the_golden_model() {
    for (text, kind, settings) in [
        (
            "torus(5x3,2)",
            Adapter,
            &[
                "virtual_channels=4",
                "banks=3",
                "pcie_bits=256",
                "link_latency=3",
                "rx_buffer_flits=33",
            ][..],
        ),
        (
            "HyperX(2x2x2,2)",
            Adapter,
            &["flit_bits=512", "pcie_bits=64"],
        ),
        (
            "random_shortcut(10,4,1)",
            Adapter,
            &["flit_bits=128", "max_packet_flits=4", "rx_buffer_flits=12"],
        ),
        (
            "fat_tree(3x2,2)",
            Switch,
            &["virtual_channels=4", "max_packet_flits=1"],
        ),
        (
            "MKNS(2,4,2,1)",
            Switch,
            &["rx_buffer_flits=126", "queue_flits=128"],
        ),
        ("slim_fly(5,2)", Adapter, &["counters=false"]),
    ] {
        agrees(&damaged(text, settings, &[]), kind);
    }
}

/// A run of a network whose hosts offer as much as they can.
fn saturates(plan: &Plan, cycles: u64, fault_plan: FaultPlan) {
    let models = quick_models(&render_sources(plan));
    saturates_with(&models, plan, cycles, fault_plan);
}

fn saturates_with(models: &Models, plan: &Plan, cycles: u64, fault_plan: FaultPlan) {
    let text = plan.spec.notation();
    let request = Request {
        cables: mkns::cosim::CableFaultPlan::default(),
        spec: text.clone(),
        set: Vec::new(),
        failures: String::new(),
        traffic: vec![Pattern::Uniform],
        load: 1000,
        cycles,
        seed: 1,
        fault_plan,
        threads: 2,
        trace: None,
    };
    let summaries = run_networks(Subject::Network(plan), models, &request);
    let summaries = summaries.unwrap_or_else(|error| panic!("{text}: {error:?}"));
    let received = summaries[0].totals.packets_received;
    assert!(received > cycles / 20, "{text}: {received}");
}

#[test]
fn a_saturated_random_graph_runs_with_a_failed_cable() {
    let plan = damaged("random_shortcut(8,3,2)", &[], &["ab_3/0"]);
    saturates(&plan, 4_000, FaultPlan::default());
}

#[test]
#[ignore = "models of three networks: make test-long"]
fn saturated_adaptive_networks_run_in_lockstep() {
    for (text, settings) in [
        ("random_shortcut(8,3,2)", &[][..]),
        ("torus(4x4,1)", &["max_packet_flits=20"]),
        ("HyperX(2x2x2,2)", &["flit_bits=128"]),
    ] {
        let plan = damaged(text, settings, &[]);
        saturates(&plan, 20_000, FaultPlan::default());
        let both = FaultPlan {
            link_faults: true,
            control_traffic: true,
        };
        saturates(&plan, 20_000, both);
    }
}

/// Up*/down* leads around the failed cable. The escapes of torus and hypercube cut pairs off and must lose no packet.
#[test]
#[ignore = "four networks of 64 blocks, a minute of processor time each: make test-long"]
fn saturated_networks_of_64_blocks_run_with_a_failed_cable() {
    for (text, down) in [
        ("random_shortcut(64,4,4)", "ab_3/0"),
        ("random_shortcut(64,6,4)", "ab_3/0"),
        ("torus(8x8,4)", "ab_0_0/0"),
        ("HyperX(2x2x2x2x2x2,4)", "ab_0_0_0_0_0_0/0"),
    ] {
        let plan = damaged(text, &[], &[down]);
        let models = Models::from_sources(&render_sources(&plan)).expect("Verilator is set up");
        saturates_with(&models, &plan, 20_000, FaultPlan::default());
    }
}

const FAULTS: [Fault; 23] = [
    fault(
        "a packet commits without room",
        Adapter,
        "adaptive_choice.v",
        "& ~room[2] & room[1:0] >= size[reader*2 +: 2];",
        "& (room[0] | 1'b1);",
        &["tx_", "rx_credit", "s_axil_rdata", "stimulus"],
    ),
    fault(
        "a commit takes a flit too few",
        Adapter,
        "adaptive_room.v",
        "{ROOM_BITS{promises}} & ~behind[ROOM_BITS-1:0];",
        "{ROOM_BITS{promises}} & -behind[ROOM_BITS-1:0];",
        &["tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "room is returned twice",
        Adapter,
        "adaptive_room.v",
        "{room, 1'b1} + {not_sent[ROOM_BITS-1:0], tx_credit};",
        "{room, 1'b1} + {not_sent[ROOM_BITS-2:0], 1'b0, tx_credit};",
        &["tx_", "rx_credit", "s_axi"],
    ),
    fault(
        "the count of escapes does not stop",
        Adapter,
        "adaptive_read.v",
        "claims[looking] = ^flit_data[looking*DATA_WIDTH + 56 +: 2];",
        "claims[looking] = |flit_data[looking*DATA_WIDTH + 56 +: 2];",
        &["tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "hosts ask for no more room than others",
        Adapter,
        "adaptive_choice.v",
        "? host_level[port*3 +: 3] : level[port*3 +: 3]",
        "? level[port*3 +: 3] : level[port*3 +: 3]",
        &["tx_", "rx_credit", "s_axi"],
    ),
    fault(
        "a made-up tail counts as one flit more",
        Adapter,
        "adaptive_length.v",
        "remaining[port*LEFT_BITS +: LEFT_BITS] = own - ONE;",
        "remaining[port*LEFT_BITS +: LEFT_BITS] = own;",
        &["tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "packets from A join the escape on its last channel",
        Adapter,
        "adaptive_outgoing.v",
        "joined = from < VCS - 1 ? from : 0;",
        "joined = from < VCS - 1 ? from : TOP;",
        &["tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "a host that its reader does not serve takes the escape",
        Adapter,
        "adaptive_read.v",
        "stays = patient & claims & ~serves;",
        "stays = {PORTS{1'b0}};",
        &["tx_", "rx_credit", "s_axil_rdata", "stimulus"],
    ),
    fault(
        "a reader tells the second input the length of the first one's packet",
        Adapter,
        "adaptive_read.v",
        "? flit_data[(r+READERS)*DATA_WIDTH +: DATA_WIDTH]",
        "? {flit_data[(r+READERS)*DATA_WIDTH + 53 +: 11], flit_data[r*DATA_WIDTH + 40 +: 13],
                        flit_data[(r+READERS)*DATA_WIDTH +: 40]}",
        &["tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "a flit that came over a link that was down enters when the link is up again",
        Adapter,
        "adaptive_arrival.v",
        "came[port] <= rx_valid[port] & up[port] & ~stays[port];",
        "came[port] <= rx_valid[port] & ~stays[port];",
        &["tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "a header that waits takes what is read for the next one",
        Adapter,
        "adaptive_read.v",
        "if (~keeps[kept]) begin",
        "if (~keeps[kept] | 1'b1) begin",
        &["tx_", "rx_credit", "s_axi", "stimulus"],
    ),
    fault(
        "a host's header that waits comes before that of a link",
        Adapter,
        "adaptive_lookup.v",
        "wire second = ~claims[r] |",
        "wire second = claims[r+READERS] |",
        &["tx_", "rx_credit", "s_axi", "stimulus"],
    ),
    fault(
        "what was read of a host's header that waits is forgotten at its reader",
        Adapter,
        "adaptive_read.v",
        "first <= keeps[OTHER] & ~serves[k] ? other : read;",
        "first <= read;",
        &["tx_", "rx_credit", "s_axi", "stimulus"],
    ),
    fault(
        "a host's packet that has committed keeps its reader",
        Adapter,
        "adaptive_lookup.v",
        "served & ~granted;",
        "served;",
        &["tx_", "rx_credit", "s_axi", "stimulus"],
    ),
    fault(
        "packets commit to a link that is down",
        Adapter,
        "output_unit.v",
        ".up(~down)",
        ".up(1'b1)",
        &["tx_", "rx_credit", "s_axi", "stimulus"],
    ),
    fault(
        "a request that waited long enough has no right of way",
        Adapter,
        "output_unit.v",
        "next_overdue[on] = 1'b1;",
        "next_overdue[on] = 1'b0;",
        &["tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "a detour is an escape only",
        Adapter,
        "adaptive_destination.v",
        "detours = may_escape & unordered & ~commits;",
        "detours = {PORTS{1'b0}};",
        &["tx_data", "s_axil_rdata"],
    ),
    fault(
        "an output that is not idle grants at once",
        Adapter,
        "adaptive_lookup.v",
        "& takes[g] & idle[o]",
        "& takes[g]",
        &["tx_", "rx_credit", "s_axi", "stimulus"],
    ),
    fault(
        "a request that waits does not keep an output from being idle",
        Adapter,
        "output_unit.v",
        "assign idle = nothing_chosen & ~|waiting;",
        "assign idle = nothing_chosen;",
        &["tx_", "rx_credit", "s_axi", "stimulus"],
    ),
    fault(
        "packets from escape channels are granted at once",
        Adapter,
        "adaptive_lookup.v",
        "& (g < NETWORK_PORTS ? on_last[g] : 1'b1)",
        "& 1'b1",
        &["tx_", "rx_credit", "s_axi", "stimulus"],
    ),
    fault(
        "a header for a host waits though the packet before it is being closed",
        Adapter,
        "adaptive_inputs.v",
        "is_header[link] & on_last[link] & ~is_closing[link]",
        "is_header[link] & on_last[link]",
        &["tx_", "rx_credit", "s_axi", "m_axis", "stimulus"],
    ),
    fault(
        "the way behind two flits that are popped is forgotten",
        Adapter,
        "queue_bank.v",
        "(reads & {QUEUES{third_way}}) |",
        "",
        &["tx_", "rx_credit", "s_axi", "stimulus"],
    ),
    fault(
        "an output chooses the same request again when its packet ends",
        Adapter,
        "output_progress.v",
        "ADAPTIVE != 0 ? ~flowing | leaves :",
        "ADAPTIVE != 0 ? ~flowing & ~leaves :",
        &["tx_", "rx_credit", "s_axi", "stimulus"],
    ),
];

#[test]
fn faults_of_adaptive_blocks_are_found() {
    let plan = damaged(
        "random_shortcut(8,3,2)",
        &[
            "max_packet_flits=9",
            "rx_buffer_flits=19",
            "queue_flits=32",
            "virtual_channels=4",
            "host_timeout=30",
        ],
        &[],
    );
    are_found(&[(plan, &FAULTS)]);
}
