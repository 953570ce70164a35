//! Runs a schedule on a network: hands its messages to the hosts as packets when they may leave, and learns from the
//! deliveries what may happen next.

use std::collections::{HashMap, VecDeque};

use serde::Serialize;
use thiserror::Error;

use super::chain::{ChainStep, slowest_chain};
use super::progress::Progress;
use crate::fabric::{Fabric, Stepping};
use crate::measure::with_keys;
use crate::standstill::StandstillDetector;
use crate::switch_core::KeySet;
use mkns_design::{Plan, RouteSource};
use mkns_traffic::{Addresses, Injection, Packet, Traffic};
use mkns_workload::{Action, Schedule, ScheduleError};

/// Cycles without a packet after which a network is at rest, and time that nothing happens in may be left out.
const AT_REST: u64 = 1_000;

/// Packets of all messages together: those that wait at their hosts are in memory.
const MOST_PACKETS: u64 = 1 << 26;

/// A schedule on a network.
#[derive(Debug, Clone, Copy)]
pub struct Work<'a> {
    pub plan: &'a Plan,
    pub schedule: &'a Schedule,
    /// The host that each rank runs on.
    pub hosts: &'a [u32],
    /// Flits of the packets that a message is cut into, with the header; the last one may be shorter.
    pub packet_flits: u32,
    /// What a schedule that computes needs.
    pub clock_mhz: Option<f64>,
    /// Parts of the network that threads step side by side; has no effect on results.
    pub parts: usize,
}

/// How the work went.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Completion {
    /// Cycles until the last rank is done.
    pub cycles: u64,
    /// Cycle in which each rank is done.
    pub rank_ends: Vec<u64>,
    pub messages: u64,
    pub packets: u64,
    pub flits: u64,
    /// Flits of the busiest host's port or cable: it is not done in fewer cycles.
    pub bound: u64,
    /// Flits that the busiest host sends or receives: no network is done in fewer cycles.
    pub port_bound: u64,
    /// Flits that one direction of the busiest cable carried: with these routes the network is not done in fewer.
    pub cable_bound: u64,
    /// What the end waited for, in the order of time.
    pub chain: Vec<ChainStep>,
}

/// Why work cannot be done.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum WorkError {
    #[error(transparent)]
    Messages(#[from] ScheduleError),
    #[error("rank {from} on host {from_host} has no path to rank {to} on host {to_host}")]
    NoPath {
        from: u32,
        to: u32,
        from_host: u32,
        to_host: u32,
    },
    #[error("ranks wait for each other: operation {operation} of rank {rank} never ends")]
    Circle { rank: u32, operation: u32 },
    #[error(
        "nothing has moved since cycle {cycle}: a message of rank {from} on host {from_host} to rank {to} on host {to_host} \
         never arrives, one of {messages} under way; blocks dropped {dropped} packets"
    )]
    Standstill {
        from: u32,
        to: u32,
        from_host: u32,
        to_host: u32,
        messages: u64,
        /// Packets that blocks dropped; the others wait for each other.
        dropped: u64,
        cycle: u64,
    },
    #[error("the work computes for some nanoseconds, and no clock says how many cycles these are")]
    NoClock,
    #[error(
        "the messages are cut into {packets} packets, but at most {MOST_PACKETS} are simulated"
    )]
    TooManyPackets { packets: u64 },
}

