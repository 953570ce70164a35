//! Faults planted into generated RTL: each has to be reported, by the right block, as a difference
//! between RTL and golden model. A harness that misses one of these proves nothing.
#![cfg(feature = "cosim")]

#[path = "common/faulty.rs"]
mod faulty;
#[path = "common/rtl.rs"]
mod rtl_designs;
#[path = "common/specs.rs"]
mod specs;
#[path = "common/waveform.rs"]
mod waveform;

use std::sync::Mutex;
use std::thread;

use faulty::{planted, small_plan, stuck_bit};
use mkns::cosim::{
    BlockRun, Device, Disturbance, Failure, FailureKind, NetworkRun, Pair, Recording, Request,
    Restrictions, SessionError, Silent, Traffic, check_blocks, check_network, golden_device,
    golden_network_device, libraries, rtl_device,
};
use mkns::design::{ModuleKind, Plan, packed_words};
use mkns::rtl::render_sources;
use mkns::topology::BlockId;
use rtl_designs::{build, module, quick_models};

/// One fault: what is replaced in which file, and where the report may see it.
struct Fault {
    name: &'static str,
    kind: ModuleKind,
    file: &'static str,
    good: &'static str,
    bad: &'static str,
    /// The signal reported starts with one of these.
    signals: &'static [&'static str],
}

const fn fault(
    name: &'static str,
    kind: ModuleKind,
    file: &'static str,
    good: &'static str,
    bad: &'static str,
    signals: &'static [&'static str],
) -> Fault {
    Fault {
        name,
        kind,
        file,
        good,
        bad,
        signals,
    }
}

use ModuleKind::{Adapter, Switch};

