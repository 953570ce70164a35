//! Does every packet arrive, on a shortest path, where coordinate arithmetic says.
//!
//! Walks the tables from every adapter block to every other and collects on the way which turns from
//! cable to cable packets make, for the deadlock check. One task per 64 destinations, so that one
//! breadth-first search gives the true distances of all of them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::{Check, Progress, State, Violations};
use crate::flat::{Decision, FlatTables, NONE, Slot};
use crate::{AddressLayout, Arithmetic, PathLayers};
use mkns_topology::distances::{Adjacency, BATCH};
use mkns_topology::{BlockId, Faults, Network, NetworkIndex};

/// Hops of a block whose packets do not arrive.
const LOST: u8 = u8::MAX;
/// Hops of a block that has not been walked yet.
const UNKNOWN: u8 = u8::MAX - 1;
/// Hops of a block on the walk in progress: meeting it again is a loop.
const WALKING: u8 = u8::MAX - 2;

/// What the walks need.
pub struct WalkContext<'a> {
    pub network: &'a Network,
    pub index: &'a NetworkIndex,
    pub faults: &'a Faults,
    pub layout: &'a AddressLayout,
    pub paths: Option<&'a PathLayers>,
    pub layers: u32,
    pub adjacency: Adjacency,
    pub flat: FlatTables,
    /// `None` where the kind of network has no closed form.
    pub arithmetic: Option<Arithmetic>,
    /// For every block the first of those that it hangs together with.
    pub joined: Vec<usize>,
    /// Whether every path has to be a shortest one.
    pub claims_minimal: bool,
    /// The file that the tables are from, where no engine made them.
    pub from_file: Option<&'a str>,
    /// Whether pairs that no cables join any more are left out instead of counted as not served.
    pub only_joined: bool,
}

/// What the walks found.
pub struct Outcome {
    /// `delivery`, `minimal`, `arithmetic`.
    pub checks: Vec<Check>,
    /// Per directed cable (slot of its sending port) and virtual channel: set of output ports, as
    /// bits, by which packets that came over it leave the block at its end.
    pub turns: Vec<u64>,
}

/// Violations of a batch of destinations.
#[derive(Default)]
struct Findings {
    delivery: Violations,
    minimal: Violations,
    arithmetic: Violations,
    /// Pairs by the hops that they pass more than a shortest path.
    detours: BTreeMap<u32, u64>,
}

/// Buffers of one destination.
struct Scratch {
    /// Port by which each block forwards, [`NONE`] when it delivers or drops.
    out: Vec<Slot>,
    stack: Vec<usize>,
    /// Set of virtual channels on which packets leave each block.
    reached: Vec<u8>,
}

