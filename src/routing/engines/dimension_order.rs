//! Dimension-order routing tables, read off the wired graph.
//!
//! Every entry is found by asking which cable of the block leads towards a coordinate, so the tables
//! hold for whatever ports the topology chose; [`crate::Arithmetic`] states the same routes in closed
//! form from the spec alone, and `verify` compares the two. Guarantees: total, minimal in hops, free
//! of channel cycles on one virtual channel. Serves all networks of lines.

use super::dense::{Entries, block_tables, pcie_ports};
use super::{CabledPort, Routes, RoutingEngine, Task};
use crate::{AddressLayout, TableEntry};
use mkns_diag::Diagnostic;
use mkns_topology::{Block, BlockId, BlockRole, Network, NetworkIndex, PortIndex};

/// X, then Y, then Z, then W.
#[derive(Debug, Clone, Copy)]
pub struct DimensionOrder;

impl RoutingEngine for DimensionOrder {
    fn route(&self, task: &Task) -> Result<Routes, Box<Diagnostic>> {
        Ok(Routes::of_wanted(task, |block| {
            block_tables(task, block, &tables_of(task, block))
        }))
    }

    /// Adapter blocks lead from a dimension to later ones, switch blocks between all blocks of a line. In an assembly
    /// a packet goes up once.
    fn turns(&self, block: &Block, from: &CabledPort, to: &CabledPort) -> bool {
        let is_spine = |port: &CabledPort| matches!(port.peer, BlockRole::AssemblySpine { .. });
        match block.role {
            BlockRole::Adapter => from.dimension < to.dimension,
            _ => from.port != to.port && !(is_spine(from) && is_spine(to)),
        }
    }
}

/// Address field and entries of each table of a block, in the order in which they are consulted.
pub fn tables_of(task: &Task, id: BlockId) -> Vec<(usize, Entries)> {
    let surveyor = Surveyor {
        network: task.network,
        index: task.index,
    };
    let block = task.network.block(id);
    match block.role {
        BlockRole::Adapter => (1..task.layout.fields.len())
            .map(|field| (field, surveyor.adapter_ports(id, field, task.layout)))
            .chain([(0, pcie_ports(block))])
            .collect(),
        BlockRole::Switch { dimension } | BlockRole::AssemblyLeaf { dimension, .. } => {
            let entries = surveyor.downward_or_up(id, dimension);
            vec![(usize::from(dimension), entries)]
        }
        BlockRole::AssemblySpine { dimension, .. } => {
            vec![(usize::from(dimension), surveyor.spine_ports(id, dimension))]
        }
        BlockRole::Stage { .. }
        | BlockRole::Terminal
        | BlockRole::Pok { .. }
        | BlockRole::Spine => Vec::new(),
    }
}

struct Surveyor<'a> {
    network: &'a Network,
    index: &'a NetworkIndex,
}

impl Surveyor<'_> {
    /// Coordinates in dimension `field` and how an adapter block gets there.
    fn adapter_ports(&self, id: BlockId, field: usize, layout: &AddressLayout) -> Entries {
        let own = self.network.block(id).coordinates[field - 1];
        let mut entries = vec![(own, TableEntry::same())];
        for (port, link) in self.index.links(id) {
            if usize::from(self.network.cables[link.cable as usize].dimension) != field {
                continue;
            }
            let peer = self.network.block(link.peer.block);
            if peer.role == BlockRole::Adapter {
                entries.push((peer.coordinates[field - 1], TableEntry::to(port)));
            } else {
                let others = (0..layout.fields[field].size).filter(|&other| other != own);
                entries.extend(others.map(|other| (other, TableEntry::to(port))));
            }
        }
        entries
    }

    /// Switch block or leaf: straight down where an adapter block hangs, else up, the uplink chosen
    /// by the destination's port on its own leaf so that a leaf's destinations spread evenly.
    fn downward_or_up(&self, id: BlockId, dimension: u8) -> Entries {
        let mut entries = self.adapters_below(id, dimension);
        let down: Vec<u32> = entries.iter().map(|(coordinate, _)| *coordinate).collect();
        let uplinks = self.links_to(id, |role| matches!(role, BlockRole::AssemblySpine { .. }));
        let Some(&(_, spine)) = uplinks.first() else {
            return entries;
        };
        for leaf in self.blocks_below(spine) {
            for (coordinate, entry) in self.adapters_below(leaf, dimension) {
                if !down.contains(&coordinate) {
                    let (port, _) = uplinks[usize::from(entry.port) % uplinks.len()];
                    entries.push((coordinate, TableEntry::to(port)));
                }
            }
        }
        entries
    }

    /// Spine: to the destination's leaf, over its parallel links in turn.
    fn spine_ports(&self, id: BlockId, dimension: u8) -> Entries {
        let mut entries = Vec::new();
        for leaf in self.blocks_below(id) {
            let links: Vec<PortIndex> = self
                .index
                .links(id)
                .filter(|(_, link)| link.peer.block == leaf)
                .map(|(port, _)| port)
                .collect();
            for (coordinate, entry) in self.adapters_below(leaf, dimension) {
                let port = links[usize::from(entry.port) % links.len()];
                entries.push((coordinate, TableEntry::to(port)));
            }
        }
        entries
    }

    /// Coordinates of the adapter blocks plugged into a switch block, and the ports they are on.
    fn adapters_below(&self, id: BlockId, dimension: u8) -> Entries {
        let adapters = self.links_to(id, |role| *role == BlockRole::Adapter);
        let entry = |(port, adapter): (PortIndex, BlockId)| {
            let coordinates = &self.network.block(adapter).coordinates;
            (
                coordinates[usize::from(dimension) - 1],
                TableEntry::to(port),
            )
        };
        adapters.into_iter().map(entry).collect()
    }

    fn links_to(
        &self,
        id: BlockId,
        wanted: impl Fn(&BlockRole) -> bool,
    ) -> Vec<(PortIndex, BlockId)> {
        let links = self
            .index
            .links(id)
            .map(|(port, link)| (port, link.peer.block));
        links
            .filter(|(_, peer)| wanted(&self.network.block(*peer).role))
            .collect()
    }

    /// Leaves of a spine, each once.
    fn blocks_below(&self, spine: BlockId) -> Vec<BlockId> {
        let mut leaves: Vec<BlockId> = self
            .index
            .links(spine)
            .map(|(_, link)| link.peer.block)
            .collect();
        leaves.sort_unstable();
        leaves.dedup();
        leaves
    }
}
