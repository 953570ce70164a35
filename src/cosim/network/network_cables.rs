//! The cables of a network in packed words: what leaves one block in cycle t enters its neighbour
//! in cycle t + L.
//!
//! Moves flits and credits of the device under test only; the golden models get the same inputs, so
//! that a difference shows at the block that makes it. Counts the credits of every channel.

use crate::lockstep::Group;
use crate::open_packets::OpenPackets;
use mkns_design::{Pins, Plan, mask, ones, serial_ports, set_bits};
use mkns_topology::{Block, BlockId, Cable, End, Network, PortIndex};

use super::fault_plan::Arrival;
use super::group_slot::GroupSlot;
use super::plugs::PlugChange;
use super::protocol_violation::{ProtocolViolation, ViolationKind};
use super::serial_cables::SerialCables;

/// The other ends of a port: where its flits go and where its credits go, the end that it receives
/// from. They differ on one-way cables.
#[derive(Debug, Clone, Copy)]
struct Peers {
    flits: Option<Peer>,
    credits: Option<Peer>,
}

/// The other end of a cable.
#[derive(Debug, Clone, Copy)]
struct Peer {
    place: GroupSlot,
    block: u32,
    port: u8,
}

/// Something on a wire, addressed to the pins that it will reach.
#[derive(Debug, Clone)]
struct Event {
    to: Peer,
    /// Channel of a flit; unused for credits.
    channel: u8,
    last: bool,
    bad: bool,
    /// Credit pulses by channel; 0 for a flit.
    credits: u64,
    data: [u64; 8],
}

pub struct NetworkCables {
    places: Vec<GroupSlot>,
    /// Neighbours of each port, by block and port.
    peers: Vec<Vec<Peers>>,
    /// Events on the wires; its length is L.
    ring: Vec<Vec<Event>>,
    next: usize,
    /// What stands on the input pins now and has to be cleared.
    applied: Vec<Event>,
    wires: Vec<OpenPackets>,
    /// Credits spent and not yet returned, by block, port and channel.
    outstanding: Vec<Vec<[u32; 4]>>,
    credit_limit: u32,
    in_use: u64,
    flits: u64,
    pub serial: SerialCables,
}

impl NetworkCables {
    /// The cables of a plan whose blocks are at `places`; sets `link_up`.
    pub fn new(plan: &Plan, places: &[GroupSlot], groups: &mut [Group]) -> Self {
        let mut peers = find_peers(plan, places);
        // Words of serial cables are moved apart.
        for (ports, serial) in peers
            .iter_mut()
            .zip(serial_ports(&plan.spec, &plan.network))
        {
            for (port, peers) in ports.iter_mut().enumerate() {
                if serial >> port & 1 == 1 {
                    (peers.flits, peers.credits) = (None, None);
                }
            }
        }
        for (place, ports) in places.iter().zip(&peers) {
            let used = |peers: &Peers| peers.flits.is_some() || peers.credits.is_some();
            let used = ports.iter().enumerate().filter(|(_, peers)| used(peers));
            let up = used.fold(0u64, |up, (port, _)| up | 1 << port);
            let group = &mut groups[place.group];
            let word = group.pins.link_up;
            group.inputs_of(place.instance)[word] = up;
        }
        let wires = places
            .iter()
            .map(|place| OpenPackets::new(&groups[place.group].pins));
        let ports = |block: &Block| vec![[0; 4]; usize::from(block.network_ports)];
        Self {
            wires: wires.collect(),
            places: places.to_vec(),
            peers,
            ring: vec![Vec::new(); plan.spec.block.link_latency as usize],
            next: 0,
            applied: Vec::new(),
            outstanding: plan.network.blocks.iter().map(ports).collect(),
            credit_limit: plan.spec.block.rx_buffer_flits,
            in_use: 0,
            flits: 0,
            serial: SerialCables::new(plan, places, groups),
        }
    }

    /// Takes this cycle's outputs and sets the link inputs of the next cycle.
    pub fn transfer(&mut self, groups: &mut [Group]) -> Result<(), ProtocolViolation> {
        let mut leaving = std::mem::take(&mut self.ring[self.next]);
        leaving.clear();
        for block in 0..self.places.len() {
            self.collect(block, groups, &mut leaving)?;
        }
        self.ring[self.next] = leaving;
        self.next = (self.next + 1) % self.ring.len();
        for event in &self.applied {
            clear(event, groups);
        }
        std::mem::swap(&mut self.applied, &mut self.ring[self.next]);
        for event in &self.applied {
            apply(event, groups);
        }
        for end in self.serial.transfer(groups)? {
            // The rest of what stood begun never comes.
            let wires = &mut self.wires[end.block.0 as usize];
            let channels = groups[self.places[end.block.0 as usize].group]
                .pins
                .channels;
            for channel in 0..channels {
                wires.wire(usize::from(end.port.0), channel).flits = 0;
            }
        }
        Ok(())
    }

