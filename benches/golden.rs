//! The golden model as a switch and as a simulator: accepted load of a saturated block, and
//! block-cycles per second of blocks and of a network.
//! `cargo bench --bench golden`. Speeds count this thread's processor time, so that other work on
//! the machine disturbs less.

use std::collections::VecDeque;
use std::fs;
use std::hint::black_box;
use std::time::Instant;

use mkns::design::{self, BlockModule, ModuleKind, Plan, TableShape};
use mkns::golden::header::Header;
use mkns::golden::{BlockModel, InputWords, NetworkModel, OutputWords, RouteSource};
use mkns::routing::{AddressLayout, BlockTables, DimensionTable, TableEntry};
use mkns::spec::{self, BlockParameters};
use mkns::topology::{BlockId, PortIndex};

const PORTS: usize = 10;
const CYCLES: u64 = 200_000;

fn main() {
    println!("accepted load of one 10×10 block, saturated, uniform, flits per port and cycle:");
    for flits in [1, 9, 33] {
        for channels in [1, 2] {
            let load = SwitchBench::new(flits, channels).accepted(1.0, CYCLES);
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
        let mut bench = SwitchBench::new(9, 2);
        bench.accepted(load, 10_000);
        println!("  load {name:9} {:6.2}", bench.model_speed(load) / 1e6);
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

/// Xorshift: repeatable traffic.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (((self.0 >> 32) * limit as u64) >> 32) as usize
    }

    fn chance(&mut self, probability: f64) -> bool {
        self.below(1 << 24) < (probability * f64::from(1 << 24)) as usize
    }
}

/// One switch block between senders that always have packets and sinks that always have room, a
/// link register away on every side.
struct SwitchBench {
    model: BlockModel,
    at: InputWords,
    out: OutputWords,
    inputs: Vec<u64>,
    outputs: Vec<u64>,
    packet_flits: usize,
    channels: usize,
    vcs: usize,
    random: Random,
    /// Destination and flits left of the packet of (input, channel).
    packets: Vec<(usize, usize)>,
    credits: Vec<u32>,
    /// Credits on the wire to the senders and to the block.
    to_senders: u64,
    to_block: u64,
}

impl SwitchBench {
    fn new(packet_flits: usize, channels: usize) -> SwitchBench {
        let parameters = BlockParameters::default();
        let vcs = parameters.virtual_channels as usize;
        let credits = parameters.rx_buffer_flits;
        let module = BlockModule {
            kind: ModuleKind::Switch,
            network_ports: PORTS as u32,
            pcie_ports: 0,
            tables: vec![TableShape { lsb: 0, bits: 4 }],
            parameters,
            layout: AddressLayout { fields: Vec::new() },
        };
        let tables = BlockTables {
            tables: vec![DimensionTable {
                field: 0,
                entries: (0..16)
                    .map(|port| TableEntry::to(PortIndex(port)))
                    .collect(),
            }],
            step: vec![vec![false; PORTS]; PORTS],
        };
        let (at, out) = (InputWords::new(&module), OutputWords::new(&module));
        let mut inputs = vec![0; at.count];
        inputs[at.link_up] = (1 << PORTS) - 1;
        SwitchBench {
            model: BlockModel::new(&module, Some(&tables), 0),
            inputs,
            outputs: vec![0; out.count],
            at,
            out,
            packet_flits,
            channels,
            vcs,
            random: Random(0x9E37_79B9_7F4A_7C15),
            packets: vec![(0, 0); PORTS * vcs],
            credits: vec![credits; PORTS * vcs],
            to_senders: 0,
            to_block: 0,
        }
    }

    /// Flits sent per port and cycle, after a tenth of the cycles as warm-up.
    fn accepted(&mut self, load: f64, cycles: u64) -> f64 {
        let mut flits = 0;
        for cycle in 0..cycles {
            self.offer(load);
            self.model.step(&self.inputs, &mut self.outputs);
            let sent = self.absorb();
            if cycle >= cycles / 10 {
                flits += u64::from(sent);
            }
        }
        flits as f64 / (cycles - cycles / 10) as f64 / PORTS as f64
    }

    /// Block-cycles per second of the model alone: recorded inputs are played back.
    fn model_speed(&mut self, load: f64) -> f64 {
        let fresh = self.model.clone();
        let cycles = 20_000;
        let mut recorded = Vec::new();
        for _ in 0..cycles {
            self.offer(load);
            recorded.push(self.inputs.clone());
            self.model.step(&self.inputs, &mut self.outputs);
            self.absorb();
        }
        let (mut seconds, mut rounds) = (0.0, 0);
        while seconds < 0.3 {
            let mut model = fresh.clone();
            let start = processor_time();
            for inputs in &recorded {
                model.step(inputs, &mut self.outputs);
                black_box(&self.outputs);
            }
            seconds += processor_time() - start;
            rounds += 1;
        }
        f64::from(cycles * rounds) / seconds
    }

    fn offer(&mut self, load: f64) {
        let at = &self.at;
        self.inputs[at.rx_valid..at.link_up].fill(0);
        self.inputs[at.tx_credit] = self.to_block;
        for key in bits(std::mem::take(&mut self.to_senders)) {
            self.credits[key] += 1;
        }
        for input in 0..PORTS {
            if !self.random.chance(load) {
                continue;
            }
            let first = self.random.below(self.channels);
            let channel = (0..self.channels)
                .map(|offset| (first + offset) % self.channels)
                .find(|channel| self.credits[input * self.vcs + channel] > 0);
            if let Some(channel) = channel {
                self.send(input, channel);
            }
        }
    }

    fn send(&mut self, input: usize, channel: usize) {
        let at = &self.at;
        let key = input * self.vcs + channel;
        self.credits[key] -= 1;
        let (destination, left) = self.packets[key];
        let (destination, left, data) = if left == 0 {
            let destination = (input + 1 + self.random.below(PORTS - 1)) % PORTS;
            let header = Header {
                destination: destination as u32,
                ..Header::default()
            };
            (destination, self.packet_flits, header.pack())
        } else {
            (destination, left, 0x5555)
        };
        self.packets[key] = (destination, left - 1);
        self.inputs[at.rx_valid] |= 1 << input;
        self.inputs[at.rx_vc] |= (channel as u64) << input;
        self.inputs[at.rx_last] |= u64::from(left == 1) << input;
        self.inputs[at.rx_data + input] = data;
    }

    /// Takes what the block sent; returns the number of flits.
    fn absorb(&mut self) -> u32 {
        self.to_senders = self.outputs[self.out.rx_credit];
        let sent = self.outputs[self.out.tx_valid];
        self.to_block = bits(sent).fold(0, |credits, port| {
            let channel = self.outputs[self.out.tx_vc] >> port & 1;
            credits | 1 << (port * self.vcs + channel as usize)
        });
        sent.count_ones()
    }
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
        .map(|block| OutputWords::new(module(block)).tx_valid)
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
    at: InputWords,
    out: OutputWords,
    random: Random,
    /// Beats that each host still has to hand over.
    queues: Vec<VecDeque<(u64, bool)>>,
}

impl Hosts {
    fn new(plan: &Plan) -> Hosts {
        let module = &plan.modules[plan.instances[0].module];
        Hosts {
            at: InputWords::new(module),
            out: OutputWords::new(module),
            random: Random(0x2545_F491_4F6C_DD1D),
            queues: vec![VecDeque::new(); plan.network.terminals.len()],
        }
    }

    fn drive(&mut self, plan: &Plan, network: &mut NetworkModel, load: f64) {
        const PAYLOAD_BEATS: u32 = 8;
        for (host, terminal) in plan.network.terminals.iter().enumerate() {
            let port = usize::from(terminal.pcie_port);
            let taken = network.outputs(terminal.block)[self.out.pcie_tready] >> port & 1 == 1;
            let queue = &mut self.queues[host];
            let pins = network.inputs_mut(terminal.block);
            let offered = pins[self.at.pcie_tvalid] >> port & 1 == 1;
            if offered && taken {
                queue.pop_front();
            }
            if queue.len() < 100 && self.random.chance(load / f64::from(1 + PAYLOAD_BEATS)) {
                let to = self.random.below(plan.network.terminals.len()) as u32;
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
            pins[self.at.pcie_tready] |= 1 << port;
            pins[self.at.pcie_tkeep] |= 0xFF << (8 * port);
            set(&mut pins[self.at.pcie_tvalid], !queue.is_empty());
            if let Some(&(data, last)) = queue.front() {
                pins[self.at.pcie_tdata + port] = data;
                set(&mut pins[self.at.pcie_tlast], last);
            }
        }
    }
}

fn bits(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            bit
        })
    })
}

/// Seconds that this thread has run; wall-clock time where the system does not tell.
fn processor_time() -> f64 {
    static START: std::sync::OnceLock<Instant> = std::sync::OnceLock::new();
    let start = START.get_or_init(Instant::now);
    fs::read_to_string("/proc/thread-self/schedstat")
        .ok()
        .and_then(|text| text.split(' ').next()?.parse::<f64>().ok())
        .map_or_else(
            || start.elapsed().as_secs_f64(),
            |nanoseconds| nanoseconds / 1e9,
        )
}
