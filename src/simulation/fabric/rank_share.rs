//! The blocks of one rank, their cables and hosts.
//!
//! On a single rank it borrows the plan. On one of several it is made from the plan of its blocks and of what lies around
//! them, or from that of the whole network, and keeps the share of this rank; neighbours tell each other where their
//! blocks are.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use super::delays::Delays;
use super::hosts::{HostPlaces, HostSlot};
use super::partitioning::Partitioning;
use super::serial::SerialCables;
use super::stepping::Stepping;
use super::wires::{InputSlot, Slots};
use crate::core::Shape;
use crate::ranks::{RankCommunicator, SingleRank};
use mkns_design::{BlockInstance, Plan, serial_link};
use mkns_topology::{BlockId, End, Network, PortIndex};

/// The share of one rank in a network.
#[derive(Debug)]
pub struct RankShare<'a> {
    /// Of several ranks with the blocks of this one only, and without a graph where nobody asks for it.
    plan: Cow<'a, Plan>,
    pub rank: usize,
    pub ranks: usize,
    /// Blocks of the whole network.
    pub blocks: usize,
    pub delays: Delays,
    pub serial: Option<SerialCables>,
    pub slots: Slots,
    pub stepping: Stepping,
    /// Parts of this rank; all ranks have as many.
    pub own: Range<u16>,
    /// Numbers in the whole network of the blocks of each of these, ascending, and so from part to part.
    pub members: Vec<Vec<u32>>,
    /// By own block, in the order of `members`: what the rest of the network is to it.
    pub places: Vec<BlockPlace>,
    /// The cables of own blocks, block after block.
    links: Vec<Option<PortLink>>,
    pub hosts: HostPlaces,
}

/// Where a block of this rank is.
#[derive(Debug, Clone, Copy)]
pub struct BlockPlace {
    /// Its first port.
    pub input_slot: InputSlot,
    /// First host; `u32::MAX` where it has none.
    pub first_host: u32,
    /// Of its network ports in all links.
    first_link: u32,
}

/// What is plugged into a network port.
#[derive(Debug, Clone, Copy)]
pub struct PortLink {
    /// Where the port sends to, and where from it receives.
    pub peer: InputSlot,
    pub sender: InputSlot,
    pub is_serial: bool,
}

/// The blocks of a plan, by their numbers in it.
struct Members<'p> {
    /// Number in the whole network.
    numbers: &'p [u32],
    /// Those of this rank, ascending.
    own: Vec<u32>,
    partitioning: Option<&'p Arc<Partitioning>>,
}

impl<'a> RankShare<'a> {
    /// All of a network.
    pub fn whole(plan: &'a Plan, stepping: Stepping) -> RankShare<'a> {
        let numbers: Vec<u32> = (0..plan.instances.len() as u32).collect();
        let members = Members {
            own: numbers.clone(),
            numbers: &numbers,
            partitioning: None,
        };
        RankShare::new(Cow::Borrowed(plan), &members, &SingleRank, stepping)
    }

    /// The share of one rank. `numbers`: of the blocks of the plan in the whole network, this rank's and those around
    /// them at least. `needs_graph`: patterns, or records of links, will ask for the whole network.
    pub fn of_rank(
        plan: Plan,
        (numbers, partitioning): (&[u32], &Arc<Partitioning>),
        ranks: &dyn RankCommunicator,
        stepping: Stepping,
        needs_graph: bool,
    ) -> RankShare<'static> {
        let is_own = |block: u32| {
            let number = BlockId(numbers[block as usize]);
            partitioning.rank_of(number) == ranks.rank()
        };
        let members = Members {
            own: (0..numbers.len() as u32)
                .filter(|&block| is_own(block))
                .collect(),
            numbers,
            partitioning: Some(partitioning),
        };
        let mut share = RankShare::new(Cow::Owned(plan), &members, ranks, stepping);
        if let Cow::Owned(plan) = &mut share.plan
            && partitioning.ranks > 1
        {
            plan.instances
                .retain(|at| members.own.binary_search(&at.block.0).is_ok());
            plan.instances.shrink_to_fit();
            for tables in plan.instances.iter_mut().map(|at| &mut at.tables) {
                // What is not there does not step.
                if !tables.step.iter().flatten().any(|steps| *steps) {
                    tables.step = Vec::new();
                }
            }
            if !needs_graph {
                plan.network.blocks = Vec::new();
                plan.network.cables = Vec::new();
                plan.network.hosts = Vec::new();
            }
        }
        share
    }

