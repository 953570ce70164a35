//! The proof for distributed switches: cables, trains, disjoint paths, no circle of links.
//!
//! Trains come from the formulas of `train`; everything else is found by walking the graph as it is
//! wired, which knows no formula. Exhaustive over all pairs of terminals and all paths.

use std::collections::{BTreeMap, BTreeSet};

use super::{Check, Progress, State, VerificationReport, Violations};
use crate::train::{self, follow::follow};
use mkns_spec::DistributedSwitchSpec;
use mkns_topology::distributed_switch::{DistributedSwitch, switch_of};
use mkns_topology::{BlockId, BlockRole, End, Network, NetworkIndex, PortIndex};

/// Runs every check; `progress` is called once per terminal.
pub fn verify(
    spec: &DistributedSwitchSpec,
    network: &Network,
    progress: Progress<'_>,
) -> VerificationReport {
    let switch = switch_of(spec);
    let mut checks = vec![cables(network)];
    if checks[0].state == State::Passed {
        let prover = Prover {
            switch: &switch,
            network,
            index: network.index(),
        };
        checks.extend(prover.pairs(progress));
        checks.push(prover.circles());
    } else {
        checks.extend(["trains", "paths", "deadlock"].map(Check::not_run));
    }
    VerificationReport::new(network, checks)
}

/// Every end is a port, no port sends or receives twice, terminals are where they belong.
fn cables(network: &Network) -> Check {
    let mut faults = Violations::default();
    let (mut senders, mut receivers) = (BTreeSet::new(), BTreeSet::new());
    let name = |end: End| match network.blocks.get(end.block.0 as usize) {
        Some(block) => format!("{} port {}", block.name, end.port.0),
        None => format!("block {}", end.block.0),
    };
    for cable in &network.cables {
        for (from, to) in cable.directions() {
            for end in [from, to] {
                let block = network.blocks.get(end.block.0 as usize);
                if block.is_none_or(|block| end.port.0 >= block.network_ports) {
                    faults.add(|| format!("a cable ends at {}, which is not there", name(end)));
                }
            }
            if !senders.insert(from) {
                faults.add(|| format!("{} sends into two cables", name(from)));
            }
            if !receivers.insert(to) {
                faults.add(|| format!("{} receives from two cables", name(to)));
            }
        }
    }
    for host in &network.hosts {
        let block = network.blocks.get(host.block.0 as usize);
        if block.is_none_or(|block| block.role != BlockRole::Terminal) {
            faults.add(|| format!("host {} is at no terminal", host.host));
        }
    }
    let count = network.cables.len();
    let examined = format!("{count} cables: ends in range, no port sends or receives twice");
    faults.into_check("cables", examined)
}

struct Prover<'a> {
    switch: &'a DistributedSwitch,
    network: &'a Network,
    index: NetworkIndex,
}

/// A path found in the graph, from branch to branch.
#[derive(Debug, Clone)]
struct Found {
    to: BlockId,
    /// Links by number of the sending port; the first leaves the source.
    links: Vec<usize>,
}

