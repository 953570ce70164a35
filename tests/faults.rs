//! Faults planted into the RTL of networks: the right block has to be named, and a waveform to show the
//! failure. A harness that misses one of these proves nothing.
#![cfg(feature = "cosim")]

use crate::common::faulty::{planted, small_plan, stuck_bit};
use crate::common::lockstep::{run_blocks, run_networks};
use crate::common::rtl_designs::quick_models;
use crate::common::waveform;
use mkns::cosim::{
    FailureKind, FaultPlan, NetworkRun, Pair, Recording, Request, SessionError, Silent, Subject,
    golden_network_device, libraries, rtl_device,
};
use mkns::design::Device;
use mkns::design::ModuleKind::Switch;
use mkns::design::packed_words;
use mkns::rtl::render_sources;
use mkns::topology::BlockId;
use mkns::traffic::{OfferedPackets, Pattern};

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
        cables: mkns::cosim::CableFaultPlan::default(),
        traffic: Pattern::Uniform,
        load: 300,
        cycles: 3_000,
        seed: 4,
        fault_plan: FaultPlan::default(),
        offered: OfferedPackets::Random,
        live: None,
        threads: 1,
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
        assert!(packet.source.starts_with("host "), "{packet:?}");
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
        cables: mkns::cosim::CableFaultPlan::default(),
        spec: "small".to_owned(),
        set: Vec::new(),
        failures: String::new(),
        traffic: vec![Pattern::Uniform],
        load: 300,
        cycles: 8_000,
        seed: 1,
        fault_plan: FaultPlan {
            link_faults,
            ..FaultPlan::default()
        },
        threads: 2,
        trace: None,
    };
    run_networks(Subject::Network(&plan), &models, &request(false)).expect("nothing fails");
    match run_networks(Subject::Network(&plan), &models, &request(true)) {
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
        cables: mkns::cosim::CableFaultPlan::default(),
        spec: "small".to_owned(),
        set: Vec::new(),
        failures: String::new(),
        traffic: vec![Pattern::Uniform],
        load: 300,
        cycles: 2_000,
        seed: 1,
        fault_plan: FaultPlan::default(),
        threads: 1,
        trace: Some(Recording::to(folder.path().join(name))),
    };
    let block = run_blocks(
        Subject::Blocks(&plan, Switch),
        &models,
        &request("block.fst"),
    )
    .err();
    let network = run_networks(Subject::Network(&plan), &models, &request("network.fst")).err();
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
