//! The hosts of a whole network: each injects packets at the offered load, or those of a list, and takes
//! what arrives, with a pause now and then.
//!
//! Writes stream inputs only where they change. Packet contents come from the scoreboard.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use crate::cosim::lockstep::Group;
use crate::cosim::packet;
use crate::cosim::pins::{get_bits, mask, set_bits};
use crate::cosim::random::{Random, mix};
use crate::cosim::stimulus::Traffic;
use crate::design::{Addressing, Plan};

use super::identity::Identity;
use super::scoreboard::{Scoreboard, TakenBeat};
use super::supply::{SHORTEST_PAYLOAD, SentPacket, Supply};
use super::wiring::Place;

/// Longest pause of a receiving host, cycles.
const PAUSE: u64 = 16;

/// A packet on its way into the network.
#[derive(Debug, Clone, Copy)]
struct Sending {
    identity: Identity,
    address: u32,
    length: u32,
    layer: u32,
    beat: u32,
    beats: u32,
}

#[derive(Debug, Clone)]
struct Host {
    place: Place,
    port: usize,
    sending: Option<Sending>,
    /// Cycle from which on the next packet may be offered.
    next: u64,
    /// Partner under permutation traffic.
    partner: u32,
}

/// What the hosts are asked to do.
#[derive(Debug, Clone, Copy)]
pub struct Demand<'a> {
    pub traffic: Traffic,
    /// Flits that each host offers in a thousand cycles.
    pub load: u32,
    pub seed: u64,
    /// First cycle of traffic.
    pub start: u64,
    pub supply: &'a Supply,
}

/// All hosts, indexed by VM.
#[derive(Debug)]
pub struct NetworkHosts {
    hosts: Vec<Host>,
    /// Places of the adapter blocks and their first VM.
    adapters: Vec<(Place, u32)>,
    random: Random,
    /// Decides the pauses: apart, so that the same packets meet the same pauses.
    pauses: Random,
    /// Packets still to be sent by each VM, unless they are drawn.
    given: Option<Vec<VecDeque<SentPacket>>>,
    recorded: Option<Rc<RefCell<Vec<SentPacket>>>>,
    start: u64,
    traffic: Traffic,
    load: u64,
    hot: u32,
    beat_bytes: u32,
    flit_bytes: u32,
    max_flits: u32,
    layers: u32,
    longest_pause: u64,
    /// Hosts that pause, and until when.
    pausing: Vec<(u32, u64)>,
}

