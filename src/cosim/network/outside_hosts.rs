//! Hosts outside this program at the pins of a network under lockstep: their packets enter beat by beat, and what arrives
//! is compared with what was sent, byte for byte.

use std::collections::{BTreeMap, VecDeque};

use super::attached_hosts::AttachedHosts;
use super::flows::Tolerance;
use super::group_slot::GroupSlot;
use super::host_pins::AllHostPins;
use super::packet_identity::PacketIdentity;
use super::scoreboard::Scoreboard;
use crate::lockstep::Group;
use crate::packet;
use mkns_contract::{Crc, header};
use mkns_design::{Data, Plan, StreamBeat, mask, ones};
use mkns_routing::ServedPairs;
use mkns_topology::Part;
use mkns_traffic::{ControlAccess, EXCHANGE_CYCLES, NetworkSide, OutsideHosts, OutsidePacket};

/// Cycles without a beat at any host after which packets that are missing are taken for lost.
const SILENCE: u64 = 4_096;

/// A packet that is arriving at a host.
#[derive(Debug, Default)]
struct Arriving {
    header: Option<u64>,
    payload: Vec<u8>,
}

/// The hosts, and the packets that they have in the network.
pub struct OutsideOnPins<'a> {
    hosts: &'a mut dyn OutsideHosts,
    pins: AllHostPins,
    /// Bytes of a beat, and of a flit.
    beat_bytes: usize,
    flit_bytes: usize,
    /// Beats of the packet that each host is sending; none where it sends nothing.
    sending: Vec<VecDeque<StreamBeat>>,
    arriving: Vec<Arriving>,
    waiting: Vec<VecDeque<OutsidePacket>>,
    /// Begun and not yet arrived, with their numbers in the flow, by destination and source.
    under_way: BTreeMap<(u32, u32), VecDeque<(PacketIdentity, OutsidePacket)>>,
    arrived: Vec<OutsidePacket>,
    served: Option<ServedPairs>,
    silenced: Vec<bool>,
    failing: Vec<Part>,
    accesses: VecDeque<ControlAccess>,
    /// Packets that were given and never begun.
    pub withdrawn: u64,
    /// Cycle of the next exchange, and of the last beat at any host.
    next: u64,
    last_beat: u64,
    /// Nothing more is to be sent.
    pub has_stopped: bool,
}

impl<'a> OutsideOnPins<'a> {
    pub fn new(
        plan: &Plan,
        places: &[GroupSlot],
        hosts: &'a mut dyn OutsideHosts,
        groups: &mut [Group],
    ) -> Self {
        let pins = AllHostPins::new(plan, places);
        let count = pins.count();
        (0..count).for_each(|host| pins.set_ready(host, groups, true));
        Self {
            hosts,
            pins,
            beat_bytes: plan.spec.block.pcie_bits as usize / 8,
            flit_bytes: plan.spec.block.flit_bits as usize / 8,
            sending: vec![VecDeque::new(); count],
            arriving: (0..count).map(|_| Arriving::default()).collect(),
            waiting: vec![VecDeque::new(); count],
            under_way: BTreeMap::new(),
            arrived: Vec::new(),
            served: plan.served.clone(),
            silenced: vec![false; count],
            failing: Vec::new(),
            accesses: VecDeque::new(),
            withdrawn: 0,
            next: 0,
            last_beat: 0,
            has_stopped: false,
        }
    }

    /// The run is over and nothing moves any more.
    pub fn conclude(&mut self) {
        let waiting = self.waiting.iter().map(VecDeque::len).sum::<usize>();
        self.withdrawn += waiting as u64;
        self.hosts.conclude(std::mem::take(&mut self.arrived));
    }

    /// What is asked next of the control port that is offered.
    pub fn next_access(&mut self) -> Option<ControlAccess> {
        self.accesses.pop_front()
    }

    /// The last access is done.
    pub fn answer(&mut self, value: Option<u32>) {
        self.hosts.answer(value);
        // Whoever asked waits for it, and asks again.
        self.next = 0;
    }

