//! Makes the blocks of a simulated network from a plan, in parts for several threads.

use std::ops::Range;
use std::sync::Arc;

use super::block::{FabricBlock, ports_below};
use super::core::{FabricCore, FabricShape};
use super::cut::cut;
use super::delays::Delays;
use super::host::Host;
use super::outgoing::Links;
use super::part::Part;
use super::serial::SerialCables;
use super::stepping::Stepping;
use super::wires::{Inlet, Slots, Wires};
use crate::host_port::HostPortShape;
use crate::layer_choice::Layers;
use crate::switch_core::{KeySet, Lanes};
use crate::traffic::{Shared, Traffic};
use mkns_design::RouteSource;
use mkns_design::{BlockInstance, BlockModule, Plan};
use mkns_topology::{End, NetworkIndex, PortIndex};

/// What all blocks are made from.
pub struct Builder<'a> {
    plan: &'a Plan,
    routes: RouteSource,
    index: NetworkIndex,
    shapes: Vec<FabricShape<'a>>,
    host_shapes: Vec<Arc<HostPortShape>>,
    traffic: &'a Traffic,
    shared: &'a Shared,
    pub delays: Delays,
    serial: Option<SerialCables>,
    /// First compute module of every block.
    first_vms: Vec<u32>,
    /// Blocks of every part of every rank, ascending.
    members: Vec<Vec<u32>>,
    /// Parts of this rank.
    own: Range<u16>,
    slots: Slots,
    blocks_in_cache: usize,
    /// First port of every block.
    inlets: Vec<Inlet>,
}

