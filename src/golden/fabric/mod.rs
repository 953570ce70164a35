//! A whole network of golden blocks for simulation: the same cores and PCIe-side ports as in
//! [`super::NetworkModel`], stepped without packed words.
//!
//! What a block sends in a cycle reaches another block at the earliest L + 1 cycles later (a credit:
//! its register, then the link), so every block is stepped that many cycles before the next one.
//! Parts of the network are stepped by different threads; they exchange what crosses their borders
//! between such batches. Neither the batches nor the parts change any result.

mod block;
mod host;
mod wires;

pub use host::{Arrivals, Delivery};

use std::sync::Arc;

use rayon::prelude::*;

use super::computed_routes;
use super::header::Header;
use super::network::RouteSource;
use super::switch_core::{CoreShape, KeySet, SwitchCore};
use super::traffic::{Addresses, Hosts, Pattern, Source, Traffic};
use crate::design::{BlockInstance, Plan};
use crate::topology::{End, NetworkIndex, PortIndex};
use block::{Delays, FabricBlock, Outlets, Peer};
use host::Host;
use wires::{Content, Message, Wires};

/// Blocks whose state stays in the caches of a core from one batch to the next, about.
const BLOCKS_IN_CACHE: usize = 500;

/// Blocks that one thread steps.
#[derive(Debug)]
struct Part<K> {
    first_block: u32,
    blocks: Vec<FabricBlock<K>>,
    wires: Wires<K>,
    outbox: Vec<Message>,
    deliveries: Vec<Delivery>,
}

/// All blocks, cables and hosts of a network.
#[derive(Debug)]
pub struct Fabric<K> {
    parts: Vec<Part<K>>,
    /// Block and PCIe port of every compute module.
    hosts: Vec<(u32, u8)>,
    addresses: Arc<Addresses>,
    pattern: Pattern,
    delays: Delays,
    /// Cycles of a batch.
    batch: u64,
    now: u64,
}

/// A delivery, with what the header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Arrived {
    pub cycle: u64,
    pub source: u32,
    pub destination: u32,
}

impl Arrived {
    /// A packet with this header, taken in `cycle`.
    pub fn new(addresses: &Addresses, cycle: u64, header: u64) -> Arrived {
        let header = Header::unpack(header);
        Arrived {
            cycle,
            source: addresses.vm_at(header.source),
            destination: addresses.vm_at(header.destination),
        }
    }
}

/// Bytes of a simulated network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Memory {
    /// Model state: everything but the two below.
    pub state: usize,
    /// Flits in queues, in PCIe-side ports and on the way.
    pub buffers: usize,
}

impl<K: KeySet + Send + Sync> Fabric<K> {
    /// All blocks in their reset state, all cables up, in `parts` parts.
    pub fn new(plan: &Plan, routes: RouteSource, traffic: &Traffic, parts: usize) -> Fabric<K> {
        let Hosts {
            sources,
            addresses,
            pattern,
        } = traffic.hosts(plan);
        let mut builder = Builder::new(plan, routes, sources);
        let count = plan.instances.len();
        let parts = parts.clamp(1, count);
        let bounds: Vec<usize> = (0..=parts).map(|part| part * count / parts).collect();
        let parts = bounds
            .windows(2)
            .map(|bounds| builder.part(bounds[0]..bounds[1]));
        let terminals = plan.network.terminals.iter();
        Fabric {
            parts: parts.collect(),
            hosts: terminals.map(|t| (t.block.0, t.pcie_port)).collect(),
            addresses,
            pattern,
            delays: builder.delays,
            batch: builder.delays.link + 1,
            now: 0,
        }
    }

    /// Cycles of a batch; nothing that happens in one has an effect on another block or host in
    /// the same.
    pub fn batch(&self) -> u64 {
        self.batch
    }