    /// Sets `link_up` at both ends of a cable. At a repair, returns how many packets stand begun on
    /// its outputs: their rest never comes.
    pub fn set_cable_up(&mut self, cable: &Cable, up: bool, groups: &mut [Group]) -> u64 {
        if self.serial.has(cable) {
            self.serial.plug(cable, up);
            return 0;
        }
        let mut cut = 0;
        for end in [cable.a, cable.b] {
            let place = self.places[end.block.0 as usize];
            let port = usize::from(end.port.0);
            let group = &mut groups[place.group];
            let (word, channels) = (group.pins.link_up, group.pins.channels);
            let links = &mut group.inputs_of(place.instance)[word];
            *links = *links & !(1 << port) | u64::from(up) << port;
            for channel in 0..channels {
                let wire = self.wires[end.block.0 as usize].wire(port, channel);
                if up && wire.flits > 0 {
                    wire.flits = 0;
                    cut += 1;
                }
            }
        }
        cut
    }

    /// How many packets stand begun on the outputs of a cable that stays down: their rest never comes.
    pub fn abandon(&mut self, cable: &Cable, groups: &[Group]) -> u64 {
        if self.serial.has(cable) {
            return 0;
        }
        let mut cut = 0;
        for end in [cable.a, cable.b] {
            let channels = groups[self.places[end.block.0 as usize].group]
                .pins
                .channels;
            for channel in 0..channels {
                let wires = &mut self.wires[end.block.0 as usize];
                let wire = wires.wire(usize::from(end.port.0), channel);
                cut += u64::from(std::mem::take(&mut wire.flits) > 0);
            }
        }
        cut
    }

    /// Somebody is at the plugs of serial cables.
    pub fn move_plug(&mut self, network: &Network, change: PlugChange) {
        let cable = |number: u32| &network.cables[number as usize];
        match change {
            PlugChange::Plug {
                cable: number,
                is_in,
            } => self.serial.plug(cable(number), is_in),
            PlugChange::Swap(cables) => self.serial.swap(cables.map(cable)),
        }
    }

    /// Flits on the input pins in this cycle.
    pub fn arrivals(&self) -> impl Iterator<Item = Arrival> {
        let flits = self.applied.iter().filter(|event| event.credits == 0);
        flits.map(|event| Arrival {
            at: End {
                block: BlockId(event.to.block),
                port: PortIndex(event.to.port),
            },
            channel: usize::from(event.channel),
            last: event.last,
        })
    }

    /// Nothing is on any wire or input pin.
    pub fn is_quiet(&self) -> bool {
        let is_still = self.applied.is_empty() && self.ring.iter().all(Vec::is_empty);
        is_still && self.serial.are_quiet()
    }

    /// What the channels of a block's outputs carry.
    pub fn wires(&mut self, block: usize) -> &mut OpenPackets {
        &mut self.wires[block]
    }

    /// Credits that are not at home.
    pub fn credits_in_use(&self) -> u64 {
        self.in_use + self.serial.credits_in_use()
    }

    /// Flits that have crossed a cable.
    pub fn flits(&self) -> u64 {
        self.flits + self.serial.flits()
    }

    #[inline]
    fn collect(
        &mut self,
        block: usize,
        groups: &[Group],
        leaving: &mut Vec<Event>,
    ) -> Result<(), ProtocolViolation> {
        let place = self.places[block];
        let group = &groups[place.group];
        let (pins, outputs) = (&group.pins, group.outputs_of(place.instance));
        for port in ones(outputs[pins.tx.valid]) {
            let (channel, word, last) = pins.flit(&pins.tx, outputs, port);
            self.wires[block].wire(port, channel).flit(word, last);
            let Some(peer) = self.peers[block][port].flits else {
                continue;
            };
            self.spend(block, port, channel)?;
            let mut data = [0; 8];
            let first = pins.tx.data + port * pins.flit_words;
            data[..pins.flit_words].copy_from_slice(&outputs[first..first + pins.flit_words]);
            leaving.push(Event {
                to: peer,
                channel: channel as u8,
                last,
                bad: outputs[pins.tx.bad] >> port & 1 == 1,
                credits: 0,
                data,
            });
        }
        for (port, pulses) in credits_given(pins, outputs) {
            let Some(peer) = self.peers[block][port].credits else {
                continue;
            };
            self.give_back(peer, pulses)?;
            leaving.push(Event {
                to: peer,
                channel: 0,
                last: false,
                bad: false,
                credits: pulses,
                data: [0; 8],
            });
        }
        Ok(())
    }

