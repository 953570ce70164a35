//! Hosts that send random packets, some of them faulty, and take beats as they like.

use std::collections::VecDeque;

use super::pair::Pair;
use mkns_design::{Addressing, Pins, Plan, StreamPins, mask};
use mkns_random::Random;
use mkns_topology::BlockId;

/// A beat of a packet.
struct Beat {
    words: Vec<u64>,
    keep: u64,
    last: bool,
    user: bool,
}

struct Host {
    block: BlockId,
    port: usize,
    sends: StreamPins,
    receives: StreamPins,
    queue: VecDeque<Beat>,
    /// tvalid is 1: the beat stays until it is taken.
    offers: bool,
    /// Cycles for which tready will be 0.
    refuses: u64,
}

/// How busy the hosts are for a while, in chances of 100.
struct Phase {
    cycles: u64,
    load: u64,
    offering: u64,
    taking: u64,
    faults: u64,
}

pub struct Hosts {
    hosts: Vec<Host>,
    addressing: Addressing,
    max_payload: u64,
    /// Values of the layer bits.
    layers: u64,
    /// PW/8
    beat_bytes: u64,
    phase: Phase,
}

impl Hosts {
    pub fn new(plan: &Plan, random: &mut Random) -> Self {
        let hosts = plan.network.terminals.iter().map(|terminal| {
            let module = &plan.modules[plan.instances[terminal.block.0 as usize].module];
            let pins = Pins::new(module);
            Host {
                block: terminal.block,
                port: usize::from(terminal.pcie_port),
                sends: pins.ingress,
                receives: pins.egress,
                queue: VecDeque::new(),
                offers: false,
                refuses: 0,
            }
        });
        let block = &plan.spec.block;
        let flits = u64::from(block.max_packet_flits - 1);
        Self {
            hosts: hosts.collect(),
            addressing: Addressing::new(plan),
            layers: block.host_layers().into(),
            max_payload: (flits * u64::from(block.flit_bits / 8)).min(8191),
            beat_bytes: u64::from(block.pcie_bits / 8),
            phase: Phase::new(random),
        }
    }

    /// Puts the next cycle's beats and tready onto the pins.
    pub fn drive(&mut self, pair: &mut Pair, random: &mut Random) {
        self.phase.cycles -= 1;
        if self.phase.cycles == 0 {
            self.phase = Phase::new(random);
        }
        for host in 0..self.hosts.len() {
            if self.hosts[host].queue.len() < 40 && random.below(100) < self.phase.load {
                let packet = self.packet(host as u32, random);
                self.hosts[host].queue.extend(packet);
            }
            let (phase, beat_bytes) = (&self.phase, self.beat_bytes as usize);
            self.hosts[host].drive(pair, random, phase, beat_bytes);
        }
    }

    /// Beats that were taken in the last cycle are no longer offered.
    pub fn observe(&mut self, pair: &Pair) {
        for host in &mut self.hosts {
            let tready = pair.get(host.block, host.sends.ready, host.port, 1) == 1;
            if host.offers && tready {
                host.queue.pop_front();
                host.offers = false;
            }
        }
    }

    /// The beats of a packet.
    fn packet(&self, from: u32, random: &mut Random) -> Vec<Beat> {
        let to = random.below(self.hosts.len() as u64) as u32;
        let nowhere = random.below(1 << 20) as u32;
        let destination = self.addressing.destination(from, to).unwrap_or(nowhere);
        let length = match random.below(4) {
            0 => 0,
            1 => random.below(self.max_payload.min(20) + 1),
            2 => self.max_payload,
            _ => random.below(self.max_payload + 1),
        };
        let words = (self.beat_bytes / 8) as usize;
        let layer = random.below(self.layers);
        let mut noise = || -> Vec<u64> { (0..words).map(|_| random.below(u64::MAX)).collect() };
        let mut header = noise();
        // The host's CRC and source do not count.
        header[0] &= 0x3f << 58 | 0xf_ffff << 20;
        header[0] |= u64::from(destination) | length << 40 | layer << 53;
        let all = mask(self.beat_bytes as usize);
        let mut beats = vec![Beat {
            words: header,
            keep: if length == 0 { all.max(0xff) } else { all },
            last: length == 0,
            user: false,
        }];
        let payload_beats = length.div_ceil(self.beat_bytes);
        for number in 1..=payload_beats {
            let left = length - (number - 1) * self.beat_bytes;
            beats.push(Beat {
                words: noise(),
                keep: mask(left.min(self.beat_bytes) as usize),
                last: number == payload_beats,
                user: false,
            });
        }
        if random.below(100) < self.phase.faults {
            spoil(&mut beats, random);
        }
        beats
    }
}

/// Makes a packet faulty, or different at least.
fn spoil(beats: &mut Vec<Beat>, random: &mut Random) {
    let n = random.below(beats.len() as u64) as usize;
    match random.below(8) {
        0 => beats[n].keep ^= 1 << random.below(64),
        1 => beats[0].words[0] ^= 1 << random.below(20),
        2 => beats[0].words[0] ^= 1 << (40 + random.below(18)),
        3 => beats[n].keep = 0,
        4 => {
            beats.truncate(n + 1);
            beats[n].last = true;
        }
        5 => {
            let last = beats.last_mut().expect("a header at least");
            last.last = false;
            let (words, keep) = (last.words.clone(), last.keep);
            beats.push(Beat {
                words,
                keep,
                last: true,
                user: false,
            });
        }
        6 => beats[n].user = true,
        _ => beats.last_mut().expect("a header at least").user = true,
    }
}

impl Host {
    fn drive(&mut self, pair: &mut Pair, random: &mut Random, phase: &Phase, beat_bytes: usize) {
        self.offers = self.offers || !self.queue.is_empty() && random.below(100) < phase.offering;
        let (block, port, pins) = (self.block, self.port, self.sends);
        pair.set(block, pins.valid, port, 1, u64::from(self.offers));
        if let Some(beat) = self.queue.front().filter(|_| self.offers) {
            for (n, word) in beat.words.iter().enumerate() {
                pair.set(block, pins.data + port * beat.words.len() + n, 0, 64, *word);
            }
            pair.set(block, pins.keep, port * beat_bytes, beat_bytes, beat.keep);
            pair.set(block, pins.last, port, 1, u64::from(beat.last));
            pair.set(block, pins.user, port, 1, u64::from(beat.user));
        }
        if self.refuses == 0 && random.below(1000) < phase.faults {
            self.refuses = 1 + random.below(120);
        }
        let takes = self.refuses == 0 && random.below(100) < phase.taking;
        self.refuses = self.refuses.saturating_sub(1);
        pair.set(block, self.receives.ready, port, 1, u64::from(takes));
    }
}

impl Phase {
    fn new(random: &mut Random) -> Self {
        let mut chance = |values: &[u64]| values[random.below(values.len() as u64) as usize];
        Self {
            cycles: chance(&[30, 100, 300, 600]),
            load: chance(&[0, 1, 5, 20, 100]),
            offering: chance(&[20, 90, 100, 100]),
            taking: chance(&[30, 90, 100, 100]),
            faults: chance(&[0, 0, 4, 15]),
        }
    }
}
