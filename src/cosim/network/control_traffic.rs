//! Random accesses to the control ports of a network under traffic, such that packets still find
//! their way: reads of everything, table entries written again as they are or with an alternate.
//!
//! Alternates are only given to adapter blocks in direct meshes of MKNS, and only by way of a block
//! with a higher number: then a chain of detours climbs and ends, and no channels wait in a circle. Adaptive blocks get
//! none, because packets join their escape anywhere; their candidates lose ports and get them back.

use crate::stimulus::Write;
use mkns_contract::address::{self, ERRORS, NODE_ADDRESS};
use mkns_contract::{LayerChoice, ModuleKind, step_bits};
use mkns_design::{BlockInstance, Plan};
use mkns_random::Random;
use mkns_routing::TableEntry;
use mkns_spec::NetworkKind;
use mkns_topology::{BlockId, CableKind};

use super::setup::Masters;

/// A cable of a direct mesh as one of its blocks sees it.
#[derive(Debug, Clone, Copy)]
struct Neighbour {
    port: u8,
    block: BlockId,
    dimension: u8,
}

/// The source of the accesses.
#[derive(Debug)]
pub struct ControlTraffic {
    random: Random,
    /// Neighbours in direct meshes, by block.
    neighbours: Vec<Vec<Neighbour>>,
    /// Accesses begun so far.
    pub operations: u64,
}

impl ControlTraffic {
    pub fn new(plan: &Plan, seed: u64) -> Self {
        let mut neighbours = vec![Vec::new(); plan.network.blocks.len()];
        let detours = matches!(plan.spec.kind, NetworkKind::Mkns(_)) && !plan.spec.block.adaptive;
        let mesh = |kind| detours && kind == CableKind::Mesh;
        for cable in plan.network.cables.iter().filter(|cable| mesh(cable.kind)) {
            for (near, far) in [(cable.a, cable.b), (cable.b, cable.a)] {
                neighbours[near.block.0 as usize].push(Neighbour {
                    port: near.port.0,
                    block: far.block,
                    dimension: cable.dimension,
                });
            }
        }
        Self {
            random: Random::branch(seed, 4),
            neighbours,
            operations: 0,
        }
    }

    /// Perhaps begins an access at a block whose control port is idle: at each block about once in a
    /// hundred cycles, as long as there are not more blocks than that.
    pub fn step(&mut self, plan: &Plan, masters: &mut Masters) {
        let blocks = plan.instances.len() as u64;
        if self.random.below(100) >= blocks {
            return;
        }
        let block = self.random.below(blocks) as usize;
        if !masters.of(block).idle() {
            return;
        }
        self.operations += 1;
        let instance = &plan.instances[block];
        if let Some(choice) = &instance.layer_choice
            && self.random.chance(300)
        {
            let address = self.choice_address(choice);
            return match self.random.chance(500) {
                true => masters.of(block).read(address),
                false => masters.of(block).write(same_again(choice, address)),
            };
        }
        if !instance.tables.candidates.is_empty() && self.random.chance(300) {
            let write = self.candidates_write(&instance.tables.candidates);
            return masters.of(block).write(write);
        }
        match self.random.below(10) {
            0..=3 => masters.of(block).read(self.any_address(plan, instance)),
            4..=8 => masters.of(block).write(self.table_write(instance)),
            _ => masters.of(block).write(self.other_write(plan, instance)),
        }
    }

    /// A register, a counter, or now and then something that is refused.
    fn any_address(&mut self, plan: &Plan, instance: &BlockInstance) -> u32 {
        let random = &mut self.random;
        let module = &plan.modules[instance.module];
        let ports = u64::from(module.core_ports());
        let counters = if module.candidates().is_some() {
            13
        } else {
            10
        };
        match random.below(8) {
            0..=1 => 4 * random.below(11) as u32,
            2 => address::step(random.below(ports) as u32),
            3..=4 => {
                address::core_counter(random.below(ports) as u32, random.below(counters) as u32)
            }
            5..=6 => address::pcie_counter(0, random.below(16) as u32),
            _ => address::table(0, random.below(16) as u32) + random.below(2) as u32,
        }
    }

