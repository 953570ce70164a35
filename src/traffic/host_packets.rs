//! What the hosts of a lockstep send and when: packets drawn at the offered load, or those of a list.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use mkns_design::{Addressing, Plan};
use mkns_random::{Random, mix};
use mkns_routing::ServedPairs;

use super::partners::derangement;
use super::{Destinations, OfferedPackets, Pattern, SHORTEST_PAYLOAD, SentPacket};

/// What the hosts are asked to do.
#[derive(Debug, Clone, Copy)]
pub struct Demand<'a> {
    /// One of [`Pattern::LOCKSTEP`]; the seed chooses the hot host.
    pub traffic: Pattern,
    /// Flits that each host offers in a thousand cycles.
    pub load: u32,
    pub seed: u64,
    /// First cycle of traffic.
    pub start: u64,
    pub offered: &'a OfferedPackets,
}

/// The packets of all hosts. What all of them are asked in every cycle stands side by side.
#[derive(Debug)]
pub struct HostPackets {
    /// Cycle from which on the next packet may be offered, by host.
    due: Vec<u64>,
    destinations: Destinations,
    random: Random,
    /// Packets still to be sent by each host, unless they are drawn.
    given: Option<Vec<VecDeque<SentPacket>>>,
    recorded: Option<Rc<RefCell<Vec<SentPacket>>>>,
    start: u64,
    load: u64,
    flit_bytes: u32,
    max_flits: u32,
    layers: u32,
    /// By host: whether it sends no more.
    silent: Vec<bool>,
    /// The pairs that packets are drawn for; all that have a path where nobody says.
    served: Option<ServedPairs>,
}

impl HostPackets {
    /// One of a plan's hosts together.
    pub fn new(plan: &Plan, demand: Demand<'_>) -> Self {
        let mut random = Random::branch(demand.seed, 2);
        let count = plan.network.hosts.len();
        let partners = derangement(count as u32, &mut random);
        let load = u64::from(demand.load.clamp(1, 1000));
        let mut due: Vec<u64> = (0..count)
            .map(|_| demand.start + random.below(16_000 / load))
            .collect();
        let given = given_packets(demand, &mut due);
        let host = random.below(count as u64) as u32;
        let destinations = match demand.traffic {
            // Nobody sends to itself, which would tell nothing of the network.
            Pattern::Uniform => Destinations::Others,
            Pattern::Permutation => Destinations::Fixed(partners.into()),
            Pattern::HotSpot { share, .. } => Destinations::HotSpot { host, share },
            other => unreachable!("{} is no pattern of a lockstep", other.name()),
        };
        let block = &plan.spec.block;
        Self {
            due,
            destinations,
            random,
            given,
            recorded: match demand.offered {
                OfferedPackets::Recorded(list) => Some(Rc::clone(list)),
                _ => None,
            },
            start: demand.start,
            load,
            flit_bytes: block.flit_bits / 8,
            max_flits: block.max_packet_flits.max(2),
            layers: block.host_layers(),
            silent: vec![false; count],
            served: None,
        }
    }

    /// Flits of a packet with this many bytes of payload.
    pub fn flits(&self, length: u32) -> u32 {
        flits_of(length, self.flit_bytes)
    }

    /// Whether the next packet of a host may be offered in `cycle`.
    #[inline]
    pub fn is_due(&self, host: usize, cycle: u64) -> bool {
        self.due[host] <= cycle && !self.silent[host]
    }

    /// These hosts send no more.
    pub fn silence(&mut self, hosts: &[u32]) {
        hosts
            .iter()
            .for_each(|&host| self.silent[host as usize] = true);
    }

    /// From now on packets are drawn for these pairs only.
    pub fn serve(&mut self, served: ServedPairs) {
        self.served = Some(served);
    }

    /// The next packet of a host, if it has one; notes when the one after it is due.
    pub fn next(&mut self, host: usize, cycle: u64, addressing: &Addressing) -> Option<SentPacket> {
        match self.given.is_some() {
            true => self.next_given(host),
            false => self.draw(host, cycle, addressing),
        }
    }

    fn next_given(&mut self, host: usize) -> Option<SentPacket> {
        let list = &mut self.given.as_mut()?[host];
        let packet = list.pop_front();
        let next = list.front().map(|packet| self.start + packet.cycle);
        self.due[host] = next.unwrap_or(u64::MAX);
        packet
    }

    fn draw(&mut self, host: usize, cycle: u64, addressing: &Addressing) -> Option<SentPacket> {
        let destination = self.destination(host, addressing)?;
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
        let flits = flits_of(length, self.flit_bytes);
        let gap = u64::from(flits) * (1000 - self.load) / self.load;
        self.due[host] = cycle + u64::from(flits) + random.below(2 * gap + 1);
        let packet = SentPacket {
            cycle: cycle - self.start,
            source: host as u32,
            destination,
            length,
            // One layer a flow, because order holds within a layer.
            layer: mix((host as u64) << 32 | u64::from(destination)) as u32 % self.layers,
        };
        if let Some(recorded) = &self.recorded {
            recorded.borrow_mut().push(packet);
        }
        Some(packet)
    }

    /// A host that this one can reach. Parallel ports of terminals reach few of the
    /// others' ports: what the traffic asks for is tried first, then one after the other.
    fn destination(&mut self, host: usize, addressing: &Addressing) -> Option<u32> {
        let count = self.due.len() as u32;
        let wanted = match count {
            1 => 0,
            _ => (self.destinations).draw(host as u32, count, 0, &mut self.random),
        };
        let served = self.served.as_ref();
        let serves = |to: u32| served.is_none_or(|served| served.has(host as u32, to));
        (0..count)
            .map(|offset| (wanted + offset) % count)
            .find(|&to| serves(to) && addressing.destination(host as u32, to).is_some())
    }
}

/// The packets of a given offered by host, and the hosts told when their first one is due.
fn given_packets(demand: Demand<'_>, due: &mut [u64]) -> Option<Vec<VecDeque<SentPacket>>> {
    let OfferedPackets::Given { packets, .. } = demand.offered else {
        return None;
    };
    let mut lists = vec![VecDeque::new(); due.len()];
    for packet in packets {
        lists[packet.source as usize].push_back(*packet);
    }
    for (due, list) in due.iter_mut().zip(&lists) {
        *due = (list.front()).map_or(u64::MAX, |packet| demand.start + packet.cycle);
    }
    Some(lists)
}

fn flits_of(length: u32, flit_bytes: u32) -> u32 {
    1 + length.div_ceil(flit_bytes)
}
