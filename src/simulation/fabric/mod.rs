//! A whole network for simulation, stepped without packed words.
//!
//! What a block sends in a cycle, flits or credits, reaches another block at the earliest L + 3 cycles later (L + 1
//! where there are splitters and combiners), so every block is stepped that many cycles, a batch, before the
//! next one. In a large network batches are longer, and a block goes on as far as the slowest of its neighbours
//! allows: switch blocks wait while lines of adapter blocks, whose state is in the caches, go on in turns. Parts
//! of the network are stepped by different threads; they exchange what crosses their borders after each of
//! these steps. Neither the batches nor the parts change any result.

mod arrived;
mod block;
mod border_bytes;
mod borders;
mod builder;
mod delays;
mod host;
mod hosts;
mod live;
mod neighbours;
mod outgoing;
mod partitioning;
mod prefetcher;
#[cfg(test)]
pub mod probe;
mod rank_share;
mod ranked;
mod register_files;
mod serial;
mod stepping;
mod thread_share;
mod wires;

pub use arrived::Arrived;
pub use borders::RankReport;
pub use host::Arrivals;
pub use partitioning::Partitioning;
pub use rank_share::RankShare;
pub use register_files::RegisterFiles;
pub use stepping::Stepping;

use rayon::prelude::*;

use super::choices::Choices;
use super::core::Shape;
use super::prefetch::prefetch;
use super::ranks::{RankCommunicator, SingleRank};
use super::switch_core::KeySet;
use block::FabricBlock;
use borders::Borders;
use builder::Builder;
use delays::Delays;
#[cfg(test)]
use host::Delivery;
use host::Host;
use hosts::{HostPlaces, HostSlot};
use mkns_contract::Header;
use mkns_design::{Plan, RouteSource};
use mkns_traffic::{Addresses, Destinations, Packet, Shared, Source, Traffic};
use thread_share::ThreadShare;

/// Cycles of a batch in which blocks of a large network go on as far as their neighbours allow.
const LONG_BATCH: u64 = 64;

/// Deliveries between the steps of the prefetch for one of them.
const PREFETCH_DISTANCE: usize = 4;

/// All blocks, cables and hosts of a network.
#[derive(Debug)]
pub struct Fabric<K: KeySet> {
    parts: Vec<ThreadShare<K>>,
    /// Where every host is.
    hosts: HostPlaces,
    shared: Shared,
    delays: Delays,
    reacts: bool,
    /// Most cycles of a batch.
    batch: u64,
    now: u64,
    /// What crosses the borders of this rank.
    borders: Borders,
    /// Packets that hosts of this rank took in the last step, with their flits, where hosts react to them.
    taken: Vec<(Arrived, u32)>,
    /// All deliveries since they were last asked for, if anybody asks.
    #[cfg(test)]
    received: Option<Vec<Delivery>>,
}

/// Bytes of a simulated network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MemoryUse {
    /// Model state: everything but the two below.
    pub state: usize,
    /// Flits in queues, in PCIe-side ports and on the way.
    pub buffers: usize,
}

impl<K: KeySet> Fabric<K> {
    /// Whether sets of this kind hold the keys of all blocks.
    pub fn fits(plan: &Plan) -> bool {
        let mut modules = plan.modules.iter();
        modules.all(|module| Shape::new(module).fits::<K>())
    }

    /// All blocks in their reset state, all cables up.
    pub fn new(
        plan: &Plan,
        routes: RouteSource,
        traffic: &Traffic,
        stepping: Stepping,
    ) -> Fabric<K> {
        Fabric::of_share(&RankShare::whole(plan, stepping), routes, traffic)
    }

    /// The blocks of one of several ranks.
    pub fn of_share(share: &RankShare<'_>, routes: RouteSource, traffic: &Traffic) -> Fabric<K> {
        let shared = traffic.shared(share.plan());
        let builder = Builder::new(share, routes, traffic, &shared);
        let parts: Vec<ThreadShare<K>> = builder.parts();
        Fabric {
            hosts: share.hosts.clone(),
            delays: share.delays,
            reacts: traffic.reacts(),
            batch: match parts[..] {
                _ if traffic.reacts() => share.delays.reaction(),
                [ref part] if part.is_large && share.ranks == 1 => LONG_BATCH,
                _ => share.delays.lookahead(),
            },
            borders: Borders::new(share, &parts),
            parts,
            shared,
            now: 0,
            taken: Vec::new(),
            #[cfg(test)]
            received: None,
        }
    }

