//! Makes the blocks of a simulated network from a plan, in parts for several threads.

use std::ops::Range;
use std::sync::Arc;

use super::block::{FabricBlock, ports_below};
use super::core::{FabricCore, FabricShape};
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
use crate::traffic::Source;
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
    /// By compute module; taken when its block is built.
    sources: Vec<Option<Source>>,
    pub delays: Delays,
    serial: Option<SerialCables>,
    /// First compute module of every block.
    first_vms: Vec<u32>,
    /// Blocks of every part.
    bounds: Vec<Range<usize>>,
    slots: Slots,
    blocks_in_cache: usize,
    /// First port of every block.
    inlets: Vec<Inlet>,
}

impl<'a> Builder<'a> {
    pub fn new(
        plan: &'a Plan,
        routes: RouteSource,
        sources: Vec<Source>,
        stepping: Stepping,
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
        let parts = stepping.parts.clamp(1, count.min(usize::from(u16::MAX)));
        let bounds: Vec<Range<usize>> = (0..parts)
            .map(|part| part * count / parts..(part + 1) * count / parts)
            .collect();
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
            inlets: first_inlets(plan, &bounds, slots),
            slots,
            blocks_in_cache: stepping.blocks_in_cache,
            bounds,
            shapes,
            sources: sources.into_iter().map(Some).collect(),
            first_vms,
            plan,
        }
    }

    /// All parts; comes once.
    pub fn parts<K: KeySet>(&mut self) -> Vec<Part<K>> {
        let bounds = std::mem::take(&mut self.bounds);
        let parts = (0..).zip(bounds);
        parts
            .map(|(number, blocks)| self.part(number, blocks))
            .collect()
    }

    fn part<K: KeySet>(&mut self, number: u16, blocks: Range<usize>) -> Part<K> {
        let plan = self.plan;
        let instances = &plan.instances[blocks.clone()];
        let ports = instances
            .iter()
            .map(|at| plan.modules[at.module].core_ports() as usize);
        let wires = Wires::new(blocks.len(), ports.sum(), self.slots);
        let instances = instances.iter();
        let built = instances.map(|instance| self.block(instance)).collect();
        let is_large = blocks.len() > self.blocks_in_cache;
        Part::new(number, blocks.start as u32, built, wires, is_large)
    }

    fn block<K: KeySet>(&mut self, instance: &BlockInstance) -> FabricBlock<K> {
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
            let source = self.sources[(first_vm + port) as usize].take();
            let source = source.expect("a compute module is behind one port");
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

/// The first port of every block.
fn first_inlets(plan: &Plan, bounds: &[Range<usize>], slots: Slots) -> Vec<Inlet> {
    let mut inlets = Vec::with_capacity(plan.instances.len());
    for (part, blocks) in (0..).zip(bounds) {
        let mut line = 0;
        for (block, instance) in (0..).zip(&plan.instances[blocks.clone()]) {
            inlets.push(Inlet::first(part, block, line, slots));
            line += plan.modules[instance.module].core_ports();
        }
    }
    inlets
}
