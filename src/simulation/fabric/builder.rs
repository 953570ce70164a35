//! Makes the blocks of a piece of a simulated network, in parts for several threads.

use std::sync::Arc;

use super::block::{FabricBlock, ports_below};
use super::host::Host;
use super::outgoing::Links;
use super::rank_share::{BlockPlace, RankShare};
use super::thread_share::ThreadShare;
use super::wires::{InputSlot, Wires};
use crate::core::Shape;
use crate::host_port::HostPortShape;
use crate::layer_choice::LayerMasks;
use crate::switch_core::{KeySet, Lanes};
use mkns_design::{BlockModule, RouteSource};
use mkns_traffic::{Shared, Traffic};

/// What all blocks are made from.
pub struct Builder<'a> {
    share: &'a RankShare<'a>,
    routes: RouteSource,
    shapes: Vec<Shape<'a>>,
    host_shapes: Vec<Arc<HostPortShape>>,
    traffic: &'a Traffic,
    shared: &'a Shared,
}

impl<'a> Builder<'a> {
    pub fn new(
        share: &'a RankShare<'a>,
        routes: RouteSource,
        traffic: &'a Traffic,
        shared: &'a Shared,
    ) -> Builder<'a> {
        let plan = share.plan();
        let line_credits = share.serial.map_or(0, |serial| serial.more_credits);
        let shape = |module| {
            let shape = Shape::new(module).with_line_credits(line_credits);
            shape.over(module, plan.blocks_between.as_ref())
        };
        let host_shapes = plan.modules.iter();
        let host_shapes = host_shapes.map(|module| Arc::new(HostPortShape::new(module)));
        Builder {
            routes,
            shapes: plan.modules.iter().map(shape).collect(),
            host_shapes: host_shapes.collect(),
            traffic,
            shared,
            share,
        }
    }

    /// All parts of this rank.
    pub fn parts<K: KeySet>(&self) -> Vec<ThreadShare<K>> {
        let parts = self.share.parts();
        parts.map(|(part, first)| self.part(part, first)).collect()
    }

    /// A part of which `first` is the number of the first block among those of this rank.
    fn part<K: KeySet>(&self, number: u16, first: usize) -> ThreadShare<K> {
        let (share, plan) = (self.share, self.share.plan());
        let ids = share.members[usize::from(number - share.own.start)].clone();
        let blocks = first..first + ids.len();
        let modules = blocks.clone().map(|block| share.instance(block).module);
        let ports = modules.map(|module| plan.modules[module].core_ports() as usize);
        let wires = Wires::new(ids.len(), ports.sum(), share.slots);
        let built = blocks.map(|block| self.block(block)).collect();
        let is_large = ids.len() > share.stepping.blocks_in_cache;
        let mut part = ThreadShare::new(number, ids, built, wires, is_large);
        if share.ranks > 1 {
            part.find_border(share.own.clone());
        }
        part
    }

    /// The block with this number among those of this rank.
    fn block<K: KeySet>(&self, number: usize) -> FabricBlock<K> {
        let (plan, instance) = (self.share.plan(), self.share.instance(number));
        let module = &plan.modules[instance.module];
        let shape = &self.shapes[instance.module];
        let mut core = shape.core(Some(&instance.tables));
        if let Some(core) = core.switch_mut()
            && let Some(routes) = self.routes.computed(plan, instance.block)
        {
            core.compute_routes(routes);
        }
        // A simulation begins a cycle after reset.
        core.rest();
        let BlockPlace {
            input_slot,
            first_host,
            ..
        } = self.share.places[number];
        let masks = LayerMasks::new(module, instance.layer_choice.as_ref());
        let hosts = (0..module.pcie_ports).map(|port| {
            let source = self.traffic.source(first_host + port, self.shared);
            let shape = Arc::clone(&self.host_shapes[instance.module]);
            Host::new(module, shape, (port, source), masks.clone())
        });
        let hosts = hosts.collect();
        let (links, link_up) = self.links(number, shape.output_latency());
        if let (Some(serial), Some(core)) = (&links.serial, core.switch_mut()) {
            let more = self.share.serial.map_or(0, |serial| serial.more_credits);
            core.add_credits(serial.ports, more);
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
            input_slot,
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
    fn links<K: KeySet>(&self, number: usize, output_latency: usize) -> (Links<K>, u32) {
        let share = self.share;
        let module = &share.plan().modules[share.instance(number).module];
        let own = share.places[number].input_slot;
        let mut peers = K::PerPort::filled(InputSlot::default());
        let mut upstream = peers.clone();
        let (mut link_up, mut is_alike, mut serial) = (0, true, 0);
        let links = share.links_of(number);
        for (port, link) in links.iter().enumerate() {
            if let Some(link) = link {
                peers[port] = link.peer;
                upstream[port] = link.sender;
                is_alike &= link.sender == link.peer;
                link_up |= 1 << port;
                serial |= u32::from(link.is_serial) << port;
            }
        }
        for port in module.network_ports as u8..module.core_ports() as u8 {
            let input_slot = own.of_port(port, share.slots);
            peers[usize::from(port)] = input_slot;
            upstream[usize::from(port)] = input_slot;
            link_up |= 1 << port;
        }
        let links = Links {
            serial: share.serial.and_then(|cables| cables.ports_of(serial)),
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
