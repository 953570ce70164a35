//! The hosts of an adapter block's PCIe ports: sources of good and damaged packets, and receivers
//! that stall.
//!
//! Keeps the AXI4-Stream rules: a beat that is offered stays until it is taken.

use std::collections::VecDeque;

use crate::packet::{FAULTS, HostRules, random_address};
use mkns_contract::{Pins, StreamBeat};
use mkns_random::Random;

use super::aim::Aim;
use super::profile::{HostMode, Profile};

#[derive(Debug, Clone, Default)]
struct Host {
    /// Beats of the packet in progress.
    beats: VecDeque<StreamBeat>,
    /// The beat on the pins.
    offered: Option<StreamBeat>,
    /// Cycle until which no beat follows.
    pause_until: u64,
    /// Cycle until which the receiver refuses.
    stall_until: u64,
    /// The receiver's tready of this cycle.
    ready: bool,
    /// The block showed tvalid in the last cycle.
    beat_waiting: bool,
}

/// All hosts of an adapter block.
#[derive(Debug)]
pub struct Hosts {
    hosts: Vec<Host>,
    rules: HostRules,
    network_ports: usize,
    /// Cycles after which the block drops; 0 = never.
    timeout: u64,
}

impl Hosts {
    /// Idle hosts.
    pub fn new(pins: &Pins, rules: HostRules, timeout: u32) -> Self {
        Self {
            hosts: vec![Host::default(); pins.hosts],
            rules,
            network_ports: pins.ports,
            timeout: u64::from(timeout),
        }
    }

    /// Sets the stream pins of a cycle.
    pub fn drive(
        &mut self,
        cycle: u64,
        pins: &Pins,
        profile: &Profile,
        aim: &Aim,
        random: &mut Random,
        inputs: &mut [u64],
    ) {
        let (ingress, egress) = (pins.ingress, pins.egress);
        for port in 0..self.hosts.len() {
            self.refill(port, profile, aim, random);
            self.stall(port, cycle, profile, random);
            let host = &mut self.hosts[port];
            pins.set_ready(&egress, inputs, port, host.ready);
            if !host.beats.is_empty() && profile.pause > 0 && random.chance(profile.pause) {
                host.pause_until = cycle + random.between(5, 100);
            }
            let waits = cycle < host.pause_until || profile.gap > 0 && random.chance(profile.gap);
            if host.offered.is_none() && !waits {
                host.offered = host.beats.pop_front();
            }
            pins.set_beat(&ingress, inputs, port, host.offered.as_ref());
            if host.offered.is_none() {
                let first = ingress.data + port * pins.beat_words;
                let data = &mut inputs[first..first + pins.beat_words];
                data.fill(if profile.noise { random.bits() } else { 0 });
            }
        }
    }

    /// Takes the stream outputs of a cycle.
    pub fn observe(&mut self, pins: &Pins, outputs: &[u64]) {
        let (ingress, egress) = (pins.ingress, pins.egress);
        for (port, host) in self.hosts.iter_mut().enumerate() {
            if outputs[ingress.ready] >> port & 1 == 1 {
                host.offered = None;
            }
            host.beat_waiting = outputs[egress.valid] >> port & 1 == 1;
        }
    }

    /// No beat on its way, in either direction.
    pub fn at_rest(&self) -> bool {
        self.hosts
            .iter()
            .all(|host| host.beats.is_empty() && host.offered.is_none() && !host.beat_waiting)
    }

    fn refill(&mut self, port: usize, profile: &Profile, aim: &Aim, random: &mut Random) {
        let idle = self.hosts[port].beats.is_empty() && self.hosts[port].offered.is_none();
        let input = self.network_ports + port;
        if !idle || profile.is_silent(input) || !random.chance(profile.start) {
            return;
        }
        let layout = &self.rules.layout;
        let (address, layer) = aim.draw(input, random, |random| random_address(layout, random));
        // Where the block chooses layers these bits are a hint, of any value.
        let layer = match self.rules.layers {
            8 => random.below(8) as u32,
            _ => layer,
        };
        let flits = profile.flits(self.rules.max_packet_flits, random);
        let most = ((flits - 1) * self.rules.flit_bytes).min(self.rules.longest_payload());
        let least = (flits.max(2) - 2) * self.rules.flit_bytes + u32::from(flits > 1);
        let length = random.between(u64::from(least.min(most)), u64::from(most)) as u32;
        let mut beats = self.rules.good(address, layer, length, random);
        if random.chance(profile.faulty) {
            for _ in 0..random.between(1, 2) {
                let fault = profile.fault.unwrap_or_else(|| *random.pick(&FAULTS));
                self.rules.damage(&mut beats, fault, random);
            }
        }
        self.hosts[port].beats = beats.into();
    }

    fn stall(&mut self, port: usize, cycle: u64, profile: &Profile, random: &mut Random) {
        let host = &mut self.hosts[port];
        host.ready = match profile.hosts[port] {
            HostMode::Prompt => true,
            HostMode::Slow(chance) => random.chance(chance),
            HostMode::Stalls(chance) => {
                if cycle >= host.stall_until && host.beat_waiting && random.chance(chance) {
                    let limit = if self.timeout == 0 { 40 } else { self.timeout };
                    let stall = match random.chance(500) {
                        true => random.between(limit.max(2) - 1, limit + 2),
                        false => random.between(limit / 2, limit * 2),
                    };
                    host.stall_until = cycle + stall;
                }
                cycle >= host.stall_until
            }
        };
    }
}
