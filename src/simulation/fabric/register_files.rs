//! What the addresses of the blocks of a network mean to a simulation.

use mkns_design::{COUNTER_STRIDE, PathRegister, Plan, RegisterMap, register_map};
use mkns_routing::Turns;
use mkns_topology::BlockId;

/// Where an address leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RegisterTarget {
    Fixed(u32),
    LinkUp,
    NodeAddress,
    PcieCounter { port: usize, counter: usize },
    Path(PathRegister),
}

impl RegisterTarget {
    /// Whether routes lead by it, so that a block that powers up empty has 0 there.
    fn is_route(self) -> bool {
        use PathRegister::{Candidates, Mask, Table};
        matches!(
            self,
            Self::Path(Table { .. } | Mask { .. } | Candidates { .. })
        )
    }
}

/// What an address means, by module.
#[derive(Debug)]
pub struct RegisterFiles {
    maps: Vec<(RegisterMap, Turns)>,
    /// Module of each block.
    modules: Vec<usize>,
}

impl RegisterFiles {
    pub fn new(plan: &Plan) -> Self {
        Self {
            maps: (plan.modules.iter())
                .map(|module| (register_map(module), module.turns.clone()))
                .collect(),
            modules: plan.instances.iter().map(|block| block.module).collect(),
        }
    }

    /// Addresses of the entries of a block's tables, candidates and masks.
    pub(super) fn route_addresses(&self, block: BlockId) -> Vec<u32> {
        let (map, turns) = &self.maps[self.modules[block.0 as usize]];
        let tables = map
            .tables
            .iter()
            .map(|table| (table.address, table.entries));
        let masks = map.masks.iter().map(|masks| (masks.address, masks.entries));
        let nodes = map.candidates.iter();
        let nodes = nodes.map(|nodes| (nodes.address, nodes.entries));
        let ranges = tables.chain(masks).chain(nodes);
        let addresses = ranges.flat_map(|(first, words)| (0..words).map(move |n| first + 4 * n));
        let is_route =
            |address: &u32| place(map, turns, *address).is_some_and(RegisterTarget::is_route);
        addresses.filter(is_route).collect()
    }

    /// None when nothing that is simulated is there.
    pub(super) fn place(&self, block: BlockId, address: u32) -> Option<RegisterTarget> {
        let (map, turns) = &self.maps[self.modules[block.0 as usize]];
        place(map, turns, address)
    }
}

fn place(map: &RegisterMap, turns: &Turns, address: u32) -> Option<RegisterTarget> {
    // The number of the word in a row of them.
    let word = |first: u32, words: u32| {
        let offset = address.checked_sub(first)?;
        (offset.is_multiple_of(4) && offset / 4 < words).then_some((offset / 4) as usize)
    };
    for register in &map.registers {
        let Some(at) = word(register.address, register.count) else {
            continue;
        };
        return match register.name {
            "ID" | "VERSION" | "BLOCK" | "SIZES" => Some(RegisterTarget::Fixed(register.reset())),
            "TURNS" => Some(RegisterTarget::Fixed(turns.rows()[at])),
            "NODE_ADDRESS" => Some(RegisterTarget::NodeAddress),
            "LINK_UP" => Some(RegisterTarget::LinkUp),
            "STEP" => Some(RegisterTarget::Path(PathRegister::Step { row: at })),
            "LAYER_ENTRY" => Some(RegisterTarget::Path(PathRegister::Entry { l: at })),
            _ => None,
        };
    }
    if let Some(a) = map.masks.as_ref().and_then(|m| word(m.address, m.entries)) {
        return Some(RegisterTarget::Path(PathRegister::Mask { a }));
    }
    let candidates = map.candidates.as_ref();
    if let Some(a) = candidates.and_then(|nodes| word(nodes.address, nodes.entries)) {
        return Some(RegisterTarget::Path(PathRegister::Candidates { a }));
    }
    let of_hosts = map
        .counters
        .iter()
        .find(|group| group.name == "PCIE_COUNTERS");
    let words = COUNTER_STRIDE / 4;
    if let Some(at) = of_hosts.and_then(|group| word(group.address, group.count * words)) {
        let (port, counter) = (at / words as usize, at % words as usize);
        return Some(RegisterTarget::PcieCounter { port, counter });
    }
    map.tables.iter().find_map(|table| {
        let index = word(table.address, table.entries)?;
        let n = table.number as usize;
        Some(RegisterTarget::Path(PathRegister::Table { n, index }))
    })
}