    fn exchange(&mut self, cycle: u64, board: &Scoreboard) {
        self.next = cycle + EXCHANGE_CYCLES;
        let nothing_moves = board.flows.missing() == 0 || cycle > self.last_beat + SILENCE;
        let mut side = PinsSide {
            cycle,
            is_idle: nothing_moves && self.sending.iter().all(VecDeque::is_empty),
            waiting: &mut self.waiting,
            arrived: &mut self.arrived,
        };
        let requests = self.hosts.exchange(&mut side);
        self.failing.extend(requests.failing);
        self.accesses.extend(requests.accesses);
        self.has_stopped = requests.stop;
    }

    /// The oldest packet of a host that has a route begins.
    fn begin(&mut self, host: usize, groups: &mut [Group], board: &mut Scoreboard) {
        let packet = loop {
            let Some(packet) = self.waiting[host].pop_front() else {
                return;
            };
            let (from, to) = (packet.source, packet.destination);
            let has_route = self.served.as_ref().is_none_or(|all| all.has(from, to));
            let address = board.addressing.destination(from, to);
            match address.filter(|_| has_route && !self.silenced[host]) {
                Some(address) => break (packet, address),
                None => self.withdrawn += 1,
            }
        };
        let (packet, address) = packet;
        let flits = 1 + packet.payload.len().div_ceil(self.flit_bytes) as u32;
        let identity = board.send(packet.source, packet.destination, flits);
        self.sending[host] = beats(&packet, address, self.beat_bytes);
        let flow = (packet.destination, packet.source);
        let under_way = self.under_way.entry(flow).or_default();
        under_way.push_back((identity, packet));
        self.offer(host, groups);
    }

    /// Puts the current beat of a host on the pins, or nothing.
    fn offer(&self, host: usize, groups: &mut [Group]) {
        let beat = self.sending[host].front();
        self.pins.offer(host, groups, beat);
    }

    fn advance(&mut self, host: usize, groups: &mut [Group]) {
        self.sending[host].pop_front();
        self.offer(host, groups);
    }

    fn take(&mut self, host: u32, groups: &[Group], board: &mut Scoreboard) -> Result<(), String> {
        let Some(beat) = self.pins.offered_to(host as usize, groups) else {
            return Ok(());
        };
        let arriving = &mut self.arriving[host as usize];
        if beat.user {
            *arriving = Arriving::default();
            board.bad += 1;
            return match board.tolerance == Tolerance::Exact || !beat.last {
                true => Err(format!("host {host} received a packet marked bad")),
                false => Ok(()),
            };
        }
        match arriving.header {
            None => arriving.header = Some(beat.data.low()),
            Some(_) => {
                let bytes = beat.keep.trailing_ones() as usize;
                let words = beat.data.words();
                let data = words.iter().flat_map(|word| word.to_le_bytes());
                arriving.payload.extend(data.take(bytes));
            }
        }
        match beat.last {
            true => self.finish(host, board),
            false => Ok(()),
        }
    }

    /// A packet is complete at a host: it has to be one that was sent to it, unchanged.
    fn finish(&mut self, host: u32, board: &mut Scoreboard) -> Result<(), String> {
        let Arriving { header, payload } = std::mem::take(&mut self.arriving[host as usize]);
        let word = header.unwrap_or_default();
        let source = header::source(word);
        let addressing = &board.addressing;
        if !Crc::new(addressing.has_trains()).is_right(word)
            || header::length(word) as usize != payload.len()
        {
            return Err(format!(
                "host {host}: the header {word:#018x} does not fit {} bytes of payload",
                payload.len()
            ));
        }
        let is_it = |packet: &OutsidePacket| {
            let sent = addressing.destination(packet.source, packet.destination);
            addressing.source(packet.source) == source
                && sent.is_some_and(|sent| addressing.arrived(sent) == header::destination(word))
                && packet.payload == payload
        };
        let mut to_host = self.under_way.range_mut((host, 0)..=(host, u32::MAX));
        let found = to_host.find_map(|(_, flow)| {
            let place = flow.iter().position(|(_, packet)| is_it(packet))?;
            // Those before it will not come any more: the flow's own account says whether they may be missing.
            flow.drain(..=place).next_back()
        });
        let (identity, packet) = found.ok_or_else(|| {
            format!(
                "host {host} received a packet with the header {word:#018x} that nobody sent to it"
            )
        })?;
        board.flows.receive(identity, board.tolerance)?;
        self.arrived.push(packet);
        Ok(())
    }
}

