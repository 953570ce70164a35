//! The hosts of a whole network: each sends the packets that are due and takes what arrives, with a
//! pause now and then.
//!
//! Writes stream inputs only where they change. Packet contents come from the scoreboard.

use crate::lockstep::Group;
use crate::packet;
use mkns_design::{Data, Plan, StreamBeat, mask, ones};
use mkns_random::Random;
use mkns_routing::ServedPairs;

use super::group_slot::GroupSlot;
use super::packet_identity::PacketIdentity;
use super::scoreboard::Scoreboard;
use mkns_traffic::{Demand, HostPackets, OfferedPackets, SentPacket};

/// Longest pause of a receiving host, cycles.
const PAUSE: u64 = 16;

/// A packet on its way into the network.
#[derive(Debug, Clone, Copy)]
struct Sending {
    identity: PacketIdentity,
    address: u32,
    length: u32,
    layer: u32,
    beat: u32,
    beats: u32,
}

#[derive(Debug, Clone)]
struct Host {
    place: GroupSlot,
    port: usize,
    sending: Option<Sending>,
}

/// All hosts, indexed by host.
#[derive(Debug)]
pub struct NetworkHosts {
    hosts: Vec<Host>,
    /// Places of the adapter blocks and their first host.
    adapters: Vec<(GroupSlot, u32)>,
    source: HostPackets,
    /// Decides the pauses: apart, so that the same packets meet the same pauses.
    pauses: Random,
    beat_bytes: u32,
    longest_pause: u64,
    /// Hosts that pause, and until when.
    pausing: Vec<(u32, u64)>,
}

impl NetworkHosts {
    /// Hosts that are ready to receive, and idle until the traffic starts.
    pub fn new(
        plan: &Plan,
        places: &[GroupSlot],
        demand: Demand<'_>,
        groups: &mut [Group],
    ) -> Self {
        let attached = &plan.network.hosts;
        let hosts = attached.iter().map(|at| Host {
            place: places[at.block.0 as usize],
            port: usize::from(at.pcie_port),
            sending: None,
        });
        let hosts: Vec<Host> = hosts.collect();
        hosts.iter().for_each(|host| set_ready(host, groups, true));
        let first_ports = attached.iter().filter(|at| at.pcie_port == 0);
        let block = &plan.spec.block;
        Self {
            adapters: first_ports
                .map(|at| (places[at.block.0 as usize], at.host))
                .collect(),
            hosts,
            source: HostPackets::new(plan, demand),
            pauses: Random::branch(demand.seed, 5),
            beat_bytes: block.pcie_bits / 8,
            longest_pause: match (demand.offered, block.host_timeout) {
                (OfferedPackets::Given { pauses: false, .. }, _) => 0,
                (_, 0) => PAUSE,
                (_, timeout) => PAUSE.min(u64::from(timeout) / 2),
            },
            pausing: Vec::new(),
        }
    }

    /// These hosts begin no more packets.
    pub fn silence(&mut self, numbers: &[u32]) {
        self.source.silence(numbers);
    }

    /// From now on packets are sent only where routes lead.
    pub fn serve(&mut self, served: ServedPairs) {
        self.source.serve(served);
    }

    /// Sets the stream inputs of a cycle; `inject`: new packets may start.
    pub fn drive(
        &mut self,
        cycle: u64,
        inject: bool,
        groups: &mut [Group],
        board: &mut Scoreboard,
    ) {
        let hosts = &self.hosts;
        self.pausing.retain(|&(number, until)| {
            let over = cycle >= until;
            if over {
                set_ready(&hosts[number as usize], groups, true);
            }
            !over
        });
        if !inject {
            return;
        }
        for number in 0..self.hosts.len() {
            if !self.source.is_due(number, cycle) || self.hosts[number].sending.is_some() {
                continue;
            }
            if let Some(packet) = self.source.next(number, cycle, &board.addressing) {
                self.begin(packet, board);
                offer(&self.hosts[number], self.beat_bytes, groups);
            }
        }
    }

