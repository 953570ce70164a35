//! Drives loads through the pins of a distributed switch and measures what every packet waits.
//!
//! All packets of a load, a header and one beat each, enter in the same cycle; each must arrive exactly as
//! many cycles later as a lone packet does. Loads follow each other every [`DISTANCE`] cycles, without
//! waiting for the one before. The turns of one load follow each other as fast as a channel carries them.

use std::collections::VecDeque;

use mkns_design::{Data, Pins, Plan, StreamBeat};
use mkns_routing::nonblocking::{Crossing, LoadOutcome, Packet, SwitchModel};
use mkns_topology::BlockId;

use crate::{Network, header};

/// Cycles between the starts of two loads: a packet of two flits and the cycles in which a switch takes
/// up the next one.
const DISTANCE: u64 = 8;
/// Cycles that a packet occupies a channel: a header and one beat.
const PACKET_CYCLES: u64 = 2;
/// Cycles within which a packet arrives or counts as lost.
const PATIENCE: u64 = 400;

/// A network at the pins of its hosts.
pub trait NetworkOnPins {
    /// A block's packed inputs of the next cycle. The link pins belong to the network.
    fn inputs_mut(&mut self, block: BlockId) -> &mut [u64];
    /// A block's packed outputs of the last cycle.
    fn outputs(&self, block: BlockId) -> &[u64];
    /// One cycle of every block and link.
    fn step(&mut self);
}

impl NetworkOnPins for Network {
    fn inputs_mut(&mut self, block: BlockId) -> &mut [u64] {
        self.inputs_mut(block)
    }

    fn outputs(&self, block: BlockId) -> &[u64] {
        self.outputs(block)
    }

    fn step(&mut self) {
        self.step();
    }
}

/// A packet under way.
#[derive(Debug, Clone)]
struct Expected {
    /// Second beat, by which it is recognised.
    mark: u64,
    from: u32,
    to: u32,
    started: u64,
}

/// A network and the packets in it.
pub struct PermutationBench<'a> {
    network: &'a mut dyn NetworkOnPins,
    /// Of a terminal.
    at: Pins,
    /// Terminals, which are the first blocks.
    terminals: u32,
    trunks: usize,
    local_bits: u32,
    cycle: u64,
    next_mark: u64,
    expected: VecDeque<Expected>,
    /// Cycles from the first beat offered to the last beat delivered of a lone packet.
    latency: Option<u64>,
}

impl<'a> PermutationBench<'a> {
    /// A network without packets; every host becomes ready to receive.
    pub fn new(network: &'a mut dyn NetworkOnPins, plan: &Plan, local_bits: u32) -> Self {
        let module = &plan.modules[plan.instances[0].module];
        let trunks = module.pcie_ports as usize;
        let terminals = plan.network.hosts.len() / trunks;
        let mut bench = Self {
            network,
            at: Pins::new(module),
            terminals: terminals as u32,
            trunks,
            local_bits,
            cycle: 0,
            next_mark: 0,
            expected: VecDeque::new(),
            latency: None,
        };
        let at = bench.at.egress;
        for terminal in 0..bench.terminals {
            let inputs = bench.network.inputs_mut(BlockId(terminal));
            (0..trunks).for_each(|port| bench.at.set_ready(&at, inputs, port, true));
        }
        bench.step();
        bench
    }

    /// Cycles that a packet takes which meets no other; known once a load has been driven.
    pub fn latency(&self) -> Option<u64> {
        self.latency
    }

    fn step(&mut self) {
        self.network.step();
        self.cycle += 1;
    }

    /// The PCIe port at which a packet is offered.
    fn port_of(&self, packet: &Packet) -> usize {
        match self.trunks {
            1 => 0,
            _ => packet.train.0[0] as usize,
        }
    }

    /// A beat that was offered in the last cycle and not taken.
    fn refused(&self, packets: &[(Packet, u64)]) -> Option<String> {
        let is_refused = |packet: &Packet| {
            let pins = self.network.outputs(BlockId(packet.from));
            pins[self.at.ingress.ready] >> self.port_of(packet) & 1 == 0
        };
        let found = packets.iter().find(|(packet, _)| is_refused(packet));
        found.map(|(packet, _)| format!("terminal {} does not take a beat", packet.from))
    }