    /// Cycles done.
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Steps all blocks by one batch; `deliveries` becomes the packets that hosts took in it.
    pub fn step(&mut self, deliveries: &mut Vec<Arrived>) {
        let (delays, cycles) = (self.delays, self.now..self.now + self.batch);
        if let [part] = &mut self.parts[..] {
            part.step(delays, cycles.clone());
        } else {
            let parts = self.parts.par_iter_mut().with_max_len(1);
            parts.for_each(|part| part.step(delays, cycles.clone()));
            self.exchange();
        }
        self.now = cycles.end;
        self.collect(deliveries);
    }

    /// The source of a compute module.
    pub fn source_mut(&mut self, vm: u32) -> &mut Source {
        let (block, port) = self.hosts[vm as usize];
        let part = part_of(&self.parts, block);
        let part = &mut self.parts[part];
        let block = &mut part.blocks[(block - part.first_block) as usize];
        &mut block.hosts[usize::from(port)].source
    }

    /// Where a compute module passes on what it receives under broadcast traffic.
    pub fn children_of(&self, vm: u32) -> &[u32] {
        match &self.pattern {
            Pattern::Broadcast(children) => &children[vm as usize],
            _ => &[],
        }
    }

    /// The sources of all compute modules.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        self.blocks()
            .flat_map(|block| block.hosts.iter().map(|host| &host.source))
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

    /// Counter of flits sent (section 4) of every network port of every block.
    pub fn flits_sent(&self) -> Vec<Vec<u32>> {
        let ports = |block: &FabricBlock<K>| {
            let ports = 0..block.peers.len();
            ports.map(|port| block.core.flits_sent(port)).collect()
        };
        self.blocks().map(ports).collect()
    }

    /// Bytes that the network takes now.
    pub fn memory(&self) -> Memory {
        let mut memory = Memory::default();
        for part in &self.parts {
            memory.buffers += part.wires.bytes();
        }
        for block in self.blocks() {
            let (state, buffers) = block.core.bytes();
            memory.state += size_of::<FabricBlock<K>>() + state + size_of_val(&*block.peers);
            memory.buffers += buffers;
            for host in &block.hosts {
                let (state, buffers) = host.bytes();
                memory.state += state;
                memory.buffers += buffers;
            }
        }
        memory
    }

    fn blocks(&self) -> impl Iterator<Item = &FabricBlock<K>> {
        self.parts.iter().flat_map(|part| &part.blocks)
    }

    /// Hands over what crossed the borders of the parts.
    fn exchange(&mut self) {
        for from in 0..self.parts.len() {
            let mut messages = std::mem::take(&mut self.parts[from].outbox);
            for message in messages.drain(..) {
                let to = part_of(&self.parts, message.block);
                self.parts[to].accept(message);
            }
            self.parts[from].outbox = messages;
        }
    }

    fn collect(&mut self, deliveries: &mut Vec<Arrived>) {
        deliveries.clear();
        for part in &mut self.parts {
            let addresses = &self.addresses;
            let arrived = part.deliveries.drain(..);
            deliveries.extend(
                arrived.map(|delivery| Arrived::new(addresses, delivery.cycle, delivery.header)),
            );
        }
    }
}

impl<K: KeySet> Part<K> {
    /// Every block through all cycles of a batch.
    fn step(&mut self, delays: Delays, cycles: std::ops::Range<u64>) {
        let mut out = Outlets {
            wires: &mut self.wires,
            first_block: self.first_block,
            blocks: self.blocks.len() as u32,
            outbox: &mut self.outbox,
            deliveries: &mut self.deliveries,
        };
        let is_large = self.blocks.len() > BLOCKS_IN_CACHE;
        for (block, number) in self.blocks.iter_mut().zip(self.first_block..) {
            if is_large {
                std::hint::black_box(block.core.touch());
            }
            for now in cycles.clone() {
                block.cycle(number, now, delays, &mut out);
            }
        }
    }

    fn accept(&mut self, message: Message) {
        let own = (message.block - self.first_block) as usize;
        let (slot, port) = (message.slot as usize, usize::from(message.port));
        match message.content {
            Content::Flit(flit) => {
                let block = &self.blocks[own];
                let ports = block.peers.len() + block.hosts.len();
                self.wires.put_flit(own, ports, slot, port, flit);
            }
            Content::Credit(channel) => {
                self.wires.put_credit(own, slot, port, usize::from(channel));
            }
        }
    }
}