    /// Cycles after which a host learns of a delivery; at least those of a batch where this matters.
    pub fn reaction(&self) -> u64 {
        self.delays.reaction()
    }

    /// Cycles done.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Steps all blocks by one batch, which ends at `end` at the latest; `deliveries` becomes the
    /// packets that hosts took in it.
    pub fn step(&mut self, end: u64, deliveries: &mut Vec<Arrived>) {
        self.step_on(end, &SingleRank, deliveries);
    }

    /// Steps this rank's blocks by one batch, which ends at `end` at the latest; `deliveries` becomes the
    /// packets of this rank's hosts that were taken, not all of them at once by hosts of other ranks: all
    /// by the time that `end` is reached.
    pub fn step_on(
        &mut self,
        end: u64,
        ranks: &dyn RankCommunicator,
        deliveries: &mut Vec<Arrived>,
    ) {
        let asked = end;
        let end = end.min(self.now + self.batch);
        if ranks.count() > 1 {
            self.step_ranked(end, asked, ranks, deliveries);
            return;
        }
        let delays = self.delays;
        match &mut self.parts[..] {
            [part] if self.batch > delays.lookahead() => part.run(delays, end),
            parts => {
                for_all(parts, |part| part.step(delays, end));
                self.exchange();
            }
        }
        self.now = end;
        self.collect(deliveries);
    }

    /// Whether what hosts receive decides what hosts send.
    pub fn reacts(&self) -> bool {
        self.reacts
    }

    /// The source of a host, to be changed.
    pub fn source_mut(&mut self, host: u32) -> &mut Source {
        let (part, block, port) = self.place_of(host);
        self.parts[part].blocks[block].host_mut(port).source_mut()
    }

    /// The packet that arrived; none when none was under way, which is a fault of the network.
    #[inline]
    pub fn delivered(&mut self, arrived: &Arrived) -> Option<Packet> {
        let (part, block, port) = self.place_of(arrived.source);
        self.parts[part].blocks[block].hosts[port].delivered(arrived.destination, arrived.number)
    }

    /// Prefetches what [`Self::delivered`] needs for the deliveries that come next.
    #[inline]
    pub fn prefetch_sources(&self, deliveries: &[Arrived]) {
        let block = |ahead: usize| {
            let (part, block, port) = self.place_of(deliveries.get(ahead)?.source);
            Some((&self.parts[part].blocks[block], port))
        };
        if let Some((block, _)) = block(3 * PREFETCH_DISTANCE) {
            prefetch(&block.hosts);
        }
        if let Some((block, port)) = block(2 * PREFETCH_DISTANCE) {
            prefetch(block.hosts[port].source().under_way());
        }
        if let Some((block, port)) = block(PREFETCH_DISTANCE) {
            let oldest = block.hosts[port].source().under_way().front();
            oldest.into_iter().for_each(prefetch);
        }
    }

    /// Packets that hosts of this rank took in the last step, with their flits, in the order of their cycles: there
    /// are some only where hosts react.
    pub fn take_taken(&mut self) -> Vec<(Arrived, u32)> {
        let mut taken = std::mem::take(&mut self.taken);
        taken.sort_unstable();
        taken
    }

    /// Where a host passes on what it receives under broadcast traffic.
    pub fn children_of(&self, host: u32) -> &[u32] {
        match &self.shared.destinations {
            Destinations::Broadcast(children) => &children[host as usize],
            _ => &[],
        }
    }

