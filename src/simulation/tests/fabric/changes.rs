//! Cables that fail for good and registers that are written while a network runs.

use std::collections::BTreeMap;

use mkns_design::{Plan, register_map};
use mkns_random::Random;
use mkns_topology::BlockId;

/// Cycles between two writes to a block: an access takes fewer.
const APART: u64 = 5;

#[derive(Debug, Clone, Copy)]
pub enum Change {
    /// A cable, by its number.
    Cut(usize),
    /// Block, address and value, and whether the block accepts it: not an entry that leads nowhere.
    Write(BlockId, u32, u32, bool),
}

/// By the cycle from which on they hold.
#[derive(Debug, Default)]
pub struct Changes {
    all: BTreeMap<u64, Vec<Change>>,
}

impl Changes {
    /// None in half of the cases.
    pub fn random(plan: &Plan, cycles: u64, random: &mut Random) -> Self {
        let mut changes = Self::default();
        if random.below(2) == 0 {
            return changes;
        }
        let cables = plan.network.cables.len() as u64;
        for _ in 0..random.between(1, 6.min(cables.max(1))) {
            if cables > 0 {
                let cable = random.below(cables) as usize;
                changes.add(random.below(cycles), Change::Cut(cable));
            }
        }
        if plan.spec.block.control_port {
            for block in plan.network.block_ids() {
                let mut cycle = APART + random.below(cycles);
                while cycle < cycles {
                    if let Some(write) = random_write(plan, block, random) {
                        changes.add(cycle, write);
                    }
                    cycle += APART + random.below(cycles / 3);
                }
            }
        }
        changes
    }

    /// Whether any packet may be lost.
    pub fn loses_packets(&self) -> bool {
        !self.all.is_empty()
    }

    /// Those of a cycle.
    pub fn at(&self, cycle: u64) -> impl Iterator<Item = &Change> {
        self.all.get(&cycle).into_iter().flatten()
    }

    /// The first cycle after this one that has some.
    pub fn next_after(&self, cycle: u64) -> u64 {
        let next = self.all.range(cycle + 1..).next();
        next.map_or(u64::MAX, |(cycle, _)| *cycle)
    }

    fn add(&mut self, cycle: u64, change: Change) {
        self.all.entry(cycle).or_default().push(change);
    }
}

/// A table entry, or a mask or candidates where there are some. Mostly routes stay valid.
fn random_write(plan: &Plan, block: BlockId, random: &mut Random) -> Option<Change> {
    let module = &plan.modules[plan.instances[block.0 as usize].module];
    let map = register_map(module);
    let nodes = map.masks.as_ref().or(map.candidates.as_ref());
    if let Some(nodes) = nodes.filter(|_| random.below(2) == 0) {
        let index = random.below(u64::from(nodes.entries)) as u32;
        let address = nodes.address + 4 * index;
        return Some(Change::Write(
            block,
            address,
            random.below(256) as u32,
            true,
        ));
    }
    if map.tables.is_empty() {
        return None;
    }
    let window = &map.tables[random.below(map.tables.len() as u64) as usize];
    let index = random.below(u64::from(window.entries)) as u32;
    let port = random.below(u64::from(module.core_ports())) as u32;
    let leads = module.turns.inputs_of(port as usize) != 0;
    let address = window.address + 4 * index;
    Some(Change::Write(block, address, 1 << 6 | port, leads))
}
