//! An order of writes that is safe while hosts send.
//!
//! Packets must not wait in a circle while some blocks have their old entries and others their new ones. Where any
//! mixture of the two is free of circles the writes may come in any order under traffic. Otherwise each destination's
//! entries are written from it outwards, so that what meets a new entry meets only new ones from there on; as many
//! destinations as possible change so under traffic, and the rest while no packet is in the network.

use std::collections::BTreeMap;

use serde::Serialize;

use super::writes::{RegisterWrite, writes};
use mkns_contract::Target;
use mkns_design::Plan;
use mkns_routing::{Routing, TableMix, Transition};
use mkns_topology::{BlockId, Faults};

/// The way from the tables in use to new ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reroute {
    /// Whether the order counts: a write begins when the one before it is answered.
    pub is_ordered: bool,
    /// May be written one by one, in this order, while hosts send.
    pub under_traffic: Vec<RegisterWrite>,
    /// What has to wait until no packet is in the network.
    pub drain: Option<Drain>,
}

/// Writes for which hosts have to stop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Drain {
    /// What could go wrong otherwise.
    pub why: String,
    /// Blocks whose hosts stop sending: those that work.
    pub stop: Vec<BlockId>,
    /// To be written when no packet is in the network any more.
    pub writes: Vec<RegisterWrite>,
}

impl Reroute {
    /// From the tables of `old` to those of `new` in a network in which `faults` have failed. The plan is that of
    /// either: they have tables of one shape.
    pub fn new(plan: &Plan, faults: &Faults, old: &Routing, new: &Routing) -> Self {
        let mut all = writes(plan, old, new);
        // Nobody hears those.
        all.retain(|write| faults.block_works(write.block));
        if all.is_empty() {
            return Self::safe(all);
        }
        if plan.spec.block.adaptive {
            let why = "packets choose among ports, and may meet old and new entries of the escape";
            return Self::drained(plan, faults, (Vec::new(), all), why.to_owned());
        }
        let transition = Transition::new(&plan.spec, &plan.network, faults, (old, new));
        let nodes: Vec<u32> = (0..plan.network.adapters().len() as u32).collect();
        if !transition.keeps_channels() {
            let why = "packets in the network would change channels by other rules".to_owned();
            return Self::drained(plan, faults, (Vec::new(), all), why);
        }
        let mixed = transition.nothing();
        transition.add(&mixed, &nodes, TableMix::Both);
        let Some(circle) = transition.circle(&mixed) else {
            return Self::safe(all);
        };
        let why = format!("packets could wait in a cycle: {circle}");
        if !transition.is_flat() {
            return Self::drained(plan, faults, (Vec::new(), all), why);
        }
        let changing = safe_destinations(&transition, &nodes);
        let depth = new.layout.fields[1].depth();
        let is_safe = |write: &RegisterWrite| {
            let entry = entry_of(write, depth);
            entry.is_some_and(|(_, to)| changing.binary_search(&to).is_ok())
        };
        let (safe, others): (Vec<RegisterWrite>, _) = all.into_iter().partition(is_safe);
        let ordered = outwards(&transition, safe, depth);
        let mut found = match others.is_empty() {
            true => Self::safe(ordered),
            false => Self::drained(plan, faults, (ordered, others), why),
        };
        found.is_ordered = true;
        found
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.writes().next().is_none()
    }

    /// All writes in their order.
    pub fn writes(&self) -> impl Iterator<Item = &RegisterWrite> {
        let later = self.drain.iter().flat_map(|drain| &drain.writes);
        self.under_traffic.iter().chain(later)
    }

    fn safe(under_traffic: Vec<RegisterWrite>) -> Self {
        Self {
            is_ordered: false,
            under_traffic,
            drain: None,
        }
    }

    fn drained(
        plan: &Plan,
        faults: &Faults,
        (under_traffic, writes): (Vec<RegisterWrite>, Vec<RegisterWrite>),
        why: String,
    ) -> Self {
        let adapters = (0..plan.network.adapters().len() as u32).map(BlockId);
        let stop = adapters.filter(|id| faults.block_works(*id)).collect();
        Self {
            is_ordered: false,
            under_traffic,
            drain: Some(Drain { why, stop, writes }),
        }
    }
}

/// Layer and destination of a write to a table above the PCIe field.
fn entry_of(write: &RegisterWrite, depth: u32) -> Option<(u32, u32)> {
    match write.what {
        Target::Table { table: 0, index } => Some((index / depth, index % depth)),
        _ => None,
    }
}

/// The writes of each destination from it outwards; those of blocks from which nothing leads there come last.
fn outwards(transition: &Transition, writes: Vec<RegisterWrite>, depth: u32) -> Vec<RegisterWrite> {
    let mut places: BTreeMap<(u32, u32), Vec<usize>> = BTreeMap::new();
    for (place, write) in writes.iter().enumerate() {
        if let Some(destination) = entry_of(write, depth) {
            places.entry(destination).or_default().push(place);
        }
    }
    let mut distances = vec![u32::MAX; writes.len()];
    for ((layer, to), places) in places {
        let hops = transition.new_hops(to, layer);
        for place in places {
            let hops = hops[writes[place].block.0 as usize];
            distances[place] = hops.unwrap_or(u32::MAX);
        }
    }
    let mut keyed: Vec<(u32, RegisterWrite)> = distances.into_iter().zip(writes).collect();
    keyed.sort_by_key(|(distance, _)| *distance);
    keyed.into_iter().map(|(_, write)| write).collect()
}

/// Destinations whose entries may change, from each outwards, while packets for the others follow the old tables.
/// Groups that would close a circle are halved.
fn safe_destinations(transition: &Transition, nodes: &[u32]) -> Vec<u32> {
    let mut safe: Vec<u32> = Vec::new();
    let mut known = transition.nothing();
    transition.add(&known, nodes, TableMix::Old);
    let mut groups = vec![transition.changed_destinations()];
    while let Some(group) = groups.pop() {
        let dependencies = transition.copy(&known);
        transition.add(&dependencies, &group, TableMix::OldThenNew);
        if transition.circle(&dependencies).is_none() {
            known = dependencies;
            safe.extend(group);
        } else if group.len() > 1 {
            let (first, second) = group.split_at(group.len() / 2);
            groups.extend([second.to_vec(), first.to_vec()]);
        }
    }
    safe.sort_unstable();
    safe
}