    /// The sources of all hosts.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        self.blocks()
            .flat_map(|block| block.hosts.iter().map(Host::source))
    }

    /// The addresses that hosts write, where routes lead.
    pub fn addresses(&self) -> &Addresses {
        &self.shared.addresses
    }

    /// What all hosts saw since the last call.
    pub fn take_arrivals(&mut self) -> Arrivals {
        let mut sum = Arrivals::default();
        let blocks = self.parts.iter_mut().flat_map(|part| &mut part.blocks);
        for host in blocks.flat_map(|block| &mut block.hosts) {
            let arrivals = std::mem::take(&mut host.arrivals);
            sum.packets += arrivals.packets;
            sum.blocks += arrivals.blocks;
        }
        sum
    }

    /// Flits sent by every network port of this rank's blocks, modulo 2³², by the numbers of the blocks.
    pub fn flits_sent(&self) -> Vec<(u32, Vec<u32>)> {
        let ports = |block: &FabricBlock<K>| {
            let ports = 0..block.links.network_ports as usize;
            ports.map(|port| block.links.sent[port]).collect()
        };
        let ids = self.parts.iter().flat_map(|part| &part.ids);
        ids.copied().zip(self.blocks().map(ports)).collect()
    }

    /// Packets that this rank's blocks have dropped: no route, or a link that is down.
    pub fn packets_dropped(&self) -> u64 {
        let dropped = self.blocks().map(|block| block.core.packets_dropped());
        dropped.map(u64::from).sum()
    }

    /// What headers took in this rank's adaptive blocks so far.
    pub fn choices(&self) -> Choices {
        self.blocks().map(|block| block.core.choices()).sum()
    }

    /// Bytes that the network takes now.
    pub fn memory(&self) -> MemoryUse {
        let mut memory = MemoryUse::default();
        for part in &self.parts {
            memory.buffers += part.wires.bytes();
            memory.state += part.bytes();
        }
        for block in self.blocks() {
            let (state, buffers) = block.core.bytes();
            let upstream = block.links.upstream.as_deref().map_or(0, size_of_val);
            memory.state += size_of::<FabricBlock<K>>() + state + upstream;
            memory.buffers += buffers;
            for host in &*block.hosts {
                let (state, buffers) = host.bytes();
                memory.state += state;
                memory.buffers += buffers;
            }
        }
        memory
    }

    /// Part, block in the part and PCIe port of a host of this rank.
    #[inline]
    fn place_of(&self, host: u32) -> (usize, usize, usize) {
        let HostSlot { block, part, port } = self.hosts.of(host);
        let part = usize::from(part - self.borders.own.start);
        (part, block as usize, port.into())
    }

    fn blocks(&self) -> impl Iterator<Item = &FabricBlock<K>> {
        self.parts.iter().flat_map(|part| &part.blocks)
    }

    /// Hands over what crossed the borders of the parts.
    fn exchange(&mut self) {
        let first = self.borders.own.start;
        for from in 0..self.parts.len() {
            let mut messages = std::mem::take(&mut self.parts[from].outbox);
            for message in messages.drain(..) {
                self.parts[usize::from(message.to.part - first)].accept(message);
            }
            self.parts[from].outbox = messages;
        }
    }

    fn collect(&mut self, deliveries: &mut Vec<Arrived>) {
        deliveries.clear();
        let (now, reacts) = (self.now, self.reacts);
        for part in &mut self.parts {
            let addresses = &*self.shared.addresses;
            let taken = &mut self.taken;
            // Some are known before their cycle.
            part.deliveries.retain(|delivery| {
                let is_due = delivery.cycle < now;
                if is_due {
                    #[cfg(test)]
                    self.received.iter_mut().for_each(|all| all.push(*delivery));
                    let arrived = Arrived::of(addresses, delivery);
                    deliveries.push(arrived);
                    if reacts {
                        let length = Header::unpack(delivery.header).length;
                        taken.push((arrived, addresses.flits(length)));
                    }
                }
                !is_due
            });
        }
    }
}

/// Does a step for all parts, on different threads.
fn for_all<K: KeySet>(
    parts: &mut [ThreadShare<K>],
    step: impl Fn(&mut ThreadShare<K>) + Send + Sync,
) {
    match parts {
        [part] => step(part),
        _ => parts.par_iter_mut().with_max_len(1).for_each(step),
    }
}