impl Prover<'_> {
    fn pairs(&self, progress: Progress<'_>) -> [Check; 2] {
        let (mut trains, mut paths) = (Violations::default(), Violations::default());
        let (mut tried, mut least, mut most) = (0_u64, u32::MAX, 0);
        for from in 0..self.switch.terminals() {
            let mut found: BTreeMap<BlockId, Vec<Found>> = BTreeMap::new();
            for path in self.paths_of(from, &mut paths) {
                found.entry(path.to).or_default().push(path);
            }
            for to in 0..self.switch.terminals() {
                tried += self.trains(from, to, &mut trains);
                let ways = found.get(&BlockId(to)).map_or(&[][..], Vec::as_slice);
                let count = disjoint(ways);
                (least, most) = (least.min(count), most.max(count));
                self.judge(from, to, ways, count, &mut paths);
            }
            progress(1);
        }
        let pairs = u64::from(self.switch.terminals()).pow(2);
        let (k, sigma) = (self.switch.cascades(), self.switch.disjoint_paths());
        let examined = format!(
            "{tried} trains of {} local addresses for {pairs} pairs: every one arrives",
            k + 1
        );
        let trains = trains.into_check("trains", examined);
        let links = 2 * k;
        let examined = if self.switch.is_duplex() {
            format!(
                "{pairs} pairs: {least} to {most} link-disjoint paths of {links} links each, at least \
                 σ = {sigma}"
            )
        } else {
            format!(
                "{pairs} pairs: exactly one path each, of {links} links through one spine switch"
            )
        };
        [trains, paths.into_check("paths", examined)]
    }

    /// Follows every train that the source may choose in the first cascade; returns their number.
    fn trains(&self, from: u32, to: u32, faults: &mut Violations) -> u64 {
        let mut candidates = vec![train::alone(self.switch, from, to)];
        if self.switch.is_duplex() {
            let branches = train::first_branches(self.switch, from, to);
            candidates = branches
                .iter()
                .filter_map(|branch| train::through(self.switch, from, to, *branch))
                .collect();
        }
        for train in &candidates {
            match follow(self.network, &self.index, BlockId(from), train) {
                Ok(steps) if steps[steps.len() - 1].block == BlockId(to) => {}
                Ok(steps) => faults.add(|| {
                    let reached = &self.network.block(steps[steps.len() - 1].block).name;
                    format!("train {train} from terminal {from} to {to} arrives at {reached}")
                }),
                Err((fault, block)) => faults.add(|| {
                    let at = &self.network.block(block).name;
                    format!("train {train} from terminal {from} to {to}: {fault} at {at}")
                }),
            }
        }
        candidates.len() as u64
    }

    fn judge(&self, from: u32, to: u32, ways: &[Found], disjoint: u32, faults: &mut Violations) {
        let expected = self.switch.disjoint_paths();
        let is_right = if self.switch.is_duplex() {
            disjoint >= expected
        } else {
            ways.len() == 1
        };
        if !is_right {
            faults.add(|| {
                format!(
                    "terminal {from} to {to}: {} paths, {disjoint} of them disjoint, where {expected} \
                     belong",
                    ways.len()
                )
            });
        }
        let links = 2 * self.switch.cascades() as usize;
        if let Some(way) = ways.iter().find(|way| way.links.len() != links) {
            faults.add(|| {
                format!(
                    "terminal {from} to {to}: a path of {} links, not {links}",
                    way.links.len()
                )
            });
        }
    }

    /// All paths from a terminal to terminals, by walking the graph: a splitter and a spine switch lead
    /// everywhere, a combiner to its trunk.
    fn paths_of(&self, from: u32, faults: &mut Violations) -> Vec<Found> {
        let mut found = Vec::new();
        let mut open = self.outputs(BlockId(from), None);
        let mut walks: Vec<(End, Vec<usize>)> =
            open.drain(..).map(|end| (end, Vec::new())).collect();
        // More links than up and down all cascades mean a circle, which `circles` reports.
        let longest = 2 * self.switch.cascades() as usize;
        while let Some((end, mut links)) = walks.pop() {
            let (Some(slot), Some(link)) = (self.index.slot(end), self.index.sends_to(end)) else {
                continue;
            };
            links.push(slot);
            let at = link.peer.block;
            if self.network.block(at).role == BlockRole::Terminal {
                found.push(Found { to: at, links });
            } else if links.len() > longest {
                faults.add(|| format!("a path from terminal {from} does not end"));
            } else {
                let outputs = self.outputs(at, Some(link.peer.port));
                walks.extend(outputs.into_iter().map(|end| (end, links.clone())));
            }
        }
        found
    }

    /// Ports by which a packet that came in by `in_port` may leave.
    fn outputs(&self, block: BlockId, in_port: Option<PortIndex>) -> Vec<End> {
        let ports = self.network.block(block).network_ports;
        let trunk = PortIndex(ports - 1);
        let end = |port| End {
            block,
            port: PortIndex(port),
        };
        match self.network.block(block).role {
            BlockRole::Terminal if in_port.is_some() => Vec::new(),
            BlockRole::Pok { .. } if in_port == Some(trunk) => (0..trunk.0).map(end).collect(),
            BlockRole::Pok { .. } => vec![end(trunk.0)],
            _ => (0..ports).map(end).collect(),
        }
    }

    /// Whether links can wait for each other in a circle: takes away links that wait for none until
    /// nothing is left.
    fn circles(&self) -> Check {
        let mut faults = Violations::default();
        let slots = self.index.slots();
        let next = |slot: usize| {
            let peer = self
                .index
                .sends_to(self.index.end_of(slot))
                .map(|link| link.peer);
            let ends = peer.map(|peer| self.outputs(peer.block, Some(peer.port)));
            let ends = ends.unwrap_or_default().into_iter();
            ends.filter_map(|end| self.index.sends_to(end).and(self.index.slot(end)))
        };
        let mut waiting_for = vec![0_u32; slots];
        let (mut dependencies, mut used) = (0_u64, 0);
        for slot in
            (0..slots).filter(|slot| self.index.sends_to(self.index.end_of(*slot)).is_some())
        {
            used += 1;
            for after in next(slot) {
                waiting_for[after] += 1;
                dependencies += 1;
            }
        }
        let is_used = |slot: &usize| self.index.sends_to(self.index.end_of(*slot)).is_some();
        let mut free: Vec<usize> = (0..slots)
            .filter(|slot| waiting_for[*slot] == 0 && is_used(slot))
            .collect();
        let mut removed = 0;
        while let Some(slot) = free.pop() {
            removed += 1;
            for after in next(slot) {
                waiting_for[after] -= 1;
                if waiting_for[after] == 0 {
                    free.push(after);
                }
            }
        }
        if removed < used {
            faults.add(|| format!("{} links lie on or behind a circle", used - removed));
        }
        let examined = format!("{used} links, {dependencies} dependencies: no circle");
        faults.into_check("deadlock", examined)
    }
}

/// Largest number of paths found by taking one through each first link that shares no link with those
/// already taken.
fn disjoint(ways: &[Found]) -> u32 {
    let mut used = BTreeSet::new();
    let mut count = 0;
    for way in ways {
        if way.links.iter().all(|link| !used.contains(link)) {
            used.extend(way.links.iter().copied());
            count += 1;
        }
    }
    count
}
