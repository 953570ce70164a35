//! The blocks of one rank, their cables and hosts, taken from a plan of the whole network.
//!
//! On a single rank it borrows the plan. On one of several it keeps the share of this rank, so that the graph and the
//! tables of the others can go before the model is made; of the whole network four bytes a host are left.

use std::borrow::Cow;
use std::ops::Range;

use super::core::FabricShape;
use super::cut::cut;
use super::delays::Delays;
use super::serial::SerialCables;
use super::stepping::Stepping;
use super::wires::{Inlet, Slots};
use mkns_design::{BlockInstance, Plan, serial_link};
use mkns_topology::{BlockId, End, Network, PortIndex};

/// The share of one rank in a network.
#[derive(Debug)]
pub struct Piece<'a> {
    /// Of several ranks with the blocks of this one only, and without a graph where nobody asks for it.
    plan: Cow<'a, Plan>,
    pub rank: usize,
    pub ranks: usize,
    /// Blocks and hosts of the whole network.
    pub blocks: usize,
    pub hosts: u32,
    pub delays: Delays,
    pub serial: Option<SerialCables>,
    pub slots: Slots,
    pub stepping: Stepping,
    /// Parts of this rank; all ranks have as many.
    pub own: Range<u16>,
    /// Blocks of each of these, ascending, and so from part to part.
    pub members: Vec<Vec<u32>>,
    /// By own block, in the order of `members`: what the rest of the network is to it.
    pub places: Vec<BlockPlace>,
    /// The cables of own blocks, block after block.
    links: Vec<Option<PortLink>>,
    pub terminals: HostPlaces,
}

/// Where a block of this rank is.
#[derive(Debug, Clone, Copy)]
pub struct BlockPlace {
    /// Its first port.
    pub inlet: Inlet,
    /// First compute module; `u32::MAX` where it has none.
    pub first_vm: u32,
    /// Of its network ports in all links.
    first_link: u32,
}

/// What is plugged into a network port.
#[derive(Debug, Clone, Copy)]
pub struct PortLink {
    /// Where the port sends to, and where from it receives.
    pub peer: Inlet,
    pub sender: Inlet,
    pub is_serial: bool,
}

/// Where a compute module is.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    /// Number of the block in its part.
    pub block: u32,
    pub part: u16,
    pub port: u8,
}

/// Where the compute modules of this rank are, and which rank the others are on.
#[derive(Debug, Clone)]
pub struct HostPlaces {
    own: Vec<Place>,
    /// On one of several ranks, by compute module: its number in `own`, or the complement of its rank.
    numbers: Option<Vec<u32>>,
}

impl HostPlaces {
    /// Where a compute module of this rank is.
    #[inline]
    pub fn of(&self, vm: u32) -> Place {
        match &self.numbers {
            None => self.own[vm as usize],
            Some(numbers) => self.own[numbers[vm as usize] as usize],
        }
    }

    /// The rank of a compute module that is not on this one.
    pub fn other_rank(&self, vm: u32) -> Option<usize> {
        let number = self.numbers.as_ref()?[vm as usize];
        (number as usize >= self.own.len()).then_some(!number as usize)
    }
}

/// How a network is cut into pieces for ranks.
#[derive(Debug, Clone)]
pub struct Cut {
    /// By block.
    rank_of: Vec<u32>,
    ranks: usize,
}

impl Cut {
    /// Cuts a network; equal networks are cut alike.
    pub fn of(network: &Network, ranks: usize) -> Cut {
        Cut {
            rank_of: cut(network, ranks),
            ranks,
        }
    }

    /// Whether a rank has a block.
    pub fn is_of(&self, block: BlockId, rank: usize) -> bool {
        self.rank_of[block.0 as usize] as usize == rank
    }

    /// Blocks of every part of every rank: of each piece runs of blocks as they are numbered.
    fn members(&self, parts: usize) -> Vec<Vec<u32>> {
        let mut of_ranks = vec![Vec::new(); self.ranks];
        for (block, &rank) in (0..).zip(&self.rank_of) {
            of_ranks[rank as usize].push(block);
        }
        let parts_of = |blocks: &Vec<u32>| {
            let count = blocks.len();
            let part = |part| blocks[part * count / parts..(part + 1) * count / parts].to_vec();
            (0..parts).map(part).collect::<Vec<_>>()
        };
        of_ranks.iter().flat_map(parts_of).collect()
    }
}