    /// Takes the stream outputs of the cycle.
    pub fn observe(
        &mut self,
        cycle: u64,
        groups: &mut [Group],
        board: &mut Scoreboard,
    ) -> Result<(), (u32, String)> {
        for index in 0..self.adapters.len() {
            let (place, first_host) = self.adapters[index];
            let group = &mut groups[place.group];
            let (ingress, egress) = (group.pins.ingress, group.pins.egress);
            let outputs = group.outputs_of(place.instance);
            let (ready, valid) = (outputs[ingress.ready], outputs[egress.valid]);
            let inputs = group.inputs_of(place.instance);
            let accepted = ready & inputs[ingress.valid];
            let taken = valid & inputs[egress.ready];
            for port in ones(taken) {
                let number = first_host + port as u32;
                self.take(cycle, number, groups, board)
                    .map_err(|note| (number, note))?;
            }
            for port in ones(accepted) {
                self.advance(first_host as usize + port, groups);
            }
        }
        Ok(())
    }

    /// No host is in the middle of a packet.
    pub fn all_idle(&self) -> bool {
        self.hosts.iter().all(|host| host.sending.is_none())
    }

    fn begin(&mut self, packet: SentPacket, board: &mut Scoreboard) {
        let SentPacket {
            source,
            destination,
            length,
            layer,
            ..
        } = packet;
        let address = board.addressing.destination(source, destination);
        let flits = self.source.flits(length);
        self.hosts[source as usize].sending = Some(Sending {
            identity: board.send(source, destination, flits),
            address: address.expect("a packet is sent where its source has a path"),
            length,
            layer,
            beat: 0,
            beats: 1 + length.div_ceil(self.beat_bytes),
        });
    }

    fn advance(&mut self, number: usize, groups: &mut [Group]) {
        let host = &mut self.hosts[number];
        if let Some(sending) = &mut host.sending {
            sending.beat += 1;
            if sending.beat == sending.beats {
                host.sending = None;
            }
        }
        offer(host, self.beat_bytes, groups);
    }

    fn take(
        &mut self,
        cycle: u64,
        number: u32,
        groups: &mut [Group],
        board: &mut Scoreboard,
    ) -> Result<(), String> {
        let host = &self.hosts[number as usize];
        let group = &groups[host.place.group];
        let pins = &group.pins;
        let outputs = group.outputs_of(host.place.instance);
        let Some(beat) = pins.beat(&pins.egress, outputs, host.port) else {
            return Ok(());
        };
        board.take(number, &beat)?;
        if self.longest_pause > 0 && self.pauses.below(64) == 0 {
            let until = cycle + 1 + self.pauses.between(1, self.longest_pause);
            self.pausing.push((number, until));
            set_ready(&self.hosts[number as usize], groups, false);
        }
        Ok(())
    }
}

fn set_ready(host: &Host, groups: &mut [Group], ready: bool) {
    let group = &mut groups[host.place.group];
    let (pins, inputs) = group.pins_and_inputs(host.place.instance);
    pins.set_ready(&pins.egress, inputs, host.port, ready);
}

/// Puts the current beat of a host on the pins, or nothing.
fn offer(host: &Host, beat_bytes: u32, groups: &mut [Group]) {
    let group = &mut groups[host.place.group];
    let (pins, inputs) = group.pins_and_inputs(host.place.instance);
    let beat = (host.sending.as_ref()).map(|sending| sending.beat(beat_bytes));
    pins.set_beat(&pins.ingress, inputs, host.port, beat.as_ref());
}

impl Sending {
    /// The beat that is offered now.
    fn beat(&self, beat_bytes: u32) -> StreamBeat {
        let mut beat = StreamBeat {
            keep: mask(beat_bytes as usize),
            last: self.beat + 1 == self.beats,
            ..StreamBeat::default()
        };
        if self.beat == 0 {
            *beat.data.low_mut() = packet::header(self.address, 0, self.length, self.layer);
            return beat;
        }
        let before = (self.beat - 1) * beat_bytes;
        let first = u64::from(before / 8);
        let payload = |word| self.identity.payload(first + word as u64);
        beat.data = Data::from_fn((beat_bytes / 8) as usize, payload);
        beat.keep = mask((self.length - before).min(beat_bytes) as usize);
        beat
    }
}