impl WalkContext<'_> {
    pub fn run(&self, progress: Progress<'_>) -> Outcome {
        let channels = self.index.slots() * self.flat.channels() as usize;
        let turns: Vec<AtomicU64> = (0..channels).map(|_| AtomicU64::new(0)).collect();
        let nodes: Vec<u32> = (0..self.network.adapters().len() as u32).collect();
        let batches: Vec<(u32, &[u32])> = (0..self.layers)
            .flat_map(|layer| nodes.chunks(BATCH).map(move |batch| (layer, batch)))
            .collect();
        let found: Vec<Findings> = batches
            .par_iter()
            .map(|(layer, batch)| {
                let findings = self.batch(*layer, batch, &turns);
                progress(batch.len() as u64);
                findings
            })
            .collect();
        let mut all = Findings::default();
        for findings in found {
            all.delivery.merge(findings.delivery);
            all.minimal.merge(findings.minimal);
            all.arithmetic.merge(findings.arithmetic);
            for (hops, pairs) in findings.detours {
                *all.detours.entry(hops).or_default() += pairs;
            }
        }
        Outcome {
            checks: self.checks(all),
            turns: turns.into_iter().map(AtomicU64::into_inner).collect(),
        }
    }

    fn checks(&self, all: Findings) -> Vec<Check> {
        let nodes = self.network.adapters().len();
        let layers = self.layers;
        let pairs = format!(
            "{} ordered pairs of adapter blocks in {layers} layer(s)",
            nodes * nodes
        );
        let hosts = self.network.hosts.len();
        let without = match self.faults.is_empty() {
            true => "",
            false => " between parts that work",
        };
        vec![
            all.delivery.into_check(
                "delivery",
                format!("{pairs}, {hosts} PCIe ports: every packet{without} arrives"),
            ),
            self.minimal_check(&pairs, all.minimal, &all.detours),
            self.arithmetic_check(all.arithmetic),
        ]
    }

    fn minimal_check(
        &self,
        pairs: &str,
        violations: Violations,
        detours: &BTreeMap<u32, u64>,
    ) -> Check {
        if self.claims_minimal {
            let examined = format!("{pairs}: hops equal the shortest distance");
            return violations.into_check("minimal", examined);
        }
        let counts = detours
            .iter()
            .map(|(hops, pairs)| format!("+{hops}: {pairs}"));
        let counts: Vec<String> = counts.collect();
        let counts = format!("paths by hops above the shortest: {}", counts.join(", "));
        let examined = match self.from_file {
            Some(file) => format!("the table is from {file}; {counts}"),
            None => counts,
        };
        Check {
            state: State::Skipped,
            ..violations.into_check("minimal", examined)
        }
    }

    fn arithmetic_check(&self, faults: Violations) -> Check {
        let (blocks, nodes) = (self.network.blocks.len(), self.network.adapters().len());
        if self.arithmetic.is_none() {
            let why = match self.from_file {
                Some(file) => format!("the table is from {file}"),
                None => "these routes have no closed form".to_owned(),
            };
            return Check {
                state: State::Skipped,
                ..faults.into_check("arithmetic", why)
            };
        }
        let examined =
            format!("{blocks} blocks × {nodes} destinations: tables equal coordinate arithmetic");
        faults.into_check("arithmetic", examined)
    }

    fn batch(&self, layer: u32, destinations: &[u32], turns: &[AtomicU64]) -> Findings {
        let blocks = self.network.blocks.len();
        let mut findings = Findings::default();
        let mut hops = vec![UNKNOWN; blocks * destinations.len()];
        let mut scratch = Scratch {
            out: vec![NONE; blocks],
            stack: Vec::new(),
            reached: vec![0; blocks],
        };
        for (row, &destination) in hops.chunks_mut(blocks).zip(destinations) {
            if !self.works(destination as usize) {
                continue;
            }
            self.decide_all(layer, destination, &mut scratch.out, &mut findings);
            let asked = self.senders(layer, destination);
            self.walk_all(
                (destination as usize, &asked),
                row,
                &mut scratch,
                &mut findings.delivery,
            );
            self.collect_turns((layer, destination as usize, &asked), &mut scratch, turns);
            if layer == 0 {
                self.check_masks(destination, &mut findings.delivery);
            }
        }
        let adapters = self.network.adapters().len();
        let asked: Vec<Vec<bool>> = destinations
            .iter()
            .map(|&destination| self.senders(layer, destination))
            .collect();
        self.adjacency
            .search(destinations, |distance, block, mut which| {
                while block < adapters && which != 0 {
                    let bit = which.trailing_zeros() as usize;
                    which &= which - 1;
                    let walked = hops[bit * blocks + block];
                    if walked == LOST || !asked[bit][block] {
                        continue;
                    }
                    let detour = u32::from(walked) - distance;
                    *findings.detours.entry(detour).or_default() += 1;
                    if self.claims_minimal && detour > 0 {
                        let (from, to) = (self.name(block), self.name(destinations[bit] as usize));
                        findings.minimal.add(|| {
                            format!("{from} to {to}: {walked} hops, shortest is {distance}")
                        });
                    }
                }
            });
        findings
    }

    fn name(&self, block: usize) -> &str {
        &self.network.blocks[block].name
    }

    fn works(&self, block: usize) -> bool {
        self.faults.block_works(BlockId(block as u32))
    }

    /// Whether cables that work join two blocks.
    fn are_joined(&self, from: usize, to: usize) -> bool {
        self.joined[from] == self.joined[to]
    }

    /// The node address of an adapter block, above the PCIe field.
    fn node_address(&self, destination: u32) -> u32 {
        let per_node = u32::from(self.network.blocks[destination as usize].pcie_ports);
        self.layout
            .node_address(self.layout.address_of(destination * per_node))
    }

    /// The adapter blocks whose packets for `destination` may take `layer`; none where one of the two has failed.
    fn senders(&self, layer: u32, destination: u32) -> Vec<bool> {
        let node = self.node_address(destination);
        let reachable = self.works(destination as usize);
        let allowed = |from| match self.paths {
            Some(paths) => paths.mask(from, node) >> layer & 1 == 1,
            None => true,
        };
        (0..self.network.adapters().len())
            .map(|from| reachable && self.works(from) && allowed(from))
            .collect()
    }

    /// Every adapter block that works needs a layer to every other.
    fn check_masks(&self, destination: u32, violations: &mut Violations) {
        let Some(paths) = self.paths else {
            return;
        };
        let node = self.node_address(destination);
        for from in 0..self.network.adapters().len() {
            let counts = !self.only_joined || self.are_joined(from, destination as usize);
            if counts && self.works(from) && paths.mask(from, node) == 0 {
                let (from, to) = (self.name(from), self.name(destination as usize));
                violations.add(|| format!("{from} to {to}: no layer leads there"));
            }
        }
    }

    /// Looks every block's tables up for a destination, and compares with the closed form.
    fn decide_all(&self, layer: u32, destination: u32, out: &mut [Slot], findings: &mut Findings) {
        let per_node = u32::from(self.network.blocks[destination as usize].pcie_ports);
        let address = self.layout.address_of(destination * per_node);
        let node = self.layout.decode(address);
        let node = &node.expect("every host has an address")[1..];
        for (number, block) in self.network.blocks.iter().enumerate() {
            let decision = self.flat.decide(number, layer, address);
            out[number] = match decision {
                Decision::Forward(slot) => slot,
                Decision::Deliver(_) | Decision::Drop => NONE,
            };
            let port = match decision {
                Decision::Forward(slot) => Some(self.flat.port(slot)),
                Decision::Deliver(_) | Decision::Drop => None,
            };
            let Some(arithmetic) = &self.arithmetic else {
                continue;
            };
            let closed = arithmetic.next_port(block, node);
            if closed.map(|port| port.0) != port || decision == Decision::Drop {
                findings.arithmetic.add(|| {
                    let found = self.words(decision);
                    let closed =
                        closed.map_or("delivery".to_owned(), |port| format!("port {port}"));
                    let to = self.name(destination as usize);
                    format!(
                        "{} to {to}: tables say {found}, arithmetic {closed}",
                        block.name
                    )
                });
            }
        }
        self.check_ports(layer, destination, address, &mut findings.delivery);
    }

    fn words(&self, decision: Decision) -> String {
        match decision {
            Decision::Forward(slot) => format!("port {}", self.flat.port(slot)),
            Decision::Deliver(pcie) => format!("PCI{pcie}"),
            Decision::Drop => "drop".to_owned(),
        }
    }

    /// At the destination every PCIe port must be reached by its own address.
    fn check_ports(&self, layer: u32, destination: u32, address: u32, faults: &mut Violations) {
        let block = &self.network.blocks[destination as usize];
        for pcie in 0..block.pcie_ports {
            let decision = self
                .flat
                .decide(destination as usize, layer, address + u32::from(pcie));
            if decision != Decision::Deliver(pcie) {
                faults.add(|| {
                    let found = self.words(decision);
                    format!("{} PCI{pcie}: the tables say {found}", block.name)
                });
            }
        }
    }

    /// Follows `out` from every adapter block; afterwards `hops` is known for every block passed.
    fn walk_all(
        &self,
        (destination, asked): (usize, &[bool]),
        hops: &mut [u8],
        scratch: &mut Scratch,
        faults: &mut Violations,
    ) {
        hops[destination] = 0;
        for from in 0..self.network.adapters().len() {
            let mut at = from;
            while hops[at] == UNKNOWN && scratch.out[at] != NONE {
                hops[at] = WALKING;
                scratch.stack.push(at);
                at = self.flat.next_block(scratch.out[at]);
            }
            let mut distance = match hops[at] {
                UNKNOWN | WALKING | LOST => LOST,
                known => known,
            };
            if hops[at] == UNKNOWN {
                hops[at] = LOST;
            }
            while let Some(block) = scratch.stack.pop() {
                if distance != LOST {
                    distance += 1;
                }
                hops[block] = distance;
            }
            let joined = self.are_joined(from, destination);
            if hops[from] == LOST && asked[from] && (joined || !self.only_joined) {
                let what = match joined {
                    true => "the packet does not arrive",
                    false => "no cables join them",
                };
                let (from, to) = (self.name(from), self.name(destination));
                faults.add(|| format!("{from} to {to}: {what}"));
            }
        }
    }

    /// Sends a packet from every PCIe port on every channel on which packets start and notes every turn made.
    fn collect_turns(
        &self,
        (layer, destination, asked): (u32, usize, &[bool]),
        scratch: &mut Scratch,
        turns: &[AtomicU64],
    ) {
        let flat = &self.flat;
        let entry = self
            .paths
            .map_or(0, |paths| paths.entry_channels[layer as usize]);
        scratch.reached.fill(0);
        for (from, block) in self.network.adapters().iter().enumerate() {
            let out = scratch.out[from];
            if from == destination || out == NONE || !asked[from] {
                continue;
            }
            for pcie in 0..block.pcie_ports {
                let input = block.network_ports + pcie;
                for start in flat.start_channels() {
                    let channel = flat.next_channel(from, input, flat.port(out), start + entry);
                    self.follow_turns(destination, (from, channel), scratch, turns);
                }
            }
        }
    }

    /// Follows one packet until others have been here before on the same channel.
    fn follow_turns(
        &self,
        destination: usize,
        (mut at, mut channel): (usize, u32),
        scratch: &mut Scratch,
        turns: &[AtomicU64],
    ) {
        let flat = &self.flat;
        while scratch.reached[at] >> channel & 1 == 0 {
            scratch.reached[at] |= 1 << channel;
            let slot = scratch.out[at];
            let next = flat.next_block(slot);
            let out = scratch.out[next];
            if next == destination || out == NONE {
                return;
            }
            let port = flat.port(out);
            let known = &turns[(slot * flat.channels() + channel) as usize];
            // Read first: almost every turn is already known, and a shared write is dear.
            if known.load(Ordering::Relaxed) >> port & 1 == 0 {
                known.fetch_or(1 << port, Ordering::Relaxed);
            }
            channel = flat.next_channel(next, flat.entry_port(slot), port, channel);
            at = next;
        }
    }
}
