//! From tables in use to new ones while packets travel: can any mixture of the two make packets wait in a circle?
//!
//! Entries are written one by one, so a packet may find old entries at some blocks and new ones at others. The
//! dependencies of all such mixtures are more than those of the old tables and those of the new ones together.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::Routing;
use crate::flat::{FlatTables, Slot, ports_in};
use crate::verify::circle_of;
use mkns_spec::NetworkSpec;
use mkns_topology::{BlockId, Faults, Network, NetworkIndex};

/// Two sets of tables of one network.
pub struct Transition<'a> {
    network: &'a Network,
    faults: &'a Faults,
    old: &'a Routing,
    new: &'a Routing,
    layers: u32,
    index: NetworkIndex,
    old_flat: FlatTables,
    new_flat: FlatTables,
}

/// The channel dependencies of packets, as a check for circles takes them: for each directed cable and virtual
/// channel the output ports by which packets go on, as bits.
pub struct Dependencies(Vec<AtomicU64>);

/// Which tables packets for a destination may meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableMix {
    Old,
    New,
    /// The old ones, and from some block on the new ones: each destination's entries are written from it outwards,
    /// so that the way behind a new entry is new.
    OldThenNew,
    /// Any entry of either.
    Both,
}

/// What a packet may still meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    First,
    /// New entries only, once it has met one.
    New,
}

/// What one walk remembers.
struct Walk {
    /// Output ports of each block for the destination, those that lead to the first phase and those that lead to the
    /// second; none before the block is met.
    outputs: Vec<Option<[u64; 2]>>,
    /// By adapter block: the layers in which it sends to the destination, as bits.
    asked: Vec<u8>,
    met: Vec<usize>,
    /// By directed cable, channel and phase: whether packets have been followed from there.
    followed: Vec<bool>,
    passed: Vec<usize>,
    trail: Vec<usize>,
}

impl<'a> Transition<'a> {
    /// The change of a network in which `faults` have failed. Both sets of tables have the same shape.
    pub fn new(
        spec: &NetworkSpec,
        network: &'a Network,
        faults: &'a Faults,
        (old, new): (&'a Routing, &'a Routing),
    ) -> Self {
        let index = network.index_without(faults);
        let flat = |routing| FlatTables::new(&index, network, routing, spec);
        Self {
            old_flat: flat(old),
            new_flat: flat(new),
            layers: spec.block.layers,
            network,
            faults,
            old,
            new,
            index,
        }
    }

