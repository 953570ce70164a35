//! The host core bench: a network of two adapter blocks with a wrapper at each of its four PCIe ports,
//! under six clocks of random period and phase. Counts what is sent, arrives and is lost.

use std::collections::VecDeque;

use mkns::fpga::HostCore;
use mkns::random::Random;
use mkns_sim::{Model, ModelLibrary};

use super::model::{input, output};
use super::packet::{Beat, Packet, source};
use super::receiver::{Arrival, Receiver};
use super::sender::{Fate, Sender};

const AURORA_CLOCK: usize = 2;
const NETWORK_CLOCK: usize = 5;
/// Clock of the stream towards the network and of that from it, by port.
const IN_CLOCKS: [usize; 4] = [0, 1, 2, 4];
const OUT_CLOCKS: [usize; 4] = [0, 1, 2, 3];

/// One of the six clocks, times in picoseconds.
struct Clock {
    half: u64,
    next: u64,
    level: bool,
}

/// What happened to the packets.
#[derive(Debug, Default, Clone)]
pub struct Tally {
    /// Packets handed over whole, by sender.
    pub sent: [u64; 4],
    /// Packets that arrived whole, by sender and receiver.
    pub arrived: [[u64; 4]; 4],
    /// Packets that arrived and were none that had been sent, by receiver.
    pub broken: [u64; 4],
    pub bad: u64,
    pub foreign: u64,
}

/// Counters of the wrappers.
#[derive(Debug)]
pub struct Counters {
    pub damaged: [u64; 4],
    pub tx_cut: u64,
    pub rx_cut: u64,
    /// Of Aurora and of the MAC.
    pub overflowed: [u64; 2],
    pub bad_frames: u64,
    pub foreign: u64,
    /// Of XDMA and of LitePCIe.
    pub dropped: [u64; 2],
}

pub struct Bench {
    model: Model,
    inputs: [u64; input::WORDS],
    outputs: [u64; output::WORDS],
    clocks: Vec<Clock>,
    pub senders: Vec<Sender>,
    pub receivers: Vec<Receiver>,
    /// Sent and not arrived, by sender and receiver, oldest first.
    flows: Vec<Vec<VecDeque<Packet>>>,
    pub tally: Tally,
    channel_up: bool,
    /// Network cycles since the start.
    cycle: u64,
}

impl Bench {
    /// After reset. `halves`: half the periods of the clocks, ps; their phases come from the seed.
    pub fn new(library: &ModelLibrary, halves: [u64; 6], fault: u64, seed: u64) -> Self {
        let mut random = Random::branch(seed, 99);
        let clock = |half: u64| Clock {
            half,
            next: random.between(1, 2 * half),
            level: false,
        };
        let cores = HostCore::ALL.into_iter().zip(0..);
        let mut bench = Self {
            model: library.instance(seed).expect("an instance"),
            inputs: [0; input::WORDS],
            outputs: [0; output::WORDS],
            clocks: halves.map(clock).into(),
            senders: (cores.clone())
                .map(|(core, port)| Sender::new(core, port, seed))
                .collect(),
            receivers: cores
                .map(|(core, port)| Receiver::new(core, port, seed))
                .collect(),
            flows: vec![vec![VecDeque::new(); 4]; 4],
            tally: Tally::default(),
            channel_up: true,
            cycle: 0,
        };
        bench.inputs[input::FAULT] = fault;
        bench.inputs[input::RESETS] = 0x3f;
        let slowest = halves.into_iter().max().expect("clocks");
        bench
            .run(1 + 20 * slowest / halves[NETWORK_CLOCK])
            .expect("nothing happens in reset");
        bench.inputs[input::RESETS] = 0;
        bench
    }

    /// From the next cycle of Aurora's clock on.
    pub fn set_channel_up(&mut self, up: bool) {
        self.channel_up = up;
    }

    /// Runs for some cycles of the network's clock. An error is the first thing that was wrong.
    pub fn run(&mut self, cycles: u64) -> Result<(), String> {
        let end = self.cycle + cycles;
        while self.cycle < end {
            let now = self.clocks.iter().map(|clock| clock.next).min();
            let now = now.expect("there are clocks");
            for number in 0..self.clocks.len() {
                let clock = &mut self.clocks[number];
                if clock.next != now {
                    continue;
                }
                clock.next += clock.half;
                clock.level = !clock.level;
                self.inputs[input::CLOCKS] ^= 1 << number;
                let is_rising = clock.level;
                if number == NETWORK_CLOCK {
                    self.cycle += u64::from(is_rising);
                } else if self.inputs[input::RESETS] != 0 {
                    // the cores keep still
                } else if is_rising {
                    let noted = self.observe(number);
                    noted.map_err(|what| format!("cycle {}: {what}", self.cycle))?;
                } else {
                    self.drive(number);
                }
            }
            self.model.step(&self.inputs, &mut self.outputs);
        }
        Ok(())
    }

