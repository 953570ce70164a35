//! Up and down a fat tree, read off the wired graph: down where the destination hangs below, up
//! otherwise.
//!
//! Which way up follows from the destination alone: its position under its own switch block of the
//! level, so that packets for the adapter blocks of one leaf spread over all ways and come down without
//! sharing a cable (D-mod-k). Tables are flat. Guarantees: total, minimal in hops; free of channel
//! cycles, because no packet goes up again.

use super::dense::{Entries, block_tables, pcie_ports};
use super::{CabledPort, Routes, RoutingEngine, Task};
use crate::TableEntry;
use mkns_diag::Diagnostic;
use mkns_topology::{Block, BlockId, BlockRole, Network, NetworkIndex, PortIndex};

/// Up and down the levels of `Stage` blocks.
#[derive(Debug, Clone, Copy)]
pub struct FatTree;

/// Field of the node number.
const NODE: usize = 1;

impl RoutingEngine for FatTree {
    fn route(&self, task: &Task) -> Result<Routes, Box<Diagnostic>> {
        let (network, index) = (task.network, task.index);
        let mut below: Vec<Entries> = Vec::with_capacity(network.blocks.len());
        // Blocks come level by level, so what hangs below a block is known before it.
        for id in network.block_ids() {
            let own = below_block(network, index, id, &below);
            below.push(own);
        }
        Ok(Routes::of_wanted(task, |id| {
            let block = network.block(id);
            let mut tables = vec![(NODE, with_ways_up(network, index, id, &below))];
            if block.role == BlockRole::Adapter {
                tables.push((0, pcie_ports(block)));
            }
            block_tables(task, id, &tables)
        }))
    }

    /// No packet goes up again.
    fn turns(&self, block: &Block, from: &CabledPort, to: &CabledPort) -> bool {
        let own = level_of(&block.role);
        let is_up = |port: &CabledPort| level_of(port.peer) > own;
        from.port != to.port && !(is_up(from) && is_up(to))
    }
}

/// Level of a block, 0 for adapter blocks.
fn level(network: &Network, id: BlockId) -> u8 {
    level_of(&network.block(id).role)
}

fn level_of(role: &BlockRole) -> u8 {
    match role {
        BlockRole::Stage { stage } => *stage,
        _ => 0,
    }
}

/// The adapter blocks below a block and the ports towards them; an adapter block is below itself.
fn below_block(network: &Network, index: &NetworkIndex, id: BlockId, below: &[Entries]) -> Entries {
    let own = level(network, id);
    if own == 0 {
        return vec![(id.0, TableEntry::same())];
    }
    let links = index.links(id);
    let down = links.filter(|(_, link)| level(network, link.peer.block) < own);
    let through = |(port, peer): (PortIndex, BlockId)| {
        let nodes = below[peer.0 as usize].iter();
        nodes.map(move |(node, _)| (*node, TableEntry::to(port)))
    };
    down.map(|(port, link)| (port, link.peer.block))
        .flat_map(through)
        .collect()
}

/// Entries for all adapter blocks: those below, and a way up for the others.
fn with_ways_up(
    network: &Network,
    index: &NetworkIndex,
    id: BlockId,
    below: &[Entries],
) -> Entries {
    let own = level(network, id);
    let links = index.links(id);
    let up = links.filter(|(_, link)| level(network, link.peer.block) > own);
    let up: Vec<PortIndex> = up.map(|(port, _)| port).collect();
    let mut entries = below[id.0 as usize].clone();
    let mut known = vec![false; network.adapters().len()];
    for (node, _) in &entries {
        known[*node as usize] = true;
    }
    for (node, adapter) in network.adapters().iter().enumerate() {
        if !known[node] && !up.is_empty() {
            // Digit `own` of an adapter block is its position under a block of level `own`.
            let position = match own {
                0 => 0,
                _ => adapter.coordinates[usize::from(own) - 1],
            };
            let way = up[position as usize % up.len()];
            entries.push((node as u32, TableEntry::to(way)));
        }
    }
    entries
}