impl<'a> Piece<'a> {
    /// All of a network.
    pub fn whole(plan: &'a Plan, stepping: Stepping) -> Piece<'a> {
        let cut = Cut::of(&plan.network, 1);
        Piece::new(Cow::Borrowed(plan), &cut, 0, stepping)
    }

    /// The share of one rank. `needs_graph`: patterns, or records of links, will ask for the whole network.
    pub fn of_rank(
        plan: Plan,
        cut: &Cut,
        rank: usize,
        stepping: Stepping,
        needs_graph: bool,
    ) -> Piece<'static> {
        let mut piece = Piece::new(Cow::Owned(plan), cut, rank, stepping);
        if let Cow::Owned(plan) = &mut piece.plan
            && cut.ranks > 1
        {
            plan.instances.retain(|at| cut.is_of(at.block, rank));
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
                plan.network.terminals = Vec::new();
            }
        }
        piece
    }

    fn new<'p>(plan: Cow<'p, Plan>, cut: &Cut, rank: usize, stepping: Stepping) -> Piece<'p> {
        let ranks = cut.ranks;
        let latencies = plan
            .modules
            .iter()
            .map(|module| FabricShape::new(module, &plan).output_latency() as u64);
        let delays = Delays {
            pins: latencies.clone().min().unwrap_or(1),
            link: u64::from(plan.spec.block.link_latency),
        };
        let latest = latencies.max().unwrap_or(1);
        // A block that has yet to begin a batch finds what another one sent in its last cycle.
        let serial = SerialCables::of(&plan);
        let farthest = serial.map_or(0, SerialCables::farthest);
        let slots = Slots::up_to(delays.lookahead() - 1 + latest + delays.link + farthest);
        let count = plan.instances.len();
        let most = count.min(usize::from(u16::MAX)) / ranks;
        let parts = stepping.parts.clamp(1, most.max(1));
        let mut members = cut.members(parts);
        let inlets = first_inlets(&plan, &members, slots);
        let own = (rank * parts) as u16..((rank + 1) * parts) as u16;
        members.truncate(usize::from(own.end));
        let members = members.split_off(usize::from(own.start));
        let (places, links) = own_links(&plan, &members, &inlets, slots);
        Piece {
            rank,
            ranks,
            blocks: count,
            hosts: plan.network.terminals.len() as u32,
            delays,
            serial,
            slots,
            stepping,
            terminals: host_places(&plan.network, cut, rank, &inlets, slots),
            own,
            members,
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

/// The first port of every block of the network.
fn first_inlets(plan: &Plan, members: &[Vec<u32>], slots: Slots) -> Vec<Inlet> {
    let mut inlets = vec![Inlet::default(); plan.instances.len()];
    for (part, blocks) in (0..).zip(members) {
        let mut line = 0;
        for (number, &block) in (0..).zip(blocks) {
            inlets[block as usize] = Inlet::first(part, number, line, slots);
            line += plan.modules[plan.instances[block as usize].module].core_ports();
        }
    }
    inlets
}

/// Places and cables of the blocks of this rank.
fn own_links(
    plan: &Plan,
    members: &[Vec<u32>],
    inlets: &[Inlet],
    slots: Slots,
) -> (Vec<BlockPlace>, Vec<Option<PortLink>>) {
    let own: Vec<u32> = members.concat();
    let index = plan
        .network
        .index_of(|block| own.binary_search(&block.0).is_ok());
    let terminals = &plan.network.terminals;
    let first_vm = |block: u32| {
        let first = terminals.partition_point(|terminal| terminal.block.0 < block);
        let terminal = terminals.get(first);
        terminal.map_or(u32::MAX, |terminal| terminal.vm)
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
            inlet: inlets[id as usize],
            first_vm: first_vm(id),
            first_link,
        }
    });
    (places.collect(), links)
}

fn host_places(
    network: &Network,
    cut: &Cut,
    rank: usize,
    inlets: &[Inlet],
    slots: Slots,
) -> HostPlaces {
    let mut own = Vec::new();
    let number = network.terminals.iter().map(|terminal| {
        let of_rank = cut.rank_of[terminal.block.0 as usize];
        if of_rank as usize != rank {
            return !of_rank;
        }
        let inlet = inlets[terminal.block.0 as usize];
        own.push(Place {
            block: inlet.block(slots) as u32,
            part: inlet.part,
            port: terminal.pcie_port,
        });
        own.len() as u32 - 1
    });
    let numbers: Vec<u32> = number.collect();
    HostPlaces {
        own,
        numbers: (cut.ranks > 1).then_some(numbers),
    }
}