    /// Offers beat `beat` of every packet for one cycle.
    fn offer(&mut self, packets: &[(Packet, u64)], beat: usize) {
        let (at, stream) = (&self.at, self.at.ingress);
        for terminal in 0..self.terminals {
            let inputs = self.network.inputs_mut(BlockId(terminal));
            (0..self.trunks).for_each(|port| at.set_beat(&stream, inputs, port, None));
        }
        for (packet, mark) in packets {
            let port = self.port_of(packet);
            let header = header::with_length(packet.train.packed(self.local_bits).into(), 8);
            let beat = StreamBeat {
                data: Data::of(&[[header, *mark][beat]]),
                keep: 0xff,
                last: beat == 1,
                user: false,
            };
            let inputs = self.network.inputs_mut(BlockId(packet.from));
            at.set_beat(&stream, inputs, port, Some(&beat));
        }
    }

    /// Looks at every host; the first packet that is late, wrong or unknown.
    fn arrivals(&mut self) -> Option<String> {
        let mut failure = None;
        for terminal in 0..self.terminals {
            let pins = self.network.outputs(BlockId(terminal));
            let mut last = pins[self.at.egress.valid] & pins[self.at.egress.last];
            while last != 0 {
                let port = last.trailing_zeros() as usize;
                last &= last - 1;
                let (at, pins) = (&self.at, self.network.outputs(BlockId(terminal)));
                let mark = at.beat(&at.egress, pins, port).map(|beat| beat.data.low());
                let is_it = |packet: &Expected| mark == Some(packet.mark);
                let found = self.expected.iter().position(is_it);
                let Some(packet) = found.and_then(|at| self.expected.remove(at)) else {
                    failure
                        .get_or_insert(format!("terminal {terminal} receives an unknown packet"));
                    continue;
                };
                let Expected { from, to, .. } = packet;
                let taken = self.cycle - packet.started;
                let alone = *self.latency.get_or_insert(taken);
                if to != terminal {
                    failure.get_or_insert(format!("{from} → {to} arrives at {terminal}"));
                } else if taken != alone {
                    let fact = format!("{from} → {to} takes {taken} cycles, alone {alone}");
                    failure.get_or_insert(fact);
                }
            }
        }
        let lost = self.expected.front();
        if lost.is_some_and(|packet| self.cycle - packet.started > PATIENCE) {
            let packet = self.expected.pop_front().expect("just seen");
            failure.get_or_insert(format!("{} → {} is lost", packet.from, packet.to));
        }
        failure
    }

    /// Sends a packet alone to learn its latency, which is that of every other: all paths have the same
    /// units.
    fn calibrate(&mut self, lone: &Packet) {
        if self.latency.is_none() {
            self.send(std::slice::from_ref(lone), DISTANCE);
            self.wait();
        }
    }

    /// Starts packets, then lets `cycles` pass from their first beat on.
    fn send(&mut self, packets: &[Packet], cycles: u64) -> Option<String> {
        let started = self.cycle;
        let marks = self.next_mark..;
        let marked: Vec<(Packet, u64)> = packets.iter().cloned().zip(marks).collect();
        self.next_mark += packets.len() as u64;
        self.expected
            .extend(marked.iter().map(|(packet, mark)| Expected {
                mark: *mark,
                from: packet.from,
                to: packet.to,
                started,
            }));
        let mut failure = None;
        for cycle in 0..cycles {
            let offered = if cycle < PACKET_CYCLES {
                &marked[..]
            } else {
                &[]
            };
            self.offer(offered, cycle as usize);
            self.step();
            let found = self.refused(offered).or(self.arrivals());
            failure = failure.or(found);
        }
        failure
    }

    fn wait(&mut self) -> Option<String> {
        let mut failure = None;
        while !self.expected.is_empty() {
            self.step();
            let found = self.arrivals();
            failure = failure.or(found);
        }
        failure
    }
}

impl SwitchModel for PermutationBench<'_> {
    fn cross(&mut self, packets: &[Packet]) -> Crossing {
        self.calibrate(&packets[0]);
        crossing(self.send(packets, DISTANCE))
    }

    fn finish(&mut self) -> Crossing {
        crossing(self.wait())
    }

    fn cross_in_turns(&mut self, turns: &[Vec<Packet>]) -> LoadOutcome {
        self.calibrate(&turns[0][0]);
        let mut failure = self.wait();
        let started = self.cycle;
        for turn in turns {
            let found = self.send(turn, PACKET_CYCLES);
            failure = failure.or(found);
        }
        self.offer(&[], 0);
        let found = self.wait();
        failure = failure.or(found);
        let alone = self.latency.unwrap_or_default();
        let waited = (self.cycle - started).saturating_sub(alone);
        LoadOutcome {
            crossing: crossing(failure),
            packet_times: Some(1 + waited.div_ceil(PACKET_CYCLES)),
        }
    }
}

fn crossing(failure: Option<String>) -> Crossing {
    match failure {
        None => Crossing::Free,
        Some(why) => Crossing::Waited { why },
    }
}