impl<'a> Builder<'a> {
    pub fn new(
        plan: &'a Plan,
        routes: RouteSource,
        (traffic, shared): (&'a Traffic, &'a Shared),
        stepping: Stepping,
        (rank, ranks): (usize, usize),
    ) -> Builder<'a> {
        let shapes: Vec<FabricShape<'_>> = plan
            .modules
            .iter()
            .map(|module| FabricShape::new(module, plan))
            .collect();
        let latencies = shapes.iter().map(|shape| shape.output_latency() as u64);
        let soonest = latencies.clone().min().unwrap_or(1);
        let latest = latencies.max().unwrap_or(1);
        let host_shapes = plan.modules.iter().map(|module| {
            let mut shape = HostPortShape::new(module);
            shape.counters = false;
            Arc::new(shape)
        });
        let delays = Delays {
            pins: soonest,
            link: u64::from(plan.spec.block.link_latency),
        };
        // A block that has yet to begin a batch finds what another one sent in its last cycle.
        let serial = SerialCables::of(plan);
        let farthest = serial.map_or(0, SerialCables::farthest);
        let slots = Slots::up_to(delays.lookahead() - 1 + latest + delays.link + farthest);
        let count = plan.instances.len();
        let most = count.min(usize::from(u16::MAX)) / ranks;
        let parts = stepping.parts.clamp(1, most.max(1));
        let members = members(plan, parts, ranks);
        let mut first_vms = vec![u32::MAX; count];
        for terminal in plan.network.terminals.iter().rev() {
            first_vms[terminal.block.0 as usize] = terminal.vm;
        }
        Builder {
            routes,
            index: plan.network.index(),
            delays,
            serial,
            host_shapes: host_shapes.collect(),
            inlets: first_inlets(plan, &members, slots),
            slots,
            blocks_in_cache: stepping.blocks_in_cache,
            own: (rank * parts) as u16..((rank + 1) * parts) as u16,
            members,
            shapes,
            traffic,
            shared,
            first_vms,
            plan,
        }
    }

    /// Parts of this rank.
    pub fn own(&self) -> Range<u16> {
        self.own.clone()
    }

    /// Part and number in it of every block.
    pub fn places(&self) -> Vec<(u16, u32)> {
        let inlets = self.inlets.iter();
        inlets
            .map(|inlet| (inlet.part, inlet.block(self.slots) as u32))
            .collect()
    }

    /// How many blocks each part of this rank has cycles of arrivals for.
    pub fn slots(&self) -> Slots {
        self.slots
    }

    /// First ports of the blocks of a part.
    pub fn inlets_of(&self, part: u16) -> Vec<Inlet> {
        let blocks = self.members[usize::from(part)].iter();
        blocks.map(|&block| self.inlets[block as usize]).collect()
    }

    /// All parts of this rank.
    pub fn parts<K: KeySet>(&self) -> Vec<Part<K>> {
        self.own().map(|number| self.part(number)).collect()
    }

    fn part<K: KeySet>(&self, number: u16) -> Part<K> {
        let plan = self.plan;
        let ids = self.members[usize::from(number)].clone();
        let instances = || ids.iter().map(|&id| &plan.instances[id as usize]);
        let ports = instances().map(|at| plan.modules[at.module].core_ports() as usize);
        let wires = Wires::new(ids.len(), ports.sum(), self.slots);
        let built = instances().map(|instance| self.block(instance)).collect();
        let is_large = ids.len() > self.blocks_in_cache;
        let mut part = Part::new(number, ids, built, wires, is_large);
        if self.own.len() < self.members.len() {
            part.find_border(self.own());
        }
        part
    }

    fn block<K: KeySet>(&self, instance: &BlockInstance) -> FabricBlock<K> {
        let module = &self.plan.modules[instance.module];
        let shape = &self.shapes[instance.module];
        let mut core = shape.core(&instance.tables);
        if let FabricCore::Switch(core) = &mut core
            && let Some(routes) = self.routes.computed(self.plan, instance.block)
        {
            core.compute_routes(routes);
        }
        // A simulation begins a cycle after reset.
        core.rest();
        let first_vm = self.first_vms[instance.block.0 as usize];
        let layers = Layers::new(module, instance.layer_choice.as_ref());
        let hosts = (0..module.pcie_ports).map(|port| {
            let source = self.traffic.source(first_vm + port, self.shared);
            let shape = Arc::clone(&self.host_shapes[instance.module]);
            Host::new(module, shape, (port, source), layers.clone())
        });
        let hosts = hosts.collect();
        let own = self.inlets[instance.block.0 as usize];
        let (links, link_up) = self.links(instance, shape.output_latency());
        if let (Some(serial), FabricCore::Switch(core)) = (&links.serial, &mut core) {
            let more = self.serial.map_or(0, |serial| serial.more_credits);
            core.add_credits(serial.ports(), more);
        }
        FabricBlock {
            core,
            hosts,
            // All, to begin with.
            busy_hosts: ports_below(module.core_ports()) & !ports_below(module.network_ports),
            awake_hosts: 0,
            next_wake: 0,
            links,
            now: 0,
            inlet: own,
            link_up,
            node_address: instance.node_address,
            host_keys: host_keys(module),
            network_keys: K::of_channels(
                ports_below(module.network_ports),
                module.parameters.virtual_channels as usize,
            ),
        }
    }

    /// Where a block sends to, and its ports with a link.
    fn links<K: KeySet>(&self, instance: &BlockInstance, output_latency: usize) -> (Links<K>, u32) {
        let plan = self.plan;
        let module = &plan.modules[instance.module];
        let own = self.inlets[instance.block.0 as usize];
        let inlet_of = |end: End| self.inlets[end.block.0 as usize].of_port(end.port.0, self.slots);
        let mut peers = K::PerPort::filled(Inlet::default());
        let mut upstream = peers.clone();
        let (mut link_up, mut is_alike) = (0, true);
        for port in 0..module.core_ports() as u8 {
            let end = End {
                block: instance.block,
                port: PortIndex(port),
            };
            let (peer, sender) = if u32::from(port) < module.network_ports {
                let sender = self.index.receives_from(end).map(|link| link.peer);
                (self.index.peer(end).map(inlet_of), sender.map(inlet_of))
            } else {
                (Some(own.of_port(port, self.slots)), None)
            };
            if let Some(peer) = peer {
                peers[usize::from(port)] = peer;
                upstream[usize::from(port)] = sender.unwrap_or(peer);
                is_alike &= sender.is_none_or(|sender| sender == peer);
                link_up |= 1 << port;
            }
        }
        let ports = self.index.links(instance.block).map(|(port, link)| {
            let block = instance.block;
            (End { block, port }, link.cable)
        });
        let links = Links {
            serial: self.serial.and_then(|serial| serial.ports_of(plan, ports)),
            peers,
            upstream: (!is_alike).then(|| Box::new(upstream)),
            sent: Lanes::filled(0),
            network_ports: module.network_ports,
            output_latency: output_latency as u32,
        };
        (links, link_up)
    }
}

/// The hosts' ports on the channels on which their packets start.
fn host_keys<K: KeySet>(module: &BlockModule) -> K {
    let ports = ports_below(module.core_ports()) & !ports_below(module.network_ports);
    let channels = module.parameters.virtual_channels as usize;
    let starts = (0..channels).step_by(channels / module.host_channels() as usize);
    starts.fold(K::EMPTY, |keys, channel| {
        keys | K::of_ports(ports) << K::key(0, channel)
    })
}

/// Blocks of every part: pieces of the network for ranks, and of each piece runs of blocks as they are numbered.
fn members(plan: &Plan, parts: usize, ranks: usize) -> Vec<Vec<u32>> {
    let rank_of = cut(&plan.network, ranks);
    let mut of_ranks = vec![Vec::new(); ranks];
    for (block, rank) in (0..).zip(rank_of) {
        of_ranks[rank as usize].push(block);
    }
    let parts_of = |blocks: &Vec<u32>| {
        let count = blocks.len();
        let part = |part| blocks[part * count / parts..(part + 1) * count / parts].to_vec();
        (0..parts).map(part).collect::<Vec<_>>()
    };
    of_ranks.iter().flat_map(parts_of).collect()
}

/// The first port of every block.
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