    /// A mask, or now and then an entry channel.
    fn choice_address(&mut self, choice: &LayerChoice) -> u32 {
        let random = &mut self.random;
        match random.below(8) {
            0 => address::layer_entry(random.below(choice.entry_channels.len() as u64) as u32),
            _ => address::mask(random.below(choice.masks.len() as u64) as u32),
        }
    }

    /// Some of the ports on shortest paths to a node, mostly all.
    fn candidates_write(&mut self, candidates: &[u32]) -> Write {
        let node = self.random.below(candidates.len() as u64) as usize;
        let kept = match self.random.chance(700) {
            true => u32::MAX,
            false => self.random.bits() as u32,
        };
        Write::new(address::candidates(node as u32), candidates[node] & kept)
    }

    fn table_write(&mut self, instance: &BlockInstance) -> Write {
        let tables = &instance.tables.tables;
        let table = self.random.below(tables.len() as u64) as usize;
        let index = self.random.below(tables[table].entries.len() as u64) as usize;
        let mut entry = tables[table].entries[index];
        if self.random.chance(500) {
            entry.alternate = self.detour(instance.block, entry);
        }
        Write::new(
            address::table(table as u32, index as u32),
            u32::from(entry.pack()),
        )
    }

    /// The port to a neighbour with a higher number that is joined to the one that the entry leads to.
    fn detour(&mut self, block: BlockId, entry: TableEntry) -> Option<u8> {
        let around = &self.neighbours[block.0 as usize];
        let target = around.iter().find(|next| next.port == entry.port)?;
        let joined = |next: &&Neighbour| {
            let beyond = &self.neighbours[next.block.0 as usize];
            next.block > block
                && next.dimension == target.dimension
                && (beyond.iter())
                    .any(|far| far.block == target.block && far.dimension == target.dimension)
        };
        let detours: Vec<u8> = (around.iter().filter(joined))
            .map(|next| next.port)
            .collect();
        (entry.valid && !entry.same && !detours.is_empty()).then(|| *self.random.pick(&detours))
    }

    /// What a driver writes beside tables: nothing that changes where packets go.
    fn other_write(&mut self, plan: &Plan, instance: &BlockInstance) -> Write {
        let adapter = plan.modules[instance.module].kind == ModuleKind::Adapter;
        match self.random.below(4) {
            0 => Write::new(ERRORS, self.random.bits() as u32),
            1 if adapter => Write::new(NODE_ADDRESS, instance.node_address),
            2 => {
                let row = self.random.below(instance.tables.step.len() as u64) as usize;
                Write::new(
                    address::step(row as u32),
                    step_bits(&instance.tables.step[row]),
                )
            }
            _ => Write::new(4 * self.random.below(4) as u32, self.random.bits() as u32),
        }
    }
}

/// What a mask or entry channel holds already, so that packets of a flow stay in order.
fn same_again(choice: &LayerChoice, address: u32) -> Write {
    let place = |base: u32| ((address - base) / 4) as usize;
    let value = match address >= address::MASKS {
        true => choice.masks[place(address::MASKS)].into(),
        false => choice.entry_channels[place(address::LAYER_ENTRY)],
    };
    Write::new(address, value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In a mesh of four every way has detours over higher blocks only, the last two have none.
    #[test]
    fn detours_climb_and_reach_the_target_in_one_more_hop() {
        let spec = mkns_spec::parse("MKNS(1,4,1,1)").expect("a valid spec");
        let plan = mkns_design::build(&spec).expect("a plan");
        let mut traffic = ControlTraffic::new(&plan, 1);
        let index = plan.network.index();
        let mut found = 0;
        for instance in &plan.instances {
            let entries = instance
                .tables
                .tables
                .iter()
                .flat_map(|table| &table.entries);
            for &entry in entries.filter(|entry| entry.valid && !entry.same) {
                let Some(port) = traffic.detour(instance.block, entry) else {
                    continue;
                };
                let end = |block, port| mkns_topology::End {
                    block,
                    port: mkns_topology::PortIndex(port),
                };
                let target = index
                    .peer(end(instance.block, entry.port))
                    .expect("a cable");
                let between = index.peer(end(instance.block, port)).expect("a cable");
                assert!(between.block > instance.block && between.block != target.block);
                found += 1;
            }
        }
        assert!(found >= 6, "{found}");
    }
}