    fn spend(
        &mut self,
        block: usize,
        port: usize,
        channel: usize,
    ) -> Result<(), ProtocolViolation> {
        let spent = &mut self.outstanding[block][port][channel];
        *spent += 1;
        self.in_use += 1;
        self.flits += 1;
        if *spent <= self.credit_limit {
            return Ok(());
        }
        Err(ProtocolViolation {
            block: BlockId(block as u32),
            port: port as u8,
            channel,
            kind: ViolationKind::NoCredit,
        })
    }

    fn give_back(&mut self, to: Peer, pulses: u64) -> Result<(), ProtocolViolation> {
        let counts = &mut self.outstanding[to.block as usize][usize::from(to.port)];
        for (channel, spent) in counts.iter_mut().enumerate() {
            if pulses >> channel & 1 == 0 {
                continue;
            }
            if *spent == 0 {
                return Err(ProtocolViolation {
                    block: BlockId(to.block),
                    port: to.port,
                    channel,
                    kind: ViolationKind::StrayCredit,
                });
            }
            *spent -= 1;
            self.in_use -= 1;
        }
        Ok(())
    }
}

/// Ports whose senders get credits in a cycle, and the channels that they are for. V divides 64: those
/// of a port lie in one word.
#[inline]
fn credits_given<'a>(
    pins: &Pins,
    outputs: &'a [u64],
) -> impl Iterator<Item = (usize, u64)> + use<'a> {
    let channels = pins.channels;
    let words = (pins.ports * channels).div_ceil(64);
    let words = outputs[pins.rx_credit..][..words].iter().enumerate();
    words.flat_map(move |(number, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            let first = left.trailing_zeros() as usize & !(channels - 1);
            let pulses = left >> first & mask(channels);
            left &= !(pulses << first);
            Some(((number * 64 + first) >> channels.trailing_zeros(), pulses))
        })
    })
}

fn find_peers(plan: &Plan, places: &[GroupSlot]) -> Vec<Vec<Peers>> {
    let index = plan.network.index();
    let peer = |end: End| Peer {
        place: places[end.block.0 as usize],
        block: end.block.0,
        port: end.port.0,
    };
    let peers = |block: BlockId, port: u8| {
        let port = PortIndex(port);
        let own = End { block, port };
        Peers {
            flits: index.peer(own).map(peer),
            credits: index.receives_from(own).map(|link| peer(link.peer)),
        }
    };
    let ports = |id: BlockId| {
        let count = plan.network.block(id).network_ports;
        (0..count).map(|port| peers(id, port)).collect()
    };
    plan.network.block_ids().map(ports).collect()
}

fn apply(event: &Event, groups: &mut [Group]) {
    let group = &mut groups[event.to.place.group];
    let (channels, channel_bits) = (group.pins.channels, group.pins.channel_bits);
    let (rx, words, credit) = (group.pins.rx, group.pins.flit_words, group.pins.tx_credit);
    let port = usize::from(event.to.port);
    let inputs = group.inputs_of(event.to.place.instance);
    if event.credits != 0 {
        let bit = port * channels;
        inputs[credit + bit / 64] |= event.credits << (bit % 64);
        return;
    }
    inputs[rx.valid] |= 1 << port;
    inputs[rx.last] |= u64::from(event.last) << port;
    inputs[rx.bad] |= u64::from(event.bad) << port;
    let channel = u64::from(event.channel);
    set_bits(
        &mut inputs[rx.channel..],
        port * channel_bits,
        channel_bits,
        channel,
    );
    let first = rx.data + port * words;
    inputs[first..first + words].copy_from_slice(&event.data[..words]);
}

/// Takes an event off the pins again. Words shared by ports are cleared whole: everything on them
/// is one cycle old.
fn clear(event: &Event, groups: &mut [Group]) {
    let group = &mut groups[event.to.place.group];
    let (rx, words, credit) = (group.pins.rx, group.pins.flit_words, group.pins.tx_credit);
    let credit_words = (group.pins.ports * group.pins.channels).div_ceil(64);
    let inputs = group.inputs_of(event.to.place.instance);
    if event.credits != 0 {
        inputs[credit..credit + credit_words].fill(0);
        return;
    }
    for word in [rx.valid, rx.channel, rx.last, rx.bad] {
        inputs[word] = 0;
    }
    let first = rx.data + usize::from(event.to.port) * words;
    inputs[first..first + words].fill(0);
}
