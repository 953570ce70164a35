//! The co-simulation harness against stand-ins: references on both sides, with and without a spoiled output. Needs no
//! Verilator.
#![cfg(feature = "cosim")]

use mkns::cosim::{
    BlockRun, CableFaultPlan, FailureKind, FaultPlan, NetworkRun, Pair, Restrictions,
    golden_device, golden_network_device,
};
use mkns::design::Device;
use mkns::design::{self, ModuleKind, Pins, Plan, word_offset};
use mkns::spec::{self, BlockParameters};
use mkns::traffic::{OfferedPackets, Pattern};
use proptest::prelude::*;
use std::sync::{Arc, Mutex};

fn plan(notation: &str) -> Plan {
    let spec = spec::parse(notation).expect("the notation is valid");
    design::build(&spec).expect("the network can be built")
}

fn module(plan: &Plan, kind: ModuleKind) -> &design::BlockModule {
    let found = plan.modules.iter().find(|module| module.kind == kind);
    found.expect("the plan has such a module")
}

/// Flips one output bit of one instance in one cycle.
struct Spoiled {
    inner: Box<dyn Device>,
    cycle: u64,
    at: u64,
    word: usize,
    bit: u32,
}

impl Device for Spoiled {
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.inner.step_all(inputs, outputs);
        if self.cycle == self.at {
            outputs[self.word] ^= 1 << self.bit;
        }
        self.cycle += 1;
    }
}

fn block_run(kind: ModuleKind, traffic: Pattern, cycles: u64, seed: u64) -> BlockRun {
    BlockRun {
        block: format!("{kind:?}").to_lowercase(),
        traffic,
        cycles,
        seed,
        restrictions: Restrictions::default(),
    }
}

#[test]
fn legal_traffic_never_hangs_and_never_breaks_the_contract() {
    let plan = plan("MKNS(2,4,2,1)");
    for kind in [ModuleKind::Switch, ModuleKind::Adapter] {
        for traffic in Pattern::LOCKSTEP {
            let module = module(&plan, kind);
            let run = block_run(kind, traffic, 60_000, 1);
            let summary = run
                .run(
                    module,
                    golden_device(module),
                    golden_device(module),
                    &mut |_| {},
                )
                .unwrap_or_else(|failure| panic!("{failure}"));
            assert!(summary.packets > 500, "{summary:?}");
        }
    }
}

#[test]
fn a_run_is_repeated_by_its_seed() {
    let plan = plan("MKNS(2,4,2,1)");
    let module = module(&plan, ModuleKind::Adapter);
    let run = |seed| {
        block_run(ModuleKind::Adapter, Pattern::Uniform, 3_000, seed)
            .run(
                module,
                golden_device(module),
                golden_device(module),
                &mut |_| {},
            )
            .unwrap_or_else(|failure| panic!("{failure}"))
    };
    assert_eq!(run(5), run(5));
    assert_ne!(run(5).packets, run(6).packets);
}

#[test]
fn a_flipped_bit_is_reported_with_cycle_port_and_both_values() {
    let plan = plan("MKNS(2,4,2,1)");
    let module = module(&plan, ModuleKind::Switch);
    let table = module.port_table();
    let spoiled = |name: &str, word: usize, bit: u32| Spoiled {
        inner: golden_device(module),
        cycle: 0,
        at: 2_000,
        word: word_offset(&table.outputs, name) + word,
        bit,
    };
    let fail = |device: Spoiled| {
        let run = block_run(ModuleKind::Switch, Pattern::Uniform, 5_000, 3);
        *run.run(module, Box::new(device), golden_device(module), &mut |_| {})
            .expect_err("one bit is wrong")
    };
    let data = fail(spoiled("tx_data", 4, 7));
    assert_eq!(data.kind, FailureKind::Divergence);
    assert_eq!((data.cycle, data.signal.as_str()), (2_000, "tx_data"));
    assert_eq!(data.port, "port 4");
    assert_ne!(data.golden, data.rtl);
    assert_eq!(data.history.len(), 8);
    let credit = fail(spoiled("rx_credit", 0, 5));
    assert_eq!(
        (credit.port.as_str(), credit.signal.as_str()),
        ("port 5", "rx_credit")
    );
    let control = fail(spoiled("s_axil_rdata", 0, 0));
    assert_eq!(
        (control.port.as_str(), control.signal.as_str()),
        ("", "s_axil_rdata")
    );
}

