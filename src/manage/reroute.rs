//! An order of writes that is safe while hosts send.
//!
//! Packets must not wait in a circle while some blocks have their old entries and others their new ones. Where any
//! mixture of the two is free of circles the writes may come in any order under traffic. Otherwise as many
//! destinations as possible change under traffic, and the rest while no packet is in the network.

use serde::Serialize;

use super::writes::{MaskChange, RegisterWrite, Target, mask_changes, writes};
use mkns_design::Plan;
use mkns_routing::{Routing, Tables, Transition};
use mkns_topology::{BlockId, Faults};

/// The way from the tables in use to new ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reroute {
    /// May be written one by one, in this order, while hosts send.
    pub under_traffic: Vec<RegisterWrite>,
    /// What has to wait until no packet is in the network.
    pub drain: Option<Drain>,
    /// New masks of sources; may change under traffic with the first writes.
    pub masks: Vec<MaskChange>,
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
        let (all, masks) = (writes(plan, old, new), mask_changes(old, new));
        if all.is_empty() && masks.is_empty() {
            return Self::safe(all, masks);
        }
        let transition = Transition::new(&plan.spec, &plan.network, faults, (old, new));
        let nodes: Vec<u32> = (0..plan.network.adapters().len() as u32).collect();
        if !transition.keeps_channels() {
            let why = "packets in the network would change channels by other rules".to_owned();
            return Self::drained(plan, faults, (Vec::new(), all), masks, why);
        }
        let mixed = transition.nothing();
        transition.add(&mixed, &nodes, Tables::Both);
        let Some(circle) = transition.circle(&mixed) else {
            return Self::safe(all, masks);
        };
        let why = format!("packets could wait in a circle: {circle}");
        let changing = match transition.is_flat() {
            true => safe_destinations(&transition, &nodes),
            false => Vec::new(),
        };
        let depth = new.layout.fields[1].depth();
        let is_safe = |write: &RegisterWrite| match write.what {
            Target::Table { table: 0, index } => changing.contains(&(index % depth)),
            _ => false,
        };
        let parts = all.into_iter().partition(is_safe);
        Self::drained(plan, faults, parts, masks, why)
    }

    /// Whether there is nothing to write.
    pub fn is_empty(&self) -> bool {
        self.writes().next().is_none() && self.masks.is_empty()
    }

    /// All writes in their order.
    pub fn writes(&self) -> impl Iterator<Item = &RegisterWrite> {
        let later = self.drain.iter().flat_map(|drain| &drain.writes);
        self.under_traffic.iter().chain(later)
    }

    fn safe(under_traffic: Vec<RegisterWrite>, masks: Vec<MaskChange>) -> Self {
        Self {
            under_traffic,
            drain: None,
            masks,
        }
    }

    fn drained(
        plan: &Plan,
        faults: &Faults,
        (under_traffic, writes): (Vec<RegisterWrite>, Vec<RegisterWrite>),
        masks: Vec<MaskChange>,
        why: String,
    ) -> Self {
        let adapters = (0..plan.network.adapters().len() as u32).map(BlockId);
        let stop = adapters.filter(|id| faults.block_works(*id)).collect();
        Self {
            under_traffic,
            drain: Some(Drain { why, stop, writes }),
            masks,
        }
    }
}

/// Destinations whose entries may change while packets for the others follow the old tables. Groups that would close
/// a circle are halved.
fn safe_destinations(transition: &Transition, nodes: &[u32]) -> Vec<u32> {
    let changed = transition.changed_destinations();
    let mut safe: Vec<u32> = Vec::new();
    let mut groups = vec![changed];
    while let Some(group) = groups.pop() {
        let dependencies = transition.nothing();
        transition.add(&dependencies, nodes, Tables::Old);
        transition.add(&dependencies, &safe, Tables::Both);
        transition.add(&dependencies, &group, Tables::Both);
        if transition.circle(&dependencies).is_none() {
            safe.extend(group);
        } else if group.len() > 1 {
            let (first, second) = group.split_at(group.len() / 2);
            groups.extend([second.to_vec(), first.to_vec()]);
        }
    }
    safe.sort_unstable();
    safe
}