    fn new<'p>(
        plan: Cow<'p, Plan>,
        of_plan: &Members<'_>,
        ranks: &dyn RankCommunicator,
        stepping: Stepping,
    ) -> RankShare<'p> {
        let latencies = plan
            .modules
            .iter()
            .map(|module| Shape::new(module).output_latency() as u64);
        let delays = Delays {
            pins: latencies.clone().min().unwrap_or(1),
            link: u64::from(plan.spec.block.link_latency),
        };
        let latest = latencies.max().unwrap_or(1);
        // A block that has yet to begin a batch finds what another one sent in its last cycle.
        let serial = SerialCables::of(&plan);
        let farthest = serial.map_or(0, SerialCables::farthest);
        let slots = Slots::up_to(delays.lookahead() - 1 + latest + delays.link + farthest);
        let blocks = of_plan
            .partitioning
            .map_or(of_plan.own.len(), |partitioning| {
                partitioning.blocks as usize
            });
        let most = blocks.min(usize::from(u16::MAX)) / ranks.count();
        let parts = stepping.parts.clamp(1, most.max(1));
        let first = (ranks.rank() * parts) as u16;
        let mut inlets = own_inlets(&plan, &of_plan.own, (first, parts), slots);
        if let Some(partitioning) = of_plan.partitioning {
            learn_inlets(
                &mut inlets,
                &plan.network,
                of_plan,
                (partitioning, ranks),
                slots,
            );
        }
        let (places, links) = own_links(&plan, &of_plan.own, &inlets, slots);
        RankShare {
            rank: ranks.rank(),
            ranks: ranks.count(),
            blocks,
            delays,
            serial,
            slots,
            stepping,
            hosts: host_places(&plan, of_plan, &inlets, slots),
            own: first..first + parts as u16,
            members: (0..parts).map(|part| of_plan.part(part, parts)).collect(),
            places,
            links,
            plan,
        }
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Parts of this rank with the number of the first own block of each.
    pub fn parts(&self) -> impl Iterator<Item = (u16, usize)> {
        let firsts = self.members.iter().scan(0, |next, members| {
            let first = *next;
            *next += members.len();
            Some(first)
        });
        self.own.clone().zip(firsts)
    }

    /// The plan of an own block, by its number among them.
    pub fn instance(&self, number: usize) -> &BlockInstance {
        &self.plan.instances[number]
    }

    /// What is plugged into the network ports of an own block, by its number among them.
    pub fn links_of(&self, number: usize) -> &[Option<PortLink>] {
        let first = self.places[number].first_link as usize;
        let next = self.places.get(number + 1);
        &self.links[first..next.map_or(self.links.len(), |next| next.first_link as usize)]
    }
}

impl Members<'_> {
    /// Numbers in the whole network of the blocks of a part: a run of them as they are numbered.
    fn part(&self, part: usize, parts: usize) -> Vec<u32> {
        let own = &self.own[run(part, parts, self.own.len())];
        own.iter()
            .map(|&block| self.numbers[block as usize])
            .collect()
    }

    /// The rank of a block of another rank.
    fn other_rank(&self, partitioning: &Partitioning, block: BlockId) -> Option<usize> {
        let is_own = self.own.binary_search(&block.0).is_ok();
        (!is_own).then(|| partitioning.rank_of(BlockId(self.numbers[block.0 as usize])))
    }
}

/// The blocks of a part among those of its rank.
fn run(part: usize, parts: usize, count: usize) -> Range<usize> {
    part * count / parts..(part + 1) * count / parts
}

/// The first port of every block of this rank, by block of the plan; parts are numbered from `first`.
fn own_inlets(
    plan: &Plan,
    own: &[u32],
    (first, parts): (u16, usize),
    slots: Slots,
) -> Vec<InputSlot> {
    let mut inlets = vec![InputSlot::default(); plan.instances.len()];
    for part in 0..parts {
        let mut line = 0;
        for (number, &block) in (0..).zip(&own[run(part, parts, own.len())]) {
            inlets[block as usize] = InputSlot::first(first + part as u16, number, line, slots);
            line += plan.modules[plan.instances[block as usize].module].core_ports();
        }
    }
    inlets
}