const FAULTS: [Fault; 21] = [
    fault(
        "wrong arbiter reset",
        Switch,
        "output_units.v",
        "grant_from <= {OUTPUTS*STRIDE{1'b0}};",
        "grant_from <= {OUTPUTS{{{(STRIDE-1){1'b1}}, 1'b0}}};",
        &["tx_"],
    ),
    fault(
        "arbiter pointer stays at what was granted",
        Switch,
        "output_units.v",
        "~(served | (served - ONE));",
        "~(served - ONE);",
        &["tx_"],
    ),
    fault(
        "returned credit is lost",
        Switch,
        "output_units.v",
        "+ {{CREDIT_BITS-1{1'b0}}, tx_credit[number*VCS + counter]}",
        "+ {{CREDIT_BITS-1{1'b0}}, tx_credit[number*VCS + counter] & spent[counter]}",
        &["tx_"],
    ),
    fault(
        "missing packet lock",
        Switch,
        "output_units.v",
        "next_locked[number*VCS +: VCS]\n                                | popped_channel[number*VCS +: VCS];",
        "next_locked[number*VCS +: VCS];",
        &["tx_"],
    ),
    fault(
        "discard is not cleared",
        Switch,
        "output_units.v",
        "next_discard[number*VCS +: VCS]\n                            & ~popped_channel[number*VCS +: VCS];",
        "next_discard[number*VCS +: VCS];",
        &["tx_", "s_axil_rdata"],
    ),
    fault(
        "a failing link cuts only the packets whose flits come by",
        Switch,
        "output_units.v",
        "if (~link_up[number])",
        "if (1'b0)",
        &["tx_", "s_axil_rdata"],
    ),
    fault(
        "sent flits are not counted",
        Switch,
        "output_units.v",
        "sent & popped_last, sent};",
        "sent & popped_last, {OUTPUTS{1'b0}}};",
        &["s_axil_rdata"],
    ),
    fault(
        "a header does not wait for the queue of its tail",
        Switch,
        "output_units.v",
        "(~held[row*STRIDE +: REQUESTS]\n",
        "({REQUESTS{1'b1}}\n",
        &["tx_"],
    ),
    fault(
        "stuck data bit in the crossbar",
        Switch,
        "crossbar.v",
        "tx_data <= data;",
        "tx_data <= data & ~{OUTPUTS{{{DATA_WIDTH-1{1'b0}}, 1'b1}}};",
        &["tx_data"],
    ),
    fault(
        "last is lost when the packet is bad",
        Switch,
        "crossbar.v",
        "tx_last <= last;",
        "tx_last <= last & ~bad;",
        &["tx_last"],
    ),
    fault(
        "channels are swapped",
        Switch,
        "crossbar.v",
        "vc[number*VC_BITS +: VC_BITS] = fetched_vc[",
        "vc[number*VC_BITS +: VC_BITS] = ~fetched_vc[",
        &["tx_vc"],
    ),
    fault(
        "queue limit is off by one",
        Switch,
        "queue_banks.v",
        "localparam CROWDED = QUEUE_FLITS - RX_BUFFER_FLITS;",
        "localparam CROWDED = QUEUE_FLITS - RX_BUFFER_FLITS + 1;",
        &["rx_credit", "tx_"],
    ),
    fault(
        "queue reads one place too far",
        Switch,
        "queue_banks.v",
        "place = {queue, head[POINTER_BITS-1:0]};\n                            read_address",
        "place = {queue, head[POINTER_BITS-1:0] ^ 1'b1};\n                            read_address",
        &["tx_"],
    ),
    fault(
        "table entries are swapped in pairs",
        Switch,
        "route_table.v",
        "memory[write_index[INDEX_BITS-1:0]] <= write_entry;",
        "memory[write_index[INDEX_BITS-1:0] ^ 1'b1] <= write_entry;",
        &["tx_"],
    ),
    fault(
        "links are always up for routing",
        Switch,
        "input_units.v",
        "taken = flit_valid & link_up;",
        "taken = flit_valid;",
        &["tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "wrong CRC polynomial",
        Adapter,
        "header_crc.v",
        "register[5] ? 6'b000011",
        "register[5] ? 6'b000111",
        &["tx_data", "m_axis_pcie_"],
    ),
    fault(
        "source port is not stamped",
        Adapter,
        "pcie_ingress.v",
        "| STAMP[19:0];",
        "| 20'd0;",
        &["tx_data", "m_axis_pcie_"],
    ),
    fault(
        "longest packet is one flit too long",
        Adapter,
        "pcie_ingress.v",
        ">= MAX_PACKET_FLITS)\n                    fault[OVER_LENGTH]",
        "> MAX_PACKET_FLITS)\n                    fault[OVER_LENGTH]",
        &["tx_", "m_axis_pcie_", "s_axis_pcie_", "s_axil_rdata"],
    ),
    fault(
        "aborted packets pass",
        Adapter,
        "pcie_ingress.v",
        "else if (s_axis_tuser)\n                    fault[ABORTED] = 1'b1;",
        "else if (s_axis_tuser)\n                    fault[ABORTED] = 1'b0;",
        &["s_axis_pcie_tready", "tx_", "m_axis_pcie_", "s_axil_rdata"],
    ),
    fault(
        "host timeout is one cycle late",
        Adapter,
        "pcie_egress.v",
        "LAST_STALL = HOST_TIMEOUT - 1;",
        "LAST_STALL = HOST_TIMEOUT;",
        &["m_axis_pcie_", "tx_", "rx_credit", "s_axil_rdata"],
    ),
    fault(
        "ingress gives a dropped packet's room away",
        Adapter,
        "pcie_ingress.v",
        "write_pointer <= commit_pointer;",
        "write_pointer <= write_pointer;",
        &["s_axis_pcie_tready", "tx_", "m_axis_pcie_", "s_axil_rdata"],
    ),
];

/// Faults of the converters, with hosts wider and narrower than a flit.
const WIDE_HOST_FAULTS: [Fault; 3] = [
    fault(
        "last piece of a beat is lost",
        Adapter,
        "ingress_width.v",
        "more = more | keep[n*PIECE_BYTES];",
        "more = more | keep[n*PIECE_BYTES + 1];",
        &["s_axis_pcie_tready", "tx_", "m_axis_pcie_", "s_axil_rdata"],
    ),
    fault(
        "gathered data is not cleared",
        Adapter,
        "egress_width.v",
        "gathered <= ends ? {PCIE_WIDTH{1'b0}} : beat_data;",
        "gathered <= beat_data;",
        &["m_axis_pcie_tdata"],
    ),
    fault(
        "the register behind the pins hides what was begun from the timeout",
        Adapter,
        "pcie_egress.v",
        "truncated <= take ? !head_last : in_packet;",
        "truncated <= m_axis_tvalid && !m_axis_tlast;",
        &["m_axis_pcie_", "tx_", "rx_credit", "s_axil_rdata"],
    ),
];
const NARROW_HOST_FAULTS: [Fault; 2] = [
    fault(
        "an empty last beat passes",
        Adapter,
        "ingress_width.v",
        "whole_keep = !legal ? NO_BYTES : in_packet",
        "whole_keep = in_packet",
        &["s_axis_pcie_tready", "tx_", "m_axis_pcie_", "s_axil_rdata"],
    ),
    fault(
        "beats of a flit count as refusals",
        Adapter,
        "egress_width.v",
        "assign host_stalls = m_axis_tvalid && !m_axis_tready;",
        "assign host_stalls = piece_valid && !piece_ready;",
        &["m_axis_pcie_", "tx_", "rx_credit", "s_axil_rdata"],
    ),
];

/// Faults of registered arbitration.
const REGISTERED_FAULTS: [Fault; 3] = [
    fault(
        "a spent credit counts for a cycle more",
        Switch,
        "registered_output_unit.v",
        "two_credits | (one_credit & ~spent)",
        "two_credits | one_credit",
        &["tx_"],
    ),
    fault(
        "a grant that lost to a single flit does not ask again",
        Switch,
        "registered_output_unit.v",
        "again = lost & chosen_ready & chosen_last;",
        "again = 1'b0;",
        &["tx_", "rx_credit"],
    ),
    fault(
        "the end of a packet is that of the flit popped before",
        Switch,
        "registered_queue_bank.v",
        "assign ready_last = (pop & second_last) | (~pop & first_last);",
        "assign ready_last = first_last;",
        &["tx_"],
    ),
];

/// Seeds until a fault has to show.
const SEEDS: u64 = 3;

fn run_with(
    plan: &Plan,
    kind: ModuleKind,
    sources: &[(String, String)],
    seeds: u64,
) -> Option<Box<Failure>> {
    let module = module(plan, kind);
    let models = quick_models(sources);
    let library = models.library(module, &|_| {}).expect("the RTL builds");
    for seed in 1..=seeds {
        let run = BlockRun {
            block: format!("{kind:?}"),
            traffic: Traffic::Uniform,
            cycles: 60_000,
            seed,
            restrictions: Restrictions::default(),
        };
        let rtl = rtl_device(&library, &[BlockId(0)], seed).expect("an instance starts");
        if let Err(failure) = run.run(module, rtl, golden_device(module), &mut |_| {}) {
            return Some(failure);
        }
    }
    None
}

/// What is wrong with the report of a fault, if anything.
fn missed(plan: &Plan, fault: &Fault) -> Option<String> {
    let sources = planted(plan, fault.file, fault.good, fault.bad);
    let Some(failure) = run_with(plan, fault.kind, &sources, SEEDS) else {
        return Some(format!("{}: not found", fault.name));
    };
    let named = fault
        .signals
        .iter()
        .any(|start| failure.signal.starts_with(start));
    let right = failure.kind == FailureKind::Divergence && named;
    (!right).then(|| format!("{}: reported as\n{failure}", fault.name))
}

/// A small plan whose hosts have beats of another width than flits.
fn plan_of_widths(flit_bits: u32, pcie_bits: u32) -> Plan {
    let mut spec = small_plan().spec;
    (spec.block.flit_bits, spec.block.pcie_bits) = (flit_bits, pcie_bits);
    build(&spec)
}

fn plan_with_registered_arbitration() -> Plan {
    let mut spec = small_plan().spec;
    spec.block.registered_arbitration = true;
    build(&spec)
}

#[test]
fn every_planted_fault_is_found_where_it_shows() {
    let plans = [
        (plan_with_registered_arbitration(), &REGISTERED_FAULTS[..]),
        (small_plan(), &FAULTS[..]),
        (plan_of_widths(64, 256), &WIDE_HOST_FAULTS[..]),
        (plan_of_widths(256, 64), &NARROW_HOST_FAULTS[..]),
    ];
    let cases = plans
        .iter()
        .flat_map(|(plan, faults)| faults.iter().map(move |fault| (plan, fault)));
    let queue = Mutex::new(cases);
    let failures = Mutex::new(Vec::new());
    let work = || {
        loop {
            let Some((plan, fault)) = queue.lock().expect("no worker panics").next() else {
                return;
            };
            if let Some(text) = missed(plan, fault) {
                failures.lock().expect("no worker panics").push(text);
            }
        }
    };
    thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let failures = failures.into_inner().expect("no worker panics");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The good RTL under the same runs shows no difference, so every report above is the fault's.
#[test]
fn without_a_fault_nothing_is_reported() {
    let plan = small_plan();
    for kind in [Switch, Adapter] {
        if let Some(failure) = run_with(&plan, kind, &render_sources(&plan), 3) {
            panic!("{failure}");
        }
    }
}

/// A bank in which one instance is built from other sources.
struct OneBad {
    good: Box<dyn Device>,
    bad: Box<dyn Device>,
    instance: usize,
    words: (usize, usize),
}

impl Device for OneBad {
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.good.step_all(inputs, outputs);
        let (inputs_each, outputs_each) = self.words;
        let inputs = &inputs[self.instance * inputs_each..][..inputs_each];
        let outputs = &mut outputs[self.instance * outputs_each..][..outputs_each];
        self.bad.step_all(inputs, outputs);
    }
}

fn network_run() -> NetworkRun {
    NetworkRun {
        traffic: Traffic::Uniform,
        load: 300,
        cycles: 3_000,
        seed: 4,
        disturbance: Disturbance::default(),
    }
}

#[test]
fn a_network_names_the_one_block_that_is_faulty() {
    let plan = small_plan();
    let sources = stuck_bit(&plan);
    let good = quick_models(&render_sources(&plan));
    let good = libraries(&plan, &good, &Silent).expect("the RTL builds");
    let bad = quick_models(&sources);
    let bad = libraries(&plan, &bad, &Silent).expect("the RTL builds");
    for victim in ["ab_1_1_0_0", "kb_y1"] {
        let victim_id = plan.network.block_named(victim).expect("it exists");
        let mut devices = |number: usize, blocks: &[BlockId]| {
            let mut rtl = rtl_device(&good[number], blocks, 1).expect("instances start");
            if let Some(instance) = blocks.iter().position(|&block| block == victim_id) {
                let table = plan.modules[number].port_table();
                rtl = Box::new(OneBad {
                    good: rtl,
                    bad: rtl_device(&bad[number], &[victim_id], 1).expect("an instance starts"),
                    instance,
                    words: (packed_words(&table.inputs), packed_words(&table.outputs)),
                });
            }
            Pair {
                rtl,
                golden: Some(golden_network_device(&plan, number, blocks)),
            }
        };
        let failure = network_run()
            .run(&plan, &mut devices, &mut |_| {})
            .expect_err("one block is faulty");
        assert_eq!(failure.kind, FailureKind::Divergence);
        assert_eq!(
            (failure.block.as_str(), failure.signal.as_str()),
            (victim, "tx_data")
        );
        let packet = failure.packet.expect("a packet is concerned");
        assert!(packet.source.starts_with("VM "), "{packet:?}");
    }
}

#[test]
fn a_swapped_table_entry_is_found_in_its_block() {
    let plan = small_plan();
    let models = quick_models(&render_sources(&plan));
    let libraries = libraries(&plan, &models, &Silent).expect("the RTL builds");
    let victim = plan.network.block_named("kb_y0").expect("it exists");
    let mut swapped = plan.clone();
    swapped.instances[victim.0 as usize].tables.tables[0]
        .entries
        .swap(0, 2);
    let mut devices = |number: usize, blocks: &[BlockId]| Pair {
        rtl: rtl_device(&libraries[number], blocks, 1).expect("instances start"),
        golden: Some(golden_network_device(&plan, number, blocks)),
    };
    let failure = network_run()
        .run(&swapped, &mut devices, &mut |_| {})
        .expect_err("one table is wrong");
    assert_eq!(failure.kind, FailureKind::Divergence, "{failure}");
    assert_eq!(failure.block, "kb_y0");
}

/// A core that takes every link for up: only a network whose cables fail shows it.
#[test]
fn a_fault_in_what_failing_links_do_needs_failing_links_to_show() {
    let plan = small_plan();
    let sources = planted(
        &plan,
        "adapter_block.v",
        ".link_up({{PCIE_PORTS{1'b1}}, link_up}),",
        ".link_up({PORTS{1'b1}}),",
    );
    let models = quick_models(&sources);
    let request = |link_faults| Request {
        spec: "small".to_owned(),
        traffic: vec![Traffic::Uniform],
        load: 300,
        cycles: 8_000,
        seed: 1,
        disturbance: Disturbance {
            link_faults,
            ..Disturbance::default()
        },
        trace: None,
    };
    check_network(&plan, &models, &request(false), &Silent).expect("nothing fails");
    match check_network(&plan, &models, &request(true), &Silent) {
        Err(SessionError::Failed(failure)) => {
            assert_eq!(failure.kind, FailureKind::Divergence, "{failure}");
            assert!(failure.replay.contains(" --link-faults"), "{failure}");
        }
        other => panic!("the fault is not found: {other:?}"),
    }
}

/// The waveform of a failure holds the block's own signals and the golden outputs beside them, in a
/// window around the failing cycle, and a save file names them.
#[test]
fn a_failure_is_traced_and_replayed_on_request() {
    let plan = small_plan();
    let sources = stuck_bit(&plan);
    let models = quick_models(&sources);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let request = |name: &str| Request {
        spec: "small".to_owned(),
        traffic: vec![Traffic::Uniform],
        load: 300,
        cycles: 2_000,
        seed: 1,
        disturbance: Disturbance::default(),
        trace: Some(Recording::to(folder.path().join(name))),
    };
    let block = check_blocks(&plan, &models, Switch, &request("block.fst"), &Silent).err();
    let network = check_network(&plan, &models, &request("network.fst"), &Silent).err();
    for (error, name) in [(block, "block.fst"), (network, "network.fst")] {
        let Some(SessionError::Failed(failure)) = error else {
            panic!("{name}: the fault is not found: {error:?}");
        };
        assert!(
            failure
                .replay
                .contains("--traffic uniform --cycles 2000 --seed 1")
        );
        assert_eq!(failure.signal, "tx_data");
        waveform::shows(&folder.path().join(name), &failure);
    }
}