    /// Whether packets change channels by the same rules before and after. Where they do not, no tables may change
    /// while packets are in the network (`docs/microarchitecture.md`, 1.6).
    pub fn keeps_channels(&self) -> bool {
        let steps = |routing: &'a Routing| routing.tables.iter().map(|tables| &tables.step);
        let entries = |routing: &'a Routing| {
            let paths = routing.paths.iter();
            paths.flat_map(|paths| &paths.entry_channels)
        };
        steps(self.old).eq(steps(self.new)) && entries(self.old).eq(entries(self.new))
    }

    /// Whether each table entry above the PCIe field belongs to one destination.
    pub fn is_flat(&self) -> bool {
        self.new.layout.fields.len() == 2
    }

    /// No dependencies yet.
    pub fn nothing(&self) -> Dependencies {
        let channels = self.index.slots() * self.old_flat.channels() as usize;
        Dependencies((0..channels).map(|_| AtomicU64::new(0)).collect())
    }

    /// Those of packets that move as these do, to add others to.
    pub fn copy(&self, dependencies: &Dependencies) -> Dependencies {
        let turns = dependencies.0.iter();
        let turns = turns.map(|turn| AtomicU64::new(turn.load(Ordering::Relaxed)));
        Dependencies(turns.collect())
    }

    /// Adds the dependencies of the packets for some adapter blocks.
    pub fn add(&self, dependencies: &Dependencies, destinations: &[u32], tables: TableMix) {
        let works = |to: &&u32| self.faults.block_works(BlockId(**to));
        let mut destinations: Vec<u32> = destinations.iter().filter(works).copied().collect();
        destinations.sort_unstable();
        let new_walk = || Walk {
            asked: Vec::new(),
            outputs: vec![None; self.network.blocks.len()],
            met: Vec::new(),
            followed: vec![false; 2 * dependencies.0.len()],
            passed: Vec::new(),
            trail: Vec::new(),
        };
        // The masks of one source for some destinations lie side by side.
        const AT_A_TIME: usize = 32;
        let groups = destinations.par_chunks(AT_A_TIME);
        groups.for_each_init(new_walk, |walk, group| {
            for (to, asked) in group.iter().zip(self.asked(group, tables)) {
                walk.asked = asked;
                let any = walk.asked.iter().fold(0, |any, layers| any | layers);
                for layer in (0..self.layers).filter(|layer| any >> layer & 1 == 1) {
                    self.follow_all(dependencies, (*to, layer), tables, walk);
                }
            }
        });
    }

    /// A circle in which packets can wait, in words.
    pub fn circle(&self, dependencies: &Dependencies) -> Option<String> {
        let turns = dependencies.0.iter();
        let turns: Vec<u64> = turns.map(|turn| turn.load(Ordering::Relaxed)).collect();
        circle_of(self.network, &self.index, &self.old_flat, &turns)
    }

    /// The adapter blocks for which some entry or mask differs, where each entry belongs to one of them.
    pub fn changed_destinations(&self) -> Vec<u32> {
        let depth = self.new.layout.fields[1].depth() as usize;
        let mut changed = vec![false; depth];
        for (old, new) in self.old.tables.iter().zip(&self.new.tables) {
            for (old, new) in old.tables.iter().zip(&new.tables) {
                if new.field != 1 {
                    continue;
                }
                for (at, (old, new)) in old.entries.iter().zip(&new.entries).enumerate() {
                    changed[at % depth] |= old != new;
                }
            }
        }
        let adapters = 0..self.network.adapters().len() as u32;
        adapters.filter(|&to| changed[to as usize]).collect()
    }

    /// For every block the hops to the adapter block `to` by the new tables of a layer; none where they do not lead
    /// there. In this order entries are written from the destination outwards.
    pub fn new_hops(&self, to: u32, layer: u32) -> Vec<Option<u32>> {
        let address = self.new.layout.address_of_node(to);
        let flat = &self.new_flat;
        flat.hops(&flat.decide_all(layer, address), to as usize)
    }

    /// For each destination and every adapter block the layers in which it may send there, as bits; none where it does
    /// not work.
    fn asked(&self, destinations: &[u32], tables: TableMix) -> Vec<Vec<u8>> {
        let layout = &self.new.layout;
        let node = |to: &u32| layout.node_address(layout.address_of_node(*to));
        let nodes: Vec<u32> = destinations.iter().map(node).collect();
        let adapters = self.network.adapters().len();
        let mut asked = vec![vec![0; adapters]; destinations.len()];
        let routings: &[&Routing] = match tables {
            TableMix::Old => &[self.old],
            TableMix::New => &[self.new],
            TableMix::OldThenNew | TableMix::Both => &[self.old, self.new],
        };
        for from in (0..adapters).filter(|&from| self.faults.block_works(BlockId(from as u32))) {
            for (place, &node) in nodes.iter().enumerate() {
                for routing in routings {
                    let paths = routing.paths.as_ref();
                    asked[place][from] |= paths.map_or(u8::MAX, |paths| paths.mask(from, node));
                }
            }
        }
        for (asked, &to) in asked.iter_mut().zip(destinations) {
            asked[to as usize] = 0;
        }
        asked
    }

    fn follow_all(
        &self,
        dependencies: &Dependencies,
        (to, layer): (u32, u32),
        tables: TableMix,
        walk: &mut Walk,
    ) {
        let address = self.new.layout.address_of_node(to);
        let paths = self.old.paths.as_ref();
        let entry = paths.map_or(0, |paths| paths.entry_channels[layer as usize]);
        let flat = &self.old_flat;
        for (from, block) in self.network.adapters().iter().enumerate() {
            if walk.asked[from] >> layer & 1 == 0 {
                continue;
            }
            let outputs = self.outputs(walk, from, (layer, address), tables);
            // Hosts whose packets change channels by one rule ask for the same.
            let inputs = (0..block.pcie_ports).map(|pcie| block.network_ports + pcie);
            let mut rows: Vec<(u64, u8)> =
                inputs.map(|port| (flat.steps(from, port), port)).collect();
            rows.dedup_by_key(|(row, _)| *row);
            for (_, input) in rows {
                for start in flat.start_channels() {
                    self.go_on(walk, outputs, from, (input, start + entry));
                    self.follow(dependencies, (to, layer, address), tables, walk);
                }
            }
        }
        for block in walk.met.drain(..) {
            walk.outputs[block] = None;
        }
        for node in walk.passed.drain(..) {
            walk.followed[node] = false;
        }
    }

    /// Follows packets from the channels on the trail as far as no others have come.
    fn follow(
        &self,
        dependencies: &Dependencies,
        (to, layer, address): (u32, u32, u32),
        tables: TableMix,
        walk: &mut Walk,
    ) {
        let flat = &self.old_flat;
        let phases = [Phase::First, Phase::New];
        while let Some(node) = walk.trail.pop() {
            if std::mem::replace(&mut walk.followed[node], true) {
                continue;
            }
            walk.passed.push(node);
            let (phase, place) = (phases[node % 2], node / 2);
            let channels = flat.channels() as usize;
            let (slot, channel) = ((place / channels) as Slot, (place % channels) as u32);
            let next = flat.next_block(slot);
            if next == to as usize {
                continue;
            }
            let mut outputs = self.outputs(walk, next, (layer, address), tables);
            if phase == Phase::New {
                outputs[0] = 0;
            }
            let ports = outputs[0] | outputs[1];
            let known = &dependencies.0[place];
            if known.load(Ordering::Relaxed) & ports != ports {
                known.fetch_or(ports, Ordering::Relaxed);
            }
            self.go_on(walk, outputs, next, (flat.entry_port(slot), channel));
        }
    }

    /// Puts what a packet does at a block that it enters by a port on a channel on the trail.
    fn go_on(&self, walk: &mut Walk, outputs: [u64; 2], block: usize, (input, channel): (u8, u32)) {
        let flat = &self.old_flat;
        for (phase, ports) in outputs.into_iter().enumerate() {
            for port in ports_in(ports) {
                let channel = flat.next_channel(block, input, port, channel);
                let place = flat.slot(block, port) * flat.channels() + channel;
                walk.trail.push(2 * place as usize + phase);
            }
        }
    }

    /// The network ports by which a block may forward to either phase, as bits.
    fn outputs(
        &self,
        walk: &mut Walk,
        block: usize,
        (layer, address): (u32, u32),
        tables: TableMix,
    ) -> [u64; 2] {
        if let Some(known) = walk.outputs[block] {
            return known;
        }
        let (old, new) = (&self.old_flat, &self.new_flat);
        let either = |a: &FlatTables, b| a.outputs_of_either(b, block, layer, address);
        let found = match tables {
            TableMix::Old => [either(old, old), 0],
            TableMix::New => [0, either(new, new)],
            TableMix::OldThenNew => [either(old, old), either(new, new)],
            TableMix::Both => [either(old, new), 0],
        };
        walk.outputs[block] = Some(found);
        walk.met.push(block);
        found
    }
}
