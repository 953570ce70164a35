//! Hosts outside at the ports of the fast model. It moves flits without their contents, so payloads wait here for the
//! delivery of their packets.

use std::collections::VecDeque;

use crate::fabric::Fabric;
use crate::switch_core::KeySet;
use mkns_traffic::{
    Addresses, EXCHANGE_CYCLES, NetworkSide, OutsideHosts, OutsidePacket, OutsideTotals, Packet,
    Requests,
};

/// A packet carries its number in its second flit.
const LEAST_FLITS: u32 = 2;

/// Packets of one host.
#[derive(Debug, Default)]
struct Sent {
    /// Not yet begun, oldest first.
    waiting: VecDeque<OutsidePacket>,
    /// Begun, with their numbers, which ascend.
    under_way: VecDeque<(u32, OutsidePacket)>,
    /// Packets begun so far.
    begun: u32,
}

/// The hosts outside, and the packets that they have in the network.
pub struct OutsideTraffic<'a> {
    hosts: &'a mut dyn OutsideHosts,
    sent: Vec<Sent>,
    /// Packets that have not begun, of all hosts.
    waiting: usize,
    arrived: Vec<OutsidePacket>,
    /// Bytes of a flit.
    flit_bytes: usize,
    /// Cycle of the next exchange.
    next: u64,
    pub totals: OutsideTotals,
    /// Nothing more is to be sent.
    pub has_stopped: bool,
}

impl<'a> OutsideTraffic<'a> {
    /// At the ports of a network with this many hosts.
    pub fn new(hosts: &'a mut dyn OutsideHosts, count: u32, flit_bits: u32) -> Self {
        Self {
            hosts,
            sent: (0..count).map(|_| Sent::default()).collect(),
            waiting: 0,
            arrived: Vec::new(),
            flit_bytes: flit_bits as usize / 8,
            next: 0,
            totals: OutsideTotals::default(),
            has_stopped: false,
        }
    }

    /// Lets the hosts take and send, if it is time.
    pub fn exchange<K: KeySet>(&mut self, fabric: &mut Fabric<K>) -> Requests {
        if fabric.now() < self.next || self.has_stopped {
            return Requests::default();
        }
        self.next = fabric.now() + EXCHANGE_CYCLES;
        self.note_begun(fabric);
        let mut side = FabricSide {
            fabric,
            sent: &mut self.sent,
            waiting: &mut self.waiting,
            arrived: &mut self.arrived,
            flit_bytes: self.flit_bytes,
            withdrawn: &mut self.totals.withdrawn,
        };
        let requests = self.hosts.exchange(&mut side);
        self.has_stopped = requests.stop;
        requests
    }

    /// The packet with this number arrived; one marked bad goes no further.
    pub fn deliver<K: KeySet>(
        &mut self,
        fabric: &Fabric<K>,
        (source, number): (u32, u32),
        bad: bool,
    ) {
        if self.sent[source as usize]
            .under_way
            .back()
            .is_none_or(|(last, _)| *last < number)
        {
            self.note_begun(fabric);
        }
        let under_way = &mut self.sent[source as usize].under_way;
        let place = under_way.binary_search_by_key(&number, |(number, _)| *number);
        let packet = place.ok().and_then(|place| under_way.remove(place));
        match packet {
            Some(_) if bad => self.totals.bad += 1,
            Some((_, packet)) => {
                self.totals.received += 1;
                self.arrived.push(packet);
            }
            None => self.totals.bad += u64::from(bad),
        }
    }

    /// Routes have changed: what has not begun and has no route is withdrawn, as the sources do.
    pub fn serve<K: KeySet>(&mut self, fabric: &Fabric<K>, addresses: &Addresses) {
        self.note_begun(fabric);
        for sent in &mut self.sent {
            let before = sent.waiting.len();
            sent.waiting
                .retain(|packet| addresses.has_path(packet.source, packet.destination));
            let withdrawn = before - sent.waiting.len();
            self.waiting -= withdrawn;
            self.totals.withdrawn += withdrawn as u64;
        }
    }

    /// The run is over and nothing moves any more: what has not arrived is lost.
    pub fn conclude<K: KeySet>(&mut self, fabric: &Fabric<K>) {
        self.note_begun(fabric);
        let sent = self.sent.iter();
        self.totals.sent = sent.clone().map(|sent| u64::from(sent.begun)).sum();
        self.totals.withdrawn += sent.map(|sent| sent.waiting.len() as u64).sum::<u64>();
        let arrived = self.totals.received + self.totals.bad;
        self.totals.lost = self.totals.sent - arrived;
        self.hosts.conclude(std::mem::take(&mut self.arrived));
    }

    /// Numbers the packets that have begun.
    fn note_begun<K: KeySet>(&mut self, fabric: &Fabric<K>) {
        if self.waiting == 0 {
            return;
        }
        for source in fabric.sources() {
            let sent = &mut self.sent[source.host() as usize];
            while sent.begun < source.begun() {
                let packet = sent
                    .waiting
                    .pop_front()
                    .expect("only what waited has begun");
                sent.begun += 1;
                sent.under_way.push_back((sent.begun, packet));
                self.waiting -= 1;
            }
        }
    }
}

/// The network as the hosts see it in an exchange.
struct FabricSide<'a, K: KeySet> {
    fabric: &'a mut Fabric<K>,
    sent: &'a mut [Sent],
    waiting: &'a mut usize,
    arrived: &'a mut Vec<OutsidePacket>,
    flit_bytes: usize,
    withdrawn: &'a mut u64,
}

impl<K: KeySet> NetworkSide for FabricSide<'_, K> {
    fn cycle(&self) -> u64 {
        self.fabric.now()
    }

    fn waiting(&self, host: u32) -> usize {
        self.sent[host as usize].waiting.len()
    }

    fn send(&mut self, packet: OutsidePacket) {
        let flits = 1 + packet.payload.len().div_ceil(self.flit_bytes) as u32;
        let created = self.fabric.now();
        let source = self.fabric.source_mut(packet.source);
        let is_sent = source.add(Packet {
            destination: packet.destination,
            flits: flits.max(LEAST_FLITS),
            created,
        });
        match is_sent {
            true => {
                self.sent[packet.source as usize].waiting.push_back(packet);
                *self.waiting += 1;
            }
            false => *self.withdrawn += 1,
        }
    }

    fn take_arrived(&mut self) -> Vec<OutsidePacket> {
        std::mem::take(self.arrived)
    }

    fn is_idle(&mut self) -> bool {
        *self.waiting == 0 && self.arrived.is_empty() && self.fabric.is_at_rest()
    }
}
