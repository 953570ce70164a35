//! The reference network with the hosts of a simulation: they offer beat by beat what their sources
//! have, and take every beat at once.

use super::changes::{Change, Changes};
use crate::fabric::Arrived;
use crate::fabric::probe::{Arrival, Delivery, Seen};
use mkns_design::{Pins, Plan, RouteSource, get_bits, mask, ones};
use mkns_golden::Network;
use mkns_topology::BlockId;
use mkns_traffic::{Destinations, Packet, Shared, SourceOnPins, Traffic};

pub struct Driven {
    network: Network,
    /// By block.
    pins: Vec<Pins>,
    /// By host.
    hosts: Vec<SourceOnPins>,
    shared: Shared,
    reacts: bool,
    /// Blocks are adaptive: hosts send unordered packets, as those of a simulation do.
    is_adaptive: bool,
    /// By host, whether the beat on its pins follows a header.
    in_packet: Vec<bool>,
    /// Cycles after which a host learns of a delivery.
    reaction: u64,
}

impl Driven {
    /// All blocks in their reset state, a cycle before the first.
    pub fn new(plan: &Plan, traffic: &Traffic) -> Self {
        let (hosts, shared) = traffic.hosts(plan);
        let instances = plan.instances.iter();
        let mut driven = Self {
            network: Network::new(plan, RouteSource::Tables),
            pins: instances
                .map(|instance| Pins::new(&plan.modules[instance.module]))
                .collect(),
            is_adaptive: plan.spec.block.adaptive,
            in_packet: vec![false; hosts.len()],
            hosts,
            shared,
            reacts: traffic.reacts(),
            reaction: 1 + u64::from(plan.spec.block.link_latency),
        };
        for SourceOnPins { at, .. } in &driven.hosts {
            let pins = &driven.pins[at.block.0 as usize];
            let inputs = driven.network.inputs_mut(at.block);
            pins.set_ready(&pins.egress, inputs, at.pcie_port.into(), true);
        }
        // Simulations begin with ingress ports that are ready, a cycle after reset.
        driven.network.step();
        driven
    }

    /// Packets may get lost.
    pub fn number_packets(&mut self) {
        let hosts = self.hosts.iter_mut();
        hosts.for_each(|host| host.source.number_packets());
    }

    /// What changes in this cycle, and the pins of the control ports for what is written later.
    pub fn change(&mut self, plan: &Plan, changes: &Changes, cycle: u64) {
        for change in changes.at(cycle) {
            match *change {
                Change::Cut(cable) => self
                    .network
                    .set_cable_up(&plan.network.cables[cable], false),
                Change::Write(block, ..) => self.offer_write(block, None),
            }
        }
        // A write is offered, taken in the next cycle, and holds in the one after that.
        for ahead in [1, 2] {
            for change in changes.at(cycle + ahead) {
                if let Change::Write(block, address, value, _) = *change {
                    self.offer_write(block, Some((address, value)));
                }
            }
        }
    }

    fn offer_write(&mut self, block: BlockId, write: Option<(u32, u32)>) {
        let at = self.pins[block.0 as usize].control_in;
        let words = self.network.inputs_mut(block);
        words[at.awvalid] = u64::from(write.is_some());
        words[at.wvalid] = words[at.awvalid];
        (words[at.bready], words[at.wstrb]) = (1, 15);
        if let Some((address, value)) = write {
            (words[at.awaddr], words[at.wdata]) = (address.into(), value.into());
        }
    }

