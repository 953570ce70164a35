//! The hosts of a whole network: each sends the packets that are due and takes what arrives, with a
//! pause now and then.
//!
//! Writes stream inputs only where they change. Packet contents come from the scoreboard.

use crate::lockstep::Group;
use crate::packet;
use mkns_design::{Data, Plan, StreamBeat, mask, ones};
use mkns_random::Random;
use mkns_routing::ServedPairs;

use super::attached_hosts::AttachedHosts;
use super::group_slot::GroupSlot;
use super::host_pins::AllHostPins;
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
    /// Bits 57:56 of the header.
    travel: u64,
    beat: u32,
    beats: u32,
}

/// All hosts, indexed by host.
#[derive(Debug)]
pub struct NetworkHosts {
    pins: AllHostPins,
    /// What each host is sending.
    sending: Vec<Option<Sending>>,
    source: HostPackets,
    /// Decides the pauses: apart, so that the same packets meet the same pauses.
    pauses: Random,
    beat_bytes: u32,
    longest_pause: u64,
    /// Cycles that the pauses within a packet may have, all together; none without a timeout.
    patience: Option<u64>,
    /// Cycles of pauses within the packet that a host receives, indexed by host.
    paused: Vec<u64>,
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
        let pins = AllHostPins::new(plan, places);
        (0..pins.count()).for_each(|host| pins.set_ready(host, groups, true));
        let block = &plan.spec.block;
        Self {
            sending: vec![None; pins.count()],
            source: HostPackets::new(plan, demand),
            pauses: Random::branch(demand.seed, 5),
            beat_bytes: block.pcie_bits / 8,
            patience: (block.host_timeout > 0).then(|| u64::from(block.host_timeout) - 1),
            paused: vec![0; pins.count()],
            pins,
            longest_pause: match (demand.offered, block.host_timeout) {
                (OfferedPackets::Given { pauses: false, .. }, _) => 0,
                (_, 0) => PAUSE,
                (_, timeout) => PAUSE.min(u64::from(timeout) / 2),
            },
            pausing: Vec::new(),
        }
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
        self.sending[source as usize] = Some(Sending {
            identity: board.send(source, destination, flits),
            address: address.expect("a packet is sent where its source has a path"),
            length,
            layer,
            travel: u64::from(board.flows.is_unordered(source, destination)),
            beat: 0,
            beats: 1 + length.div_ceil(self.beat_bytes),
        });
    }

    fn advance(&mut self, number: usize, groups: &mut [Group]) {
        if let Some(sending) = &mut self.sending[number] {
            sending.beat += 1;
            if sending.beat == sending.beats {
                self.sending[number] = None;
            }
        }
        self.offer(number, groups);
    }

    /// Puts the current beat of a host on the pins, or nothing.
    fn offer(&self, number: usize, groups: &mut [Group]) {
        let sending = self.sending[number].as_ref();
        let beat = sending.map(|sending| sending.beat(self.beat_bytes));
        self.pins.offer(number, groups, beat.as_ref());
    }

    fn take(
        &mut self,
        cycle: u64,
        number: u32,
        groups: &mut [Group],
        board: &mut Scoreboard,
    ) -> Result<(), String> {
        let Some(beat) = self.pins.offered_to(number as usize, groups) else {
            return Ok(());
        };
        board.take(number, &beat)?;
        let paused = &mut self.paused[number as usize];
        if beat.last {
            *paused = 0;
        }
        if self.longest_pause > 0 && self.pauses.below(64) == 0 {
            let pause = self.pauses.between(1, self.longest_pause);
            // Refusals as long as the timeout would cost the packet; one more per pause is for the cycle in which it ends.
            let refused = *paused + pause + 1;
            if self.patience.is_none_or(|most| refused <= most) {
                *paused = refused;
                self.pausing.push((number, cycle + 1 + pause));
                self.pins.set_ready(number as usize, groups, false);
            }
        }
        Ok(())
    }
}

impl AttachedHosts for NetworkHosts {
    fn silence(&mut self, numbers: &[u32]) {
        self.source.silence(numbers);
    }

    fn serve(&mut self, served: ServedPairs) {
        self.source.serve(served);
    }

    fn drive(&mut self, cycle: u64, inject: bool, groups: &mut [Group], board: &mut Scoreboard) {
        let pins = &self.pins;
        self.pausing.retain(|&(number, until)| {
            let over = cycle >= until;
            if over {
                pins.set_ready(number as usize, groups, true);
            }
            !over
        });
        if !inject {
            return;
        }
        for number in 0..self.sending.len() {
            if !self.source.is_due(number, cycle) || self.sending[number].is_some() {
                continue;
            }
            if let Some(packet) = self.source.next(number, cycle, &board.addressing) {
                self.begin(packet, board);
                self.offer(number, groups);
            }
        }
    }

    fn observe(
        &mut self,
        cycle: u64,
        groups: &mut [Group],
        board: &mut Scoreboard,
    ) -> Result<(), (u32, String)> {
        for adapter in 0..self.pins.adapters() {
            let moved = self.pins.moved(adapter, groups);
            for port in ones(moved.taken) {
                let number = moved.first_host + port as u32;
                self.take(cycle, number, groups, board)
                    .map_err(|note| (number, note))?;
            }
            for port in ones(moved.accepted) {
                self.advance(moved.first_host as usize + port, groups);
            }
        }
        Ok(())
    }

    fn all_idle(&self) -> bool {
        self.sending.iter().all(Option::is_none)
    }
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
            let header = packet::header(self.address, 0, self.length, self.layer);
            *beat.data.low_mut() = packet::with_travel(header, self.travel);
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