/// The beats of a packet: its header, then its payload.
fn beats(packet: &OutsidePacket, address: u32, beat_bytes: usize) -> VecDeque<StreamBeat> {
    let length = packet.payload.len() as u32;
    let mut first = StreamBeat {
        keep: mask(beat_bytes),
        last: length == 0,
        ..StreamBeat::default()
    };
    *first.data.low_mut() = packet::header(address, 0, length, packet.layer);
    let chunks = packet.payload.chunks(beat_bytes);
    let last = chunks.len();
    let rest = (1..).zip(chunks).map(|(number, bytes)| {
        let word = |index: usize| {
            let mut word = [0; 8];
            let bytes = bytes.get(8 * index..).unwrap_or_default();
            let count = bytes.len().min(8);
            word[..count].copy_from_slice(&bytes[..count]);
            u64::from_le_bytes(word)
        };
        StreamBeat {
            data: Data::from_fn(beat_bytes / 8, word),
            keep: mask(bytes.len()),
            last: number == last,
            user: false,
        }
    });
    std::iter::once(first).chain(rest).collect()
}

impl AttachedHosts for OutsideOnPins<'_> {
    fn silence(&mut self, numbers: &[u32]) {
        for &host in numbers {
            self.silenced[host as usize] = true;
        }
    }

    fn serve(&mut self, served: ServedPairs) {
        self.served = Some(served);
    }

    fn failing(&mut self) -> Vec<Part> {
        std::mem::take(&mut self.failing)
    }

    fn drive(&mut self, cycle: u64, inject: bool, groups: &mut [Group], board: &mut Scoreboard) {
        if cycle >= self.next && !self.has_stopped {
            self.exchange(cycle, board);
        }
        if !inject || self.has_stopped {
            return;
        }
        for host in 0..self.sending.len() {
            if self.sending[host].is_empty() && !self.waiting[host].is_empty() {
                self.begin(host, groups, board);
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
            if moved.taken | moved.accepted != 0 {
                self.last_beat = cycle;
            }
            for port in ones(moved.taken) {
                let host = moved.first_host + port as u32;
                let taken = self.take(host, groups, board);
                taken.map_err(|note| (host, note))?;
            }
            for port in ones(moved.accepted) {
                self.advance(moved.first_host as usize + port, groups);
            }
        }
        Ok(())
    }

    fn all_idle(&self) -> bool {
        self.sending.iter().all(VecDeque::is_empty)
    }
}

/// The network as the hosts see it in an exchange.
struct PinsSide<'a> {
    cycle: u64,
    is_idle: bool,
    waiting: &'a mut [VecDeque<OutsidePacket>],
    arrived: &'a mut Vec<OutsidePacket>,
}

impl NetworkSide for PinsSide<'_> {
    fn cycle(&self) -> u64 {
        self.cycle
    }

    fn waiting(&self, host: u32) -> usize {
        self.waiting[host as usize].len()
    }

    fn send(&mut self, packet: OutsidePacket) {
        self.is_idle = false;
        self.waiting[packet.source as usize].push_back(packet);
    }

    fn take_arrived(&mut self) -> Vec<OutsidePacket> {
        std::mem::take(self.arrived)
    }

    fn is_idle(&mut self) -> bool {
        self.is_idle && self.arrived.is_empty() && self.waiting.iter().all(VecDeque::is_empty)
    }
}
