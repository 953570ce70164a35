//! The simulated network is the network of block models: the same packets from the same sources
//! leave it in the same cycles, in whole or in parts, whatever the options of the blocks.

use super::rig::two_channels;
use crate::NetworkModel;
use crate::fabric::Arrived;
use crate::measure::{Experiment, WarmUp, deliveries};
use crate::traffic::{Hosts, Injection, Lengths, PatternKind, Source, Traffic};
use mkns_design as design;
use mkns_design::Pins;
use mkns_design::Plan;
use mkns_design::RouteSource;
use mkns_spec as spec;
use mkns_spec::{BlockParameters, Switching};
use mkns_topology::Terminal;

fn plan(notation: &str, parameters: BlockParameters) -> Plan {
    let mut spec = spec::parse(notation).expect("a valid spec");
    spec.block = parameters;
    design::build(&spec).expect("a plan")
}

/// Offers the beat of a source on the pins of its block.
fn offer(
    network: &mut NetworkModel,
    at: &Pins,
    terminal: &Terminal,
    source: &mut Source,
    now: u64,
) {
    let port = usize::from(terminal.pcie_port);
    let beat = source.beat(now);
    let pins = network.inputs_mut(terminal.block);
    let set = |word: &mut u64, on: bool| *word = *word & !(1 << port) | u64::from(on) << port;
    set(&mut pins[at.egress.ready], true);
    set(&mut pins[at.ingress.valid], beat.is_some());
    if let Some(beat) = beat {
        pins[at.ingress.data + port] = beat.word;
        pins[at.ingress.keep] |= 0xFF << (8 * port);
        set(&mut pins[at.ingress.last], beat.last);
    }
}

/// What [`deliveries`] returns, from block models between packed words.
fn deliveries_of_models(plan: &Plan, traffic: &Traffic, cycles: u64) -> Vec<Arrived> {
    let mut network = NetworkModel::new(plan, RouteSource::Arithmetic);
    let module = &plan.modules[plan.instances[0].module];
    let at = Pins::new(module);
    let Hosts {
        mut sources,
        addresses,
        ..
    } = traffic.hosts(plan);
    let mut receiving: Vec<Option<u64>> = vec![None; sources.len()];
    let mut arrived = Vec::new();
    // Simulations begin with ingress ports that are ready, a cycle after reset.
    network.step();
    for cycle in 0..cycles {
        for terminal in &plan.network.terminals {
            let source = &mut sources[terminal.vm as usize];
            offer(&mut network, &at, terminal, source, cycle);
        }
        network.step();
        for terminal in &plan.network.terminals {
            let (vm, port) = (terminal.vm as usize, usize::from(terminal.pcie_port));
            let offered = network.inputs_mut(terminal.block)[at.ingress.valid] >> port & 1 == 1;
            let pins = network.outputs(terminal.block);
            if offered && pins[at.ingress.ready] >> port & 1 == 1 {
                sources[vm].beat_taken();
            }
            if pins[at.egress.valid] >> port & 1 == 1 {
                let data = pins[at.egress.data + port];
                let header = *receiving[vm].get_or_insert(data);
                if pins[at.egress.last] >> port & 1 == 1 {
                    receiving[vm] = None;
                    arrived.push(Arrived::new(&addresses, cycle, terminal.vm, header));
                }
            }
        }
    }
    arrived.sort_unstable();
    arrived
}

fn compare(plan: &Plan, traffic: &Traffic) {
    let expected = deliveries_of_models(plan, traffic, 1200);
    assert!(expected.len() > 100, "only {} packets", expected.len());
    for parts in [1, 3] {
        let simulated = deliveries(plan, traffic, 1200, parts);
        assert_eq!(simulated.len(), expected.len(), "{parts} parts");
        assert!(simulated == expected, "{parts} parts");
    }
}