/// The first ports of all blocks that share a cable with this rank's, from the ranks that have them: each tells the
/// other of the blocks at the cables between them, by their numbers in the whole network.
fn learn_inlets(
    inlets: &mut [InputSlot],
    network: &Network,
    members: &Members<'_>,
    (partitioning, ranks): (&Partitioning, &dyn RankCommunicator),
    slots: Slots,
) {
    // By rank, this rank's blocks with cables to it, and its blocks.
    let mut borders: BTreeMap<usize, [BTreeSet<u32>; 2]> = BTreeMap::new();
    for cable in &network.cables {
        for (own, other) in [(cable.a, cable.b), (cable.b, cable.a)] {
            if members.other_rank(partitioning, own.block).is_none()
                && let Some(rank) = members.other_rank(partitioning, other.block)
            {
                let [owns, others] = borders.entry(rank).or_default();
                owns.insert(own.block.0);
                others.insert(other.block.0);
            }
        }
    }
    let told = |blocks: &BTreeSet<u32>| {
        let words = blocks.iter().flat_map(|&block| {
            let input_slot = inlets[block as usize];
            [u32::from(input_slot.part), input_slot.block(slots) as u32]
        });
        words.flat_map(u32::to_le_bytes).collect::<Vec<u8>>()
    };
    let outgoing = borders.iter().map(|(&rank, [owns, _])| (rank, told(owns)));
    let incoming = ranks.exchange(outgoing.collect(), &mut || {});
    for ((_, bytes), [_, others]) in incoming.iter().zip(borders.values()) {
        let word = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("4 bytes"));
        for (&block, bytes) in others.iter().zip(bytes.chunks_exact(8)) {
            let (part, number) = bytes.split_at(4);
            // Where its ports lie in memory is its rank's business.
            inlets[block as usize] = InputSlot::first(word(part) as u16, word(number), 0, slots);
        }
    }
}

/// Places and cables of the blocks of this rank.
fn own_links(
    plan: &Plan,
    own: &[u32],
    inlets: &[InputSlot],
    slots: Slots,
) -> (Vec<BlockPlace>, Vec<Option<PortLink>>) {
    let index = plan
        .network
        .index_of(|block| own.binary_search(&block.0).is_ok());
    let hosts = &plan.network.hosts;
    let first_host = |block: u32| {
        let first = hosts.partition_point(|host| host.block.0 < block);
        let host = hosts.get(first);
        host.map_or(u32::MAX, |host| host.host)
    };
    let inlet_of = |end: End| inlets[end.block.0 as usize].of_port(end.port.0, slots);
    let link = |end: End| {
        let link = index.link(end)?;
        let sender = index.receives_from(end).unwrap_or(link);
        let cable = &plan.network.cables[link.cable as usize];
        Some(PortLink {
            peer: inlet_of(link.peer),
            sender: inlet_of(sender.peer),
            is_serial: serial_link(&plan.spec, cable).is_some(),
        })
    };
    let mut links = Vec::new();
    let places = own.iter().map(|&id| {
        let first_link = links.len() as u32;
        let block = BlockId(id);
        let ports = 0..plan.network.block(block).network_ports;
        links.extend(ports.map(|port| {
            let port = PortIndex(port);
            link(End { block, port })
        }));
        BlockPlace {
            input_slot: inlets[id as usize],
            first_host: first_host(id),
            first_link,
        }
    });
    (places.collect(), links)
}

/// Where the hosts of this rank are.
fn host_places(
    plan: &Plan,
    members: &Members<'_>,
    inlets: &[InputSlot],
    slots: Slots,
) -> HostPlaces {
    let is_own = |block: BlockId| members.own.binary_search(&block.0).is_ok();
    let hosts = plan.network.hosts.iter();
    let hosts = hosts.filter(|host| is_own(host.block));
    let own = hosts.map(|host| {
        let input_slot = inlets[host.block.0 as usize];
        let place = HostSlot {
            block: input_slot.block(slots) as u32,
            part: input_slot.part,
            port: host.pcie_port,
        };
        (host.host, place)
    });
    let per_block = plan.spec.kind.vms_per_node();
    HostPlaces::new(own, per_block, members.partitioning.cloned())
}