impl Work<'_> {
    /// Runs it to its end; `watch` is told again and again how many more messages have arrived.
    ///
    /// # Errors
    /// When messages do not match, hosts have no path, ranks wait for each other, a clock is missing, or the network
    /// stands still with messages under way.
    pub fn run(&self, watch: &dyn Fn(u64)) -> Result<Completion, WorkError> {
        let partners = self.schedule.partners()?;
        self.has_paths()?;
        let packets = self.messages().map(|(_, _, bytes)| self.packets_of(bytes));
        let packets = packets.fold(0, u64::saturating_add);
        if packets > MOST_PACKETS {
            return Err(WorkError::TooManyPackets { packets });
        }
        if self.clock_mhz.is_none() && self.schedule.computes() {
            return Err(WorkError::NoClock);
        }
        let clock_mhz = self.clock_mhz.unwrap_or(0.0);
        let mut progress = Progress::new(self.schedule, &partners, clock_mhz);
        let cable_bound =
            with_keys!(self.plan, K => self.run_with::<K>(&mut progress, &partners, watch))?;
        if let Some(place) = progress.unfinished() {
            let rank = self.schedule.operations[place as usize].rank;
            let before = &self.schedule.operations[..place as usize];
            let operation = before
                .iter()
                .filter(|operation| operation.rank == rank)
                .count() as u32;
            return Err(WorkError::Circle { rank, operation });
        }
        Ok(self.completion(&progress, &partners, cable_bound))
    }

    fn has_paths(&self) -> Result<(), WorkError> {
        let addresses = Addresses::new(self.plan);
        for (from, to, _) in self.messages() {
            let [from_host, to_host] = [from, to].map(|rank| self.hosts[rank as usize]);
            if !addresses.has_path(from_host, to_host) {
                return Err(WorkError::NoPath {
                    from,
                    to,
                    from_host,
                    to_host,
                });
            }
        }
        Ok(())
    }

    /// Sender, receiver and bytes of all messages.
    fn messages(&self) -> impl Iterator<Item = (u32, u32, u64)> {
        let operations = self.schedule.operations.iter();
        operations.filter_map(|operation| match operation.action {
            Action::Send { to, bytes, .. } => Some((operation.rank, to, bytes)),
            _ => None,
        })
    }

    /// Gives the flits that the busiest cable carried.
    fn run_with<K: KeySet>(
        &self,
        progress: &mut Progress<'_>,
        partners: &[u32],
        watch: &dyn Fn(u64),
    ) -> Result<u64, WorkError> {
        let traffic = Traffic {
            injection: Injection::Driven,
            ..Traffic::uniform(0.0, self.packet_flits, 1)
        };
        let stepping = Stepping::in_parts(self.parts);
        let mut fabric = Fabric::<K>::new(self.plan, RouteSource::Tables, &traffic, stepping);
        let mut under_way = UnderWay::default();
        // Cycles that were left out, and those since the last packet.
        let (mut skipped, mut rested) = (0, 0);
        let mut deliveries = Vec::new();
        let mut standstill = StandstillDetector::default();
        loop {
            let now = fabric.now();
            let horizon = now + fabric.reaction() + skipped;
            while let Some((cycle, event)) = progress.next_before(horizon) {
                if let Some(send) = progress.handle(cycle, event) {
                    let receive = partners[send as usize];
                    self.hand_over(
                        &mut fabric,
                        cycle - skipped,
                        (send, receive),
                        &mut under_way,
                    );
                }
            }
            match progress.next_cycle() {
                None if under_way.messages == 0 => {
                    let sent = fabric.flits_sent();
                    let ports = sent.into_iter().flat_map(|(_, ports)| ports);
                    return Ok(ports.max().unwrap_or(0).into());
                }
                Some(next) if under_way.messages == 0 && rested > AT_REST => {
                    skipped += next - horizon
                }
                _ => {}
            }
            fabric.step(u64::MAX, &mut deliveries);
            rested = if under_way.messages == 0 {
                rested + fabric.now() - now
            } else {
                0
            };
            deliveries.sort_unstable();
            let before = under_way.messages;
            for arrived in &deliveries {
                let packet = fabric.delivered(arrived);
                assert!(packet.is_some(), "only packets that were sent arrive");
                let flow = (arrived.source, arrived.destination);
                if let Some(receive) = under_way.packet_arrived(flow) {
                    progress.arrives(arrived.cycle + fabric.reaction() + skipped, receive);
                }
            }
            watch(before - under_way.messages);
            let (delivers, waits) = (!deliveries.is_empty(), under_way.messages > 0);
            if let Some(cycle) = standstill.look(&fabric, delivers, waits) {
                return Err(self.never_arrives(
                    &under_way,
                    partners,
                    (cycle + skipped, fabric.packets_dropped()),
                ));
            }
        }
    }

    /// The first message under way of a network at a standstill.
    fn never_arrives(
        &self,
        under_way: &UnderWay,
        partners: &[u32],
        (cycle, dropped): (u64, u64),
    ) -> WorkError {
        let receive = under_way.first().expect("a message is under way");
        let [from, to] = [partners[receive as usize], receive]
            .map(|operation| self.schedule.operations[operation as usize].rank);
        let [from_host, to_host] = [from, to].map(|rank| self.hosts[rank as usize]);
        WorkError::Standstill {
            from,
            to,
            from_host,
            to_host,
            messages: under_way.messages,
            dropped,
            cycle,
        }
    }

    /// Gives the packets of a message to its host.
    fn hand_over<K: KeySet>(
        &self,
        fabric: &mut Fabric<K>,
        cycle: u64,
        (send, receive): (u32, u32),
        under_way: &mut UnderWay,
    ) {
        let operation = &self.schedule.operations[send as usize];
        let Action::Send { to, bytes, .. } = operation.action else {
            return;
        };
        let [source, destination] = [operation.rank, to].map(|rank| self.hosts[rank as usize]);
        under_way.add((source, destination), receive, self.packets_of(bytes));
        let host = fabric.source_mut(source);
        for packet in 0..self.packets_of(bytes) {
            host.add(Packet {
                destination,
                flits: self.flits_of(bytes, packet),
                created: cycle,
            });
        }
    }

    /// Payload bytes of a full packet.
    fn payload(&self) -> u64 {
        u64::from(self.packet_flits - 1) * u64::from(self.plan.spec.block.flit_bits / 8)
    }

    /// A message without bytes is a header.
    fn packets_of(&self, bytes: u64) -> u64 {
        bytes.div_ceil(self.payload()).max(1)
    }

    fn flits_of(&self, bytes: u64, packet: u64) -> u32 {
        let rest = bytes - packet * self.payload();
        let flit = u64::from(self.plan.spec.block.flit_bits / 8);
        1 + rest.min(self.payload()).div_ceil(flit) as u32
    }

    fn completion(
        &self,
        progress: &Progress<'_>,
        partners: &[u32],
        cable_bound: u64,
    ) -> Completion {
        let mut ports = vec![[0u64; 2]; self.schedule.ranks as usize];
        let (mut messages, mut packets, mut flits) = (0, 0, 0);
        for (from, to, bytes) in self.messages() {
            let count = self.packets_of(bytes);
            let last = u64::from(self.flits_of(bytes, count - 1));
            let sent = (count - 1) * u64::from(self.packet_flits) + last;
            messages += 1;
            packets += count;
            flits += sent;
            ports[from as usize][0] += sent;
            ports[to as usize][1] += sent;
        }
        let records = progress.records();
        let mut rank_ends = vec![0; self.schedule.ranks as usize];
        for (operation, record) in self.schedule.operations.iter().zip(records) {
            let end = &mut rank_ends[operation.rank as usize];
            *end = record.end.max(*end);
        }
        let port_bound = ports.into_iter().flatten().max().unwrap_or(0);
        Completion {
            cycles: rank_ends.iter().copied().max().unwrap_or(0),
            rank_ends,
            messages,
            packets,
            flits,
            bound: port_bound.max(cable_bound),
            port_bound,
            cable_bound,
            chain: slowest_chain(self.schedule, partners, records),
        }
    }
}

/// Messages that were handed over and have not arrived.
#[derive(Debug, Default)]
struct UnderWay {
    /// By sending and receiving host, whose packets stay in order: receives and packets to come, oldest first.
    flows: HashMap<(u32, u32), VecDeque<(u32, u64)>>,
    messages: u64,
}

impl UnderWay {
    fn add(&mut self, flow: (u32, u32), receive: u32, packets: u64) {
        self.flows
            .entry(flow)
            .or_default()
            .push_back((receive, packets));
        self.messages += 1;
    }

    /// The receive of one of the messages, the first in the schedule.
    fn first(&self) -> Option<u32> {
        let oldest = self.flows.values().filter_map(|messages| messages.front());
        oldest.map(|(receive, _)| *receive).min()
    }

    /// The receive whose last packet this was.
    fn packet_arrived(&mut self, flow: (u32, u32)) -> Option<u32> {
        let messages = self.flows.get_mut(&flow)?;
        let (receive, packets) = messages.front_mut()?;
        *packets -= 1;
        if *packets > 0 {
            return None;
        }
        let receive = *receive;
        messages.pop_front();
        self.messages -= 1;
        Some(receive)
    }
}