impl NetworkHosts {
    /// Hosts that are ready to receive, and idle until the traffic starts.
    pub fn new(plan: &Plan, places: &[Place], demand: Demand<'_>, groups: &mut [Group]) -> Self {
        let mut random = Random::branch(demand.seed, 2);
        let terminals = &plan.network.terminals;
        let partners = derangement(terminals.len(), &mut random);
        let load = u64::from(demand.load.clamp(1, 1000));
        let mut hosts: Vec<Host> = terminals
            .iter()
            .map(|terminal| Host {
                place: places[terminal.block.0 as usize],
                port: usize::from(terminal.pcie_port),
                sending: None,
                next: demand.start + random.below(16_000 / load),
                partner: partners[terminal.vm as usize] as u32,
            })
            .collect();
        let given = given_packets(demand, &mut hosts);
        hosts.iter().for_each(|host| set_ready(host, groups, true));
        let first_ports = terminals.iter().filter(|terminal| terminal.pcie_port == 0);
        let block = &plan.spec.block;
        Self {
            adapters: first_ports
                .map(|terminal| (places[terminal.block.0 as usize], terminal.vm))
                .collect(),
            hot: random.below(hosts.len() as u64) as u32,
            hosts,
            random,
            pauses: Random::branch(demand.seed, 5),
            given,
            recorded: match demand.supply {
                Supply::Recorded(list) => Some(Rc::clone(list)),
                _ => None,
            },
            start: demand.start,
            traffic: demand.traffic,
            load,
            beat_bytes: block.pcie_bits / 8,
            flit_bytes: block.flit_bits / 8,
            max_flits: block.max_packet_flits.max(2),
            layers: block.layers,
            longest_pause: match (demand.supply, block.host_timeout) {
                (Supply::Given { pauses: false, .. }, _) => 0,
                (_, 0) => PAUSE,
                (_, timeout) => PAUSE.min(u64::from(timeout) / 2),
            },
            pausing: Vec::new(),
        }
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
        self.pausing.retain(|&(vm, until)| {
            let over = cycle >= until;
            if over {
                set_ready(&hosts[vm as usize], groups, true);
            }
            !over
        });
        if !inject {
            return;
        }
        for vm in 0..self.hosts.len() {
            if cycle < self.hosts[vm].next || self.hosts[vm].sending.is_some() {
                continue;
            }
            let packet = match self.given.is_some() {
                true => self.next_given(vm),
                false => self.draw(vm, cycle, board.addressing()),
            };
            if let Some(packet) = packet {
                self.begin(packet, board);
                offer(&self.hosts[vm], self.beat_bytes, groups);
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
            let (place, first_vm) = self.adapters[index];
            let group = &mut groups[place.group];
            let (Some(ingress), Some(egress)) = (group.pins.ingress, group.pins.egress) else {
                continue;
            };
            let outputs = group.outputs_of(place.instance);
            let (ready, valid) = (outputs[ingress.ready], outputs[egress.valid]);
            let inputs = group.inputs_of(place.instance);
            let mut accepted = ready & inputs[ingress.valid];
            let mut taken = valid & inputs[egress.ready];
            while taken != 0 {
                let vm = first_vm + taken.trailing_zeros();
                taken &= taken - 1;
                self.take(cycle, vm, groups, board)
                    .map_err(|note| (vm, note))?;
            }
            while accepted != 0 {
                let vm = first_vm + accepted.trailing_zeros();
                accepted &= accepted - 1;
                self.advance(vm as usize, groups);
            }
        }
        Ok(())
    }

    /// No host is in the middle of a packet.
    pub fn all_idle(&self) -> bool {
        self.hosts.iter().all(|host| host.sending.is_none())
    }

    /// The next packet of the list; tells the host when the one after it is due.
    fn next_given(&mut self, vm: usize) -> Option<SentPacket> {
        let list = &mut self.given.as_mut()?[vm];
        let packet = list.pop_front();
        let next = list.front().map(|packet| self.start + packet.cycle);
        self.hosts[vm].next = next.unwrap_or(u64::MAX);
        packet
    }

    /// A random packet; tells the host when the one after it is due.
    fn draw(&mut self, vm: usize, cycle: u64, addressing: &Addressing) -> Option<SentPacket> {
        let destination = self.destination(vm, addressing)?;
        let random = &mut self.random;
        let longest = match random.below(8) {
            0..=3 => 3,
            4..=6 => 9,
            _ => self.max_flits,
        };
        let flits = random.between(2, u64::from(longest.min(self.max_flits))) as u32;
        let most = ((flits - 1) * self.flit_bytes).min(0x1fff);
        let least = ((flits - 2) * self.flit_bytes + 1)
            .max(SHORTEST_PAYLOAD)
            .min(most);
        let length = random.between(u64::from(least), u64::from(most)) as u32;
        let flits = 1 + length.div_ceil(self.flit_bytes);
        let gap = u64::from(flits) * (1000 - self.load) / self.load;
        self.hosts[vm].next = cycle + u64::from(flits) + random.below(2 * gap + 1);
        let packet = SentPacket {
            cycle: cycle - self.start,
            source: vm as u32,
            destination,
            length,
            // One layer a flow, because order holds within a layer.
            layer: mix((vm as u64) << 32 | u64::from(destination)) as u32 % self.layers,
        };
        if let Some(recorded) = &self.recorded {
            recorded.borrow_mut().push(packet);
        }
        Some(packet)
    }

    fn begin(&mut self, packet: SentPacket, board: &mut Scoreboard) {
        let SentPacket {
            source,
            destination,
            length,
            layer,
            ..
        } = packet;
        let address = board.addressing().destination(source, destination);
        let flits = 1 + length.div_ceil(self.flit_bytes);
        self.hosts[source as usize].sending = Some(Sending {
            identity: board.send(source, destination, flits),
            address: address.expect("a packet is sent where its source has a path"),
            length,
            layer,
            beat: 0,
            beats: 1 + length.div_ceil(self.beat_bytes),
        });
    }

    /// A VM that this one can reach. Parallel ports of terminals reach few of the
    /// others' ports: what the traffic asks for is tried first, then one after the other.
    fn destination(&mut self, vm: usize, addressing: &Addressing) -> Option<u32> {
        let wanted = self.wanted(vm);
        let count = self.hosts.len() as u32;
        (0..count)
            .map(|offset| (wanted + offset) % count)
            .find(|&to| addressing.destination(vm as u32, to).is_some())
    }

    fn wanted(&mut self, vm: usize) -> u32 {
        let count = self.hosts.len() as u64;
        match self.traffic {
            _ if count == 1 => 0,
            Traffic::Permutation => self.hosts[vm].partner,
            Traffic::Hotspot if self.random.chance(500) => self.hot,
            _ => ((vm as u64 + 1 + self.random.below(count - 1)) % count) as u32,
        }
    }

    fn advance(&mut self, vm: usize, groups: &mut [Group]) {
        let host = &mut self.hosts[vm];
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
        vm: u32,
        groups: &mut [Group],
        board: &mut Scoreboard,
    ) -> Result<(), String> {
        let host = &self.hosts[vm as usize];
        let group = &groups[host.place.group];
        let pins = &group.pins;
        let Some(egress) = pins.egress else {
            return Ok(());
        };
        let outputs = group.outputs_of(host.place.instance);
        let bytes = self.beat_bytes as usize;
        let first = egress.data + host.port * pins.beat_words;
        let beat = TakenBeat {
            data: &outputs[first..first + pins.beat_words],
            keep: get_bits(&outputs[egress.keep..], host.port * bytes, bytes),
            last: outputs[egress.last] >> host.port & 1 == 1,
            user: outputs[egress.user] >> host.port & 1 == 1,
        };
        board.take(vm, beat)?;
        if self.longest_pause > 0 && self.pauses.below(64) == 0 {
            let until = cycle + 1 + self.pauses.between(1, self.longest_pause);
            self.pausing.push((vm, until));
            set_ready(&self.hosts[vm as usize], groups, false);
        }
        Ok(())
    }
}

/// The packets of a given supply by VM, and the hosts told when their first one is due.
fn given_packets(demand: Demand<'_>, hosts: &mut [Host]) -> Option<Vec<VecDeque<SentPacket>>> {
    let Supply::Given { packets, .. } = demand.supply else {
        return None;
    };
    let mut lists = vec![VecDeque::new(); hosts.len()];
    for packet in packets {
        lists[packet.source as usize].push_back(*packet);
    }
    for (host, list) in hosts.iter_mut().zip(&lists) {
        host.next = (list.front()).map_or(u64::MAX, |packet| demand.start + packet.cycle);
    }
    Some(lists)
}

/// A random order in which nobody keeps its own place (unless there is only one).
fn derangement(count: usize, random: &mut Random) -> Vec<usize> {
    let mut order = random.permutation(count);
    for place in 0..count {
        if order[place] == place {
            order.swap(place, (place + 1) % count);
        }
    }
    order
}

fn set_ready(host: &Host, groups: &mut [Group], ready: bool) {
    let group = &mut groups[host.place.group];
    let Some(egress) = group.pins.egress else {
        return;
    };
    let word = &mut group.inputs_of(host.place.instance)[egress.ready];
    *word = *word & !(1 << host.port) | u64::from(ready) << host.port;
}

/// Puts the current beat of a host on the pins, or nothing.
fn offer(host: &Host, beat_bytes: u32, groups: &mut [Group]) {
    let group = &mut groups[host.place.group];
    let Some(ingress) = group.pins.ingress else {
        return;
    };
    let (words, port, bytes) = (group.pins.beat_words, host.port, beat_bytes as usize);
    let inputs = group.inputs_of(host.place.instance);
    let first = ingress.data + port * words;
    let (mut data, mut keep, mut last) = ([0; 8], 0, false);
    if let Some(sending) = &host.sending {
        last = sending.beat + 1 == sending.beats;
        keep = mask(bytes);
        if sending.beat == 0 {
            data[0] = packet::header(sending.address, 0, sending.length, sending.layer);
        } else {
            let before = (sending.beat - 1) * beat_bytes;
            for (place, word) in data[..words].iter_mut().enumerate() {
                *word = sending
                    .identity
                    .payload(u64::from(before / 8) + place as u64);
            }
            keep = mask((sending.length - before).min(beat_bytes) as usize);
        }
    }
    inputs[first..first + words].copy_from_slice(&data[..words]);
    set_bits(&mut inputs[ingress.keep..], port * bytes, bytes, keep);
    let valid = u64::from(host.sending.is_some());
    inputs[ingress.valid] = inputs[ingress.valid] & !(1 << port) | valid << port;
    inputs[ingress.last] = inputs[ingress.last] & !(1 << port) | u64::from(last) << port;
}