/// `cycles` of random packets, without faults.
fn network_run(traffic: Pattern, load: u32, cycles: u64, seed: u64) -> NetworkRun {
    NetworkRun {
        traffic,
        load,
        cycles,
        seed,
        fault_plan: FaultPlan::default(),
        cables: CableFaultPlan::default(),
        offered: OfferedPackets::Random,
        live: None,
        threads: 1,
    }
}

fn model_pair(plan: &Plan, module: usize, blocks: &[mkns::topology::BlockId]) -> Pair {
    Pair {
        rtl: golden_network_device(plan, module, blocks),
        golden: Some(golden_network_device(plan, module, blocks)),
    }
}

#[test]
fn networks_deliver_everything_in_order() {
    for notation in [
        "MKNS(2,4,2,1)",
        "MKNS(1,8,1,1)",
        "MKNS(2,4x3x2,3,1)",
        "MKNS(1,3x20,2,2)",
    ] {
        let plan = plan(notation);
        for traffic in Pattern::LOCKSTEP {
            let run = network_run(traffic, 300, 1_500, 11);
            let summary = run
                .run(
                    &plan,
                    &mut |module, blocks| model_pair(&plan, module, blocks),
                    &mut |_| {},
                )
                .unwrap_or_else(|failure| panic!("{notation}: {failure}"));
            assert!(summary.totals.packets_sent > 300, "{summary:?}");
            assert_eq!(summary.totals.packets_sent, summary.totals.packets_received);
        }
    }
}

/// Two blocks go wrong in the same cycle: whoever clocks them, the one with the lower number is named.
#[test]
fn what_is_found_does_not_depend_on_threads() {
    let plan = plan("MKNS(2,4,2,1)");
    let bad = [mkns::topology::BlockId(17), mkns::topology::BlockId(3)];
    let found = [1, 2, 3, 20].map(|threads| {
        let run = NetworkRun {
            threads,
            ..network_run(Pattern::Uniform, 300, 1_500, 11)
        };
        let mut devices = |module: usize, blocks: &[mkns::topology::BlockId]| {
            let mut pair = model_pair(&plan, module, blocks);
            let words = Pins::new(&plan.modules[module]).output_words;
            for block in bad {
                if let Some(instance) = blocks.iter().position(|&member| member == block) {
                    pair.rtl = Box::new(Spoiled {
                        inner: pair.rtl,
                        cycle: 0,
                        at: 900,
                        word: instance * words,
                        bit: 0,
                    });
                }
            }
            pair
        };
        let failure = run.run(&plan, &mut devices, &mut |_| {});
        failure.expect_err("two blocks are spoiled").to_string()
    });
    assert!(found[0].contains("cycle 900"), "{}", found[0]);
    assert!(
        found[0].contains(&plan.network.blocks[3].name),
        "{}",
        found[0]
    );
    assert!(found.iter().all(|text| *text == found[0]), "{found:#?}");
}

/// Cables fail and control ports are used: what is missing is accounted for, all else arrives.
#[test]
fn networks_under_faults_account_for_every_packet() {
    for notation in [
        "MKNS(2,4,2,1)",
        "MKNS(1,8,1,1)",
        "MKNS(2,8x4,2,0)",
        "MKNS(1,3x20,2,2)",
    ] {
        let plan = plan(notation);
        for seed in 1..=4 {
            let fault_plan = FaultPlan {
                link_faults: seed != 1,
                control_traffic: seed != 2,
            };
            let run = NetworkRun {
                fault_plan,
                ..network_run(Pattern::Uniform, 400, 4_000, seed)
            };
            let summary = run
                .run(
                    &plan,
                    &mut |module, blocks| model_pair(&plan, module, blocks),
                    &mut |_| {},
                )
                .unwrap_or_else(|failure| panic!("{notation}, seed {seed}: {failure}"));
            let fault_report = summary.fault_report.expect("faults were injected");
            let lost = fault_report.packets_lost + fault_report.packets_bad;
            let totals = summary.totals;
            assert_eq!(totals.packets_sent, totals.packets_received + lost);
            assert_eq!(
                fault_report.cable_failures > 5,
                seed != 1,
                "{fault_report:?}"
            );
            assert_eq!(lost > 0, seed != 1, "{fault_report:?}");
            assert_eq!(
                fault_report.control_operations > 100,
                seed != 2,
                "{fault_report:?}"
            );
        }
    }
}