#[test]
fn packets_arrive_in_the_cycles_of_the_block_models() {
    let options = [
        two_channels(),
        BlockParameters {
            virtual_channels: 1,
            link_latency: 3,
            rx_buffer_flits: 16,
            switching: Switching::Vct,
            max_packet_flits: 9,
            ..two_channels()
        },
        BlockParameters {
            virtual_channels: 4,
            banks: 1,
            layers: 1,
            ..two_channels()
        },
    ];
    for (number, parameters) in options.into_iter().enumerate() {
        for notation in ["MKNS(2,4,2,1)", "MKNS(1,3x2,2,0)"] {
            let plan = plan(notation, parameters.clone());
            let traffic = Traffic {
                lengths: Lengths::Between(1, 9),
                ..Traffic::uniform(0.5, 9, number as u64 + 1)
            };
            compare(&plan, &traffic);
        }
    }
}

#[test]
fn packets_of_distributed_switches_arrive_in_the_cycles_of_the_block_models() {
    let narrow = BlockParameters {
        virtual_channels: 4,
        ..two_channels()
    };
    for (notation, parameters) in [
        ("hypercube(3)", two_channels()),
        ("multi_ring(2,2)", narrow),
        ("block_design(7,4,2)", two_channels()),
        ("hypercube(3,1,1)", two_channels()),
    ] {
        let plan = plan(notation, parameters);
        let traffic = Traffic {
            lengths: Lengths::Between(1, 9),
            ..Traffic::uniform(0.5, 9, 8)
        };
        compare(&plan, &traffic);
    }
}

/// In a network too large for caches blocks go on as far as their neighbours allow; in two parts they
/// go on side by side, as the networks of the other tests do.
#[test]
fn packets_of_large_networks_arrive_in_the_cycles_of_small_parts() {
    for notation in ["MKNS(2,4x8x8,3,1)", "torus(8x6x6,2)", "hypercube(5,2)"] {
        let plan = plan(notation, two_channels());
        assert!(plan.instances.len() > 250, "{notation}");
        let traffic = Traffic {
            pattern: PatternKind::HotSpot {
                vm: 3,
                fraction: 0.02,
            },
            lengths: Lengths::Between(1, 9),
            ..Traffic::uniform(0.8, 9, 21)
        };
        let in_parts = deliveries(&plan, &traffic, 250, 2);
        assert!(in_parts.len() > 1000, "{notation}: {}", in_parts.len());
        assert!(
            deliveries(&plan, &traffic, 250, 1) == in_parts,
            "{notation}"
        );
    }
}

#[test]
fn the_state_of_a_block_takes_3_kib_at_most() {
    for notation in [
        "MKNS(2,8x10,2,1)",
        "torus(4x4)",
        "torus(8x8)",
        "torus(6x5,2)",
        "torus(5x6x7)",
        "fat_tree(4x4)",
        "hypercube(3)",
        "hypercube(3,1,1)",
        "block_design(7,4,2)",
        "block_design(7,4,2,1,1)",
    ] {
        let plan = plan(notation, two_channels());
        let point = Experiment {
            plan: &plan,
            routes: RouteSource::Tables,
            traffic: Traffic::uniform(0.3, 9, 1),
            warm_up: WarmUp::Cycles(0),
            cycles: 500,
            parts: 1,
            flows: false,
            links: false,
        }
        .run();
        let bytes = point.state_bytes_per_router;
        assert!(bytes <= 3072.0, "{notation}: {bytes}");
    }
}

#[test]
fn bursts_to_one_host_arrive_in_the_cycles_of_the_block_models() {
    let plan = plan("MKNS(2,2x11,2,2)", two_channels());
    let traffic = Traffic {
        pattern: PatternKind::HotSpot {
            vm: 3,
            fraction: 0.3,
        },
        injection: Injection::Bursts { packets: 3.0 },
        ..Traffic::uniform(0.4, 5, 9)
    };
    compare(&plan, &traffic);
}