/// The part that holds a block.
fn part_of<K>(parts: &[Part<K>], block: u32) -> usize {
    parts.partition_point(|part| part.first_block <= block) - 1
}

/// What all blocks are made from.
struct Builder<'a> {
    plan: &'a Plan,
    routes: RouteSource,
    index: NetworkIndex,
    shapes: Vec<Arc<CoreShape>>,
    /// By compute module; taken when its block is built.
    sources: Vec<Option<Source>>,
    delays: Delays,
    /// First compute module of every block.
    first_vms: Vec<u32>,
}

impl<'a> Builder<'a> {
    fn new(plan: &'a Plan, routes: RouteSource, sources: Vec<Source>) -> Builder<'a> {
        let shapes: Vec<Arc<CoreShape>> = plan
            .modules
            .iter()
            .map(|module| {
                let mut shape = CoreShape::new(module);
                // They show the load of the links and have no effect on it.
                shape.counters = true;
                Arc::new(shape)
            })
            .collect();
        let mut first_vms = vec![u32::MAX; plan.instances.len()];
        for terminal in plan.network.terminals.iter().rev() {
            first_vms[terminal.block.0 as usize] = terminal.vm;
        }
        Builder {
            routes,
            index: plan.network.index(),
            delays: Delays {
                output: shapes[0].output_latency() as u64,
                link: u64::from(plan.spec.block.link_latency),
            },
            shapes,
            sources: sources.into_iter().map(Some).collect(),
            first_vms,
            plan,
        }
    }

    fn part<K: KeySet>(&mut self, blocks: std::ops::Range<usize>) -> Part<K> {
        let plan = self.plan;
        let instances = &plan.instances[blocks.clone()];
        let ports: Vec<usize> = instances
            .iter()
            .map(|instance| self.shapes[instance.module].ports)
            .collect();
        let Delays { output, link } = self.delays;
        // A batch starts at its first cycle, in which the block before may have sent in its last.
        let farthest = output + 2 * link + 2;
        Part {
            first_block: blocks.start as u32,
            blocks: instances
                .iter()
                .map(|instance| self.block(instance))
                .collect(),
            wires: Wires::new(&ports, farthest as usize),
            outbox: Vec::new(),
            deliveries: Vec::new(),
        }
    }

    fn block<K: KeySet>(&mut self, instance: &BlockInstance) -> FabricBlock<K> {
        let module = &self.plan.modules[instance.module];
        let shape = Arc::clone(&self.shapes[instance.module]);
        let mut core = SwitchCore::new(module, shape, Some(&instance.tables));
        if self.routes == RouteSource::Arithmetic
            && let Some(next_hop) = computed_routes(self.plan, instance.block)
        {
            core.compute_routes(next_hop);
        }
        let network_ports = module.network_ports;
        let peer = |port: u32| {
            let port = PortIndex(port as u8);
            let block = instance.block;
            self.index
                .peer(End { block, port })
                .map(|end| self.peer(end))
        };
        let peers: Box<[Option<Peer>]> = (0..network_ports).map(peer).collect();
        let hosts_up = ((1 << module.pcie_ports) - 1) << network_ports;
        let joined = peers.iter().enumerate().filter(|(_, peer)| peer.is_some());
        let first_vm = self.first_vms[instance.block.0 as usize];
        let hosts = (0..module.pcie_ports).map(|port| {
            let source = self.sources[(first_vm + port) as usize].take();
            let source = source.expect("a compute module is behind one port");
            Host::new(module, port, source)
        });
        FabricBlock {
            core,
            hosts: hosts.collect(),
            link_up: joined.fold(hosts_up, |up, (port, _)| up | 1 << port),
            peers,
            node_address: instance.node_address,
        }
    }

    fn peer(&self, end: End) -> Peer {
        let module = self.plan.instances[end.block.0 as usize].module;
        Peer {
            block: end.block.0,
            port: end.port.0,
            ports: self.shapes[module].ports as u8,
        }
    }
}