    /// A cycle; adds what is on the link pins in it and what hosts receive.
    pub fn step(&mut self, cycle: u64, seen: &mut Vec<Seen>, received: &mut Vec<Delivery>) {
        for block in 0..self.pins.len() {
            self.look(cycle, block, seen);
        }
        for host in &mut self.hosts {
            let block = host.at.block;
            let pins = &self.pins[block.0 as usize];
            host.drive(cycle, pins, self.network.inputs_mut(block));
        }
        self.allow_overtaking();
        self.network.step();
        for host in 0..self.hosts.len() {
            self.note_beat(host);
            let host = &mut self.hosts[host];
            let block = host.at.block;
            let pins = &self.pins[block.0 as usize];
            if let Some(packet) = host.observe(pins, self.network.outputs(block)) {
                let delivery = Delivery {
                    cycle,
                    host: host.at.host,
                    header: packet.header,
                    number: packet.number,
                    bad: packet.bad,
                };
                received.push(delivery);
                self.react(&delivery);
            }
        }
    }

    /// Headers on the pins of hosts ask for no order, in adaptive networks.
    fn allow_overtaking(&mut self) {
        for (host, in_packet) in self.hosts.iter().zip(&self.in_packet) {
            let pins = &self.pins[host.at.block.0 as usize];
            let words = self.network.inputs_mut(host.at.block);
            let port = usize::from(host.at.pcie_port);
            let is_offered = words[pins.ingress.valid] >> port & 1 == 1;
            if self.is_adaptive && is_offered && !in_packet {
                words[pins.ingress.data + port * pins.beat_words] |= 1 << 56;
            }
        }
    }

    /// The beat on the pins of a host was taken, or not.
    fn note_beat(&mut self, number: usize) {
        let at = self.hosts[number].at;
        let (pins, port) = (&self.pins[at.block.0 as usize], usize::from(at.pcie_port));
        let is_ready = self.network.outputs(at.block)[pins.ingress.ready] >> port & 1 == 1;
        let words = self.network.inputs_mut(at.block);
        if is_ready && words[pins.ingress.valid] >> port & 1 == 1 {
            self.in_packet[number] = words[pins.ingress.last] >> port & 1 == 0;
        }
    }

    /// What differs from reset in a block.
    pub fn describe(&self, block: u32) -> String {
        self.network.describe(BlockId(block))
    }

    /// What is on the link pins of a block.
    fn look(&mut self, cycle: u64, block: usize, seen: &mut Vec<Seen>) {
        let pins = &self.pins[block];
        let words = self.network.inputs_mut(BlockId(block as u32));
        let mut see = |port: usize, what| {
            seen.push(Seen {
                cycle,
                block: block as u32,
                port: port as u8,
                what,
            });
        };
        for port in ones(words[pins.rx.valid]) {
            let (channel, word, last) = pins.flit(&pins.rx, words, port);
            let what = Arrival::Flit {
                channel: channel as u8,
                last,
                bad: words[pins.rx.bad] >> port & 1 == 1,
                word: word & mask(56),
            };
            see(port, what);
        }
        let credits = pins.ports * pins.channels;
        let credit_words = &words[pins.tx_credit..][..credits.div_ceil(64)];
        if credit_words.iter().all(|&word| word == 0) {
            return;
        }
        for bit in (0..credits).filter(|&bit| get_bits(credit_words, bit, 1) == 1) {
            let channel = (bit % pins.channels) as u8;
            see(bit / pins.channels, Arrival::Credit { channel });
        }
    }

    /// Hosts may send because of a delivery.
    fn react(&mut self, delivery: &Delivery) {
        let arrived = Arrived::of(&self.shared.addresses, delivery);
        let sender = &mut self.hosts[arrived.source as usize].source;
        if sender.has_numbers() {
            // Nothing reacts to packets that may get lost.
            sender.arrived(arrived.number);
            return;
        }
        let packet = sender.delivered(arrived.destination);
        let packet = packet.expect("only packets that were sent arrive");
        if !self.reacts {
            return;
        }
        let created = arrived.cycle + self.reaction;
        sender.free_window(created);
        if let Destinations::Broadcast(children) = &self.shared.destinations {
            for &destination in &children[arrived.destination as usize] {
                let source = &mut self.hosts[arrived.destination as usize].source;
                source.add(Packet {
                    destination,
                    flits: packet.flits,
                    created,
                });
            }
        }
    }
}