/// A device that says in the end what differs from reset in its blocks.
struct Examined {
    inner: Box<dyn Device>,
    instances: usize,
    found: Arc<Mutex<Vec<String>>>,
}

impl Device for Examined {
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.inner.step_all(inputs, outputs);
    }
}

impl Drop for Examined {
    fn drop(&mut self) {
        let states = (0..self.instances).map(|instance| self.inner.describe(instance));
        self.found.lock().expect("no panic").extend(states);
    }
}

/// A state in which nothing differs from reset but `next_channel` of hosts, which stays (3.2).
fn is_at_rest(state: &str) -> bool {
    state.lines().all(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        matches!(words[..], ["PCIe", "port", _, "next_channel", "=", _])
    })
}

/// Parameters of blocks that decide how flits and credits go.
fn parameters() -> impl Strategy<Value = BlockParameters> {
    (0u32..3, 1u32..4, 1u32..5, any::<bool>()).prop_map(
        |(channels, banks, link_latency, shallow)| BlockParameters {
            virtual_channels: 1 << channels,
            banks,
            link_latency,
            rx_buffer_flits: if shallow { 18 } else { 62 },
            host_timeout: 0,
            ..BlockParameters::default()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(32) })]

    /// Packets arrive whole and in order, links that come and go lose packets and nothing else, and afterwards no block
    /// holds anything.
    #[test]
    fn networks_of_any_parameters_come_to_rest(
        parameters in parameters(),
        notation in prop::sample::select(vec!["MKNS(2,4,2,1)", "MKNS(1,3x2,2,1)", "MKNS(2,2x3,2,0)"]),
        seed in 1u64..u64::MAX, load in 50u32..=1_000, link_faults in any::<bool>(),
    ) {
        let mut spec = spec::parse(notation).expect("the notation is valid");
        spec.block = parameters;
        let plan = design::build(&spec).expect("the network can be built");
        let run = NetworkRun {
            fault_plan: FaultPlan { link_faults, control_traffic: false },
            ..network_run(Pattern::Uniform, load, 4_000, seed)
        };
        let found = Arc::default();
        let mut devices = |module: usize, blocks: &[mkns::topology::BlockId]| Pair {
            rtl: Box::new(Examined {
                inner: golden_network_device(&plan, module, blocks),
                instances: blocks.len(),
                found: Arc::clone(&found),
            }),
            golden: None,
        };
        let summary = run.run(&plan, &mut devices, &mut |_| {});
        let summary = summary.unwrap_or_else(|failure| panic!("{notation}: {failure}"));
        let lost = summary.fault_report.map_or(0, |report| report.packets_lost + report.packets_bad);
        let totals = summary.totals;
        prop_assert!(totals.packets_received > 0 && (link_faults || lost == 0));
        prop_assert_eq!(totals.packets_sent, totals.packets_received + lost);
        let found = found.lock().expect("no panic");
        prop_assert_eq!(found.len(), plan.instances.len());
        prop_assert!(found.iter().all(|state| is_at_rest(state)), "{found:?}");
    }
}

#[test]
fn a_spoiled_block_of_a_network_is_named() {
    let plan = plan("MKNS(2,4,2,1)");
    let adapters = plan
        .instances
        .iter()
        .filter(|instance| instance.module == 0)
        .count();
    let table = plan.modules[0].port_table();
    let words = design::packed_words(&table.outputs);
    let run = network_run(Pattern::Uniform, 300, 3_000, 2);
    let mut devices = |module: usize, blocks: &[mkns::topology::BlockId]| {
        let mut pair = model_pair(&plan, module, blocks);
        if module == 0 {
            let spoiled = Spoiled {
                inner: pair.rtl,
                cycle: 0,
                at: 1_000,
                word: (adapters - 1) * words + word_offset(&table.outputs, "tx_valid"),
                bit: 2,
            };
            pair.rtl = Box::new(spoiled);
        }
        pair
    };
    let failure = run
        .run(&plan, &mut devices, &mut |_| {})
        .expect_err("one bit is wrong");
    assert_eq!(failure.block, plan.network.adapters()[adapters - 1].name);
    assert_eq!((failure.cycle, failure.port.as_str()), (1_000, "port 2"));
    assert_eq!(failure.signal, "tx_valid");
}