    /// At a rising edge: what the cores of this clock hand over and take.
    fn observe(&mut self, clock: usize) -> Result<(), String> {
        for port in 0..4 {
            if IN_CLOCKS[port] == clock {
                let is_ready = bit(self.outputs[output::READY], port);
                match self.senders[port].edge(is_ready) {
                    Some(Fate::Expected(packet)) => {
                        self.tally.sent[port] += 1;
                        self.flows[port][packet.destination].push_back(packet);
                    }
                    Some(Fate::Bad) => self.tally.bad += 1,
                    Some(Fate::Foreign) => self.tally.foreign += 1,
                    None => {}
                }
            }
            if OUT_CLOCKS[port] == clock {
                let beat = bit(self.outputs[output::VALID], port).then(|| Beat {
                    data: self.outputs[output::DATA + port],
                    keep: (self.outputs[output::KEEP] >> (8 * port)) as u8,
                    last: bit(self.outputs[output::LAST], port),
                    user: bit(self.outputs[output::USER], port),
                });
                let arrival = self.receivers[port].edge(beat);
                let arrival = arrival.map_err(|what| format!("port {port}: {what}"))?;
                if let Some(arrival) = arrival {
                    self.arrive(port, arrival);
                }
            }
        }
        Ok(())
    }

    /// Packets of a flow come in order, so those before the one that arrived are lost.
    fn arrive(&mut self, port: usize, arrival: Arrival) {
        let found = match &arrival {
            Arrival::Packet(bytes) => source(bytes).filter(|from| *from < 4).and_then(|from| {
                let flow = &mut self.flows[from][port];
                let place = flow
                    .iter()
                    .position(|packet| packet.received(from) == *bytes)?;
                flow.drain(..=place);
                Some(from)
            }),
            Arrival::Broken => None,
        };
        match found {
            Some(from) => self.tally.arrived[from][port] += 1,
            None => self.tally.broken[port] += 1,
        }
    }

    /// After a falling edge: what the cores of this clock show in the next cycle.
    fn drive(&mut self, clock: usize) {
        if clock == AURORA_CLOCK {
            self.inputs[input::CHANNEL_UP] = u64::from(self.channel_up);
        }
        let channel_up = self.channel_up;
        for port in 0..4 {
            if IN_CLOCKS[port] == clock {
                let beat = self.senders[port].offer(channel_up);
                set_bit(&mut self.inputs[input::VALID], port, beat.is_some());
                let beat = beat.unwrap_or_default();
                set_bit(&mut self.inputs[input::LAST], port, beat.last);
                set_bit(&mut self.inputs[input::USER], port, beat.user);
                self.inputs[input::DATA + port] = beat.data;
                self.inputs[input::KEEP] &= !(0xff << (8 * port));
                self.inputs[input::KEEP] |= u64::from(beat.keep) << (8 * port);
            }
            if OUT_CLOCKS[port] == clock {
                let is_ready = self.receivers[port].ready(channel_up);
                set_bit(&mut self.inputs[input::READY], port, is_ready);
            }
        }
    }

    pub fn counters(&self) -> Counters {
        let counter =
            |n: usize| self.outputs[output::COUNTERS + n / 2] >> (32 * (n % 2)) & 0xffff_ffff;
        Counters {
            damaged: [counter(0), counter(1), counter(2), counter(3)],
            tx_cut: counter(4),
            rx_cut: counter(5),
            overflowed: [counter(6), counter(7)],
            bad_frames: counter(8),
            foreign: counter(9),
            dropped: [counter(10), counter(11)],
        }
    }

    /// Reads a PCIe counter of a port over its block's control port.
    pub fn pcie_counter(&mut self, port: usize, counter: u64) -> u64 {
        let block = port / 2;
        let address = 0x3000 + 0x40 * (port as u64 % 2) + 4 * counter;
        self.inputs[input::READ_ADDRESS] = address << (20 * block);
        self.inputs[input::READ_VALID] = 1 << block;
        while !bit(self.outputs[output::READ_VALID], block) {
            self.run(1).expect("the network is quiet");
        }
        let value = self.outputs[output::READ_DATA] >> (32 * block) & 0xffff_ffff;
        self.inputs[input::READ_VALID] = 0;
        self.run(4).expect("the network is quiet");
        value
    }
}

fn bit(word: u64, place: usize) -> bool {
    word >> place & 1 == 1
}

fn set_bit(word: &mut u64, place: usize, value: bool) {
    *word = *word & !(1 << place) | u64::from(value) << place;
}
