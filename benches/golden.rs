//! The golden model as a switch and as a simulator: accepted load of a saturated block, and
//! block-cycles per second of blocks and of a network.
//! `cargo bench --bench golden`. Speeds count this thread's processor time, so that other work on
//! the machine disturbs less.

use std::collections::VecDeque;
use std::hint::black_box;

use mkns::design::Pins;
use mkns::design::RouteSource;
use mkns::design::{self, Plan};
use mkns::random::Random;
use mkns::simulation::header::Header;
use mkns::simulation::measure::processor_time;
use mkns::simulation::traffic::Lengths;
use mkns::simulation::{NetworkModel, Offered, Pattern, SwitchBench};
use mkns::spec::{self, BlockParameters};
use mkns::topology::BlockId;

const CYCLES: u64 = 200_000;

fn main() {
    println!("accepted load of one 10×10 block, saturated, uniform, flits per port and cycle:");
    for flits in [1, 9, 33] {
        for channels in [1, 2] {
            let load = switch_bench(flits, channels).run(1.0, CYCLES).accepted;
            println!("  {flits:2} flits a packet, {channels} VCs in use: {load:.3}");
        }
    }
    println!("one 10×10 block, M block-cycles/s:");
    for (name, load) in [
        ("idle", 0.0),
        ("0.10", 0.1),
        ("0.28", 0.28),
        ("saturated", 1.0),
    ] {
        let mut bench = switch_bench(9, 2);
        bench.run(load, 10_000);
        println!(
            "  load {name:9} {:6.2}",
            model_speed(&mut bench, load) / 1e6
        );
    }
    let plan = plan("MKNS(2,8x10,2,1)");
    println!(
        "network MKNS(2,8x10,2,1), {} blocks, 9-flit packets, uniform, M block-cycles/s, hosts included:",
        plan.instances.len()
    );
    for load in [0.0, 0.1, 0.28] {
        let (speed, network_load) = network_speed(&plan, load);
        println!(
            "  load {load:.2} a host ({network_load:.2} flits sent a block and cycle): {:6.2}",
            speed / 1e6
        );
    }
}

/// A 10-port block of two channels under uniform traffic.
fn switch_bench(packet_flits: u32, channels: usize) -> SwitchBench {
    let offered = Offered {
        pattern: Pattern::Uniform,
        lengths: Lengths::Fixed(packet_flits),
        channels,
    };
    let parameters = BlockParameters {
        virtual_channels: 2,
        ..BlockParameters::default()
    };
    SwitchBench::new(10, &parameters, offered)
}

/// Block-cycles per second of the model alone: recorded inputs are played back.
fn model_speed(bench: &mut SwitchBench, load: f64) -> f64 {
    let fresh = bench.model().clone();
    let cycles = 20_000;
    let mut recorded = Vec::new();
    for _ in 0..cycles {
        bench.cycle(load);
        recorded.push(bench.inputs.clone());
    }
    let mut outputs = bench.outputs.clone();
    let (mut seconds, mut rounds) = (0.0, 0);
    while seconds < 0.3 {
        let mut model = fresh.clone();
        let start = processor_time();
        for inputs in &recorded {
            model.step(inputs, &mut outputs);
            black_box(&outputs);
        }
        seconds += processor_time() - start;
        rounds += 1;
    }
    f64::from(cycles * rounds) / seconds
}

fn plan(text: &str) -> Plan {
    design::build(&spec::parse(text).expect("a valid spec")).expect("a plan")
}

/// Block-cycles per second of a network (host traffic included), and flits that its blocks sent a
/// block and cycle.
fn network_speed(plan: &Plan, load: f64) -> (f64, f64) {
    let mut network = NetworkModel::new(plan, RouteSource::Tables);
    let mut hosts = Hosts::new(plan);
    let (warm_up, cycles) = (2000, 20_000);
    for _ in 0..warm_up {
        hosts.drive(plan, &mut network, load);
        network.step();
    }
    let module = |block: usize| &plan.modules[plan.instances[block].module];
    let tx_valid: Vec<usize> = (0..plan.instances.len())
        .map(|block| Pins::new(module(block)).tx.valid)
        .collect();
    let (mut flits, mut seconds) = (0, 0.0);
    let start = processor_time();
    for _ in 0..cycles {
        hosts.drive(plan, &mut network, load);
        network.step();
    }
    seconds += processor_time() - start;
    for _ in 0..1000 {
        hosts.drive(plan, &mut network, load);
        network.step();
        for (block, &word) in tx_valid.iter().enumerate() {
            flits += network.outputs(BlockId(block as u32))[word].count_ones();
        }
    }
    let blocks = plan.instances.len() as f64;
    let speed = blocks * f64::from(cycles) / seconds;
    (speed, f64::from(flits) / 1000.0 / blocks)
}

/// Hosts that send 9-flit packets to random others and take everything.
struct Hosts {
    at: Pins,
    random: Random,
    /// Beats that each host still has to hand over.
    queues: Vec<VecDeque<(u64, bool)>>,
}

impl Hosts {
    fn new(plan: &Plan) -> Hosts {
        let module = &plan.modules[plan.instances[0].module];
        Hosts {
            at: Pins::new(module),
            random: Random::new(1),
            queues: vec![VecDeque::new(); plan.network.terminals.len()],
        }
    }

    fn drive(&mut self, plan: &Plan, network: &mut NetworkModel, load: f64) {
        const PAYLOAD_BEATS: u32 = 8;
        for (host, terminal) in plan.network.terminals.iter().enumerate() {
            let port = usize::from(terminal.pcie_port);
            let taken = network.outputs(terminal.block)[self.at.ingress.ready] >> port & 1 == 1;
            let queue = &mut self.queues[host];
            let pins = network.inputs_mut(terminal.block);
            let offered = pins[self.at.ingress.valid] >> port & 1 == 1;
            if offered && taken {
                queue.pop_front();
            }
            if queue.len() < 100 && self.random.fraction() < load / f64::from(1 + PAYLOAD_BEATS) {
                let to = self.random.below(plan.network.terminals.len() as u64) as u32;
                let header = Header {
                    destination: plan.layout.address_of(to),
                    length: PAYLOAD_BEATS * 8,
                    ..Header::default()
                };
                queue.push_back((header.pack_without_crc(), false));
                queue.extend((1..=PAYLOAD_BEATS).map(|n| (u64::from(n), n == PAYLOAD_BEATS)));
            }
            let set =
                |word: &mut u64, on: bool| *word = *word & !(1 << port) | u64::from(on) << port;
            pins[self.at.egress.ready] |= 1 << port;
            pins[self.at.ingress.keep] |= 0xFF << (8 * port);
            set(&mut pins[self.at.ingress.valid], !queue.is_empty());
            if let Some(&(data, last)) = queue.front() {
                pins[self.at.ingress.data + port] = data;
                set(&mut pins[self.at.ingress.last], last);
            }
        }
    }
}
