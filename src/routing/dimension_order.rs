//! Dimension-order routing tables, read off the wired graph.
//!
//! Every entry is found by asking which cable of the block leads towards a coordinate, so the tables
//! hold for whatever ports the topology chose; [`super::arithmetic`] states the same routes in closed
//! form from the spec alone, and `verify` compares the two. Guarantees: total, minimal in hops, free
//! of channel cycles on one virtual channel. Serves all networks of lines.

use super::{AddressLayout, BlockTables, DimensionTable, RoutingEngine, TableEntry};
use mkns_topology::{Block, BlockId, BlockRole, Network, NetworkIndex, PortIndex};

/// X, then Y, then Z, then W.
#[derive(Debug, Clone, Copy)]
pub struct DimensionOrder;

impl RoutingEngine for DimensionOrder {
    fn tables(&self, network: &Network, layout: &AddressLayout, layers: u32) -> Vec<BlockTables> {
        let index = network.index();
        let surveyor = Surveyor { network, index };
        (0..network.blocks.len() as u32)
            .map(|block| surveyor.block_tables(BlockId(block), layout, layers))
            .collect()
    }
}

struct Surveyor<'a> {
    network: &'a Network,
    index: NetworkIndex,
}

impl Surveyor<'_> {
    fn block_tables(&self, id: BlockId, layout: &AddressLayout, layers: u32) -> BlockTables {
        let block = self.network.block(id);
        let tables = match block.role {
            BlockRole::Adapter => (1..layout.fields.len())
                .map(|field| (field, self.adapter_ports(id, field, layout)))
                .chain([(0, pcie_ports(block))])
                .collect(),
            BlockRole::Switch { dimension } | BlockRole::AssemblyLeaf { dimension, .. } => {
                vec![(usize::from(dimension), self.downward_or_up(id, dimension))]
            }
            BlockRole::AssemblySpine { dimension, .. } => {
                vec![(usize::from(dimension), self.spine_ports(id, dimension))]
            }
            BlockRole::Stage { .. }
            | BlockRole::Terminal
            | BlockRole::Rok { .. }
            | BlockRole::Spine => Vec::new(),
        };
        let dense = |(field, entries): (usize, Vec<(u32, TableEntry)>)| {
            let depth = layout.fields[field].depth();
            dense_table(field, depth, layers, &entries)
        };
        let ports = usize::from(block.network_ports + block.pcie_ports);
        BlockTables {
            tables: tables.into_iter().map(dense).collect(),
            step: vec![vec![false; ports]; ports],
        }
    }

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

/// Field value and entry; values that are missing get an invalid entry.
pub type Entries = Vec<(u32, TableEntry)>;

/// Entries of the PCIe table of an adapter block.
pub fn pcie_ports(block: &Block) -> Entries {
    let entry = |pcie: u8| TableEntry {
        allow_uturn: true,
        ..TableEntry::to(PortIndex(block.network_ports + pcie))
    };
    (0..block.pcie_ports)
        .map(|pcie| (u32::from(pcie), entry(pcie)))
        .collect()
}

/// One table, the same in every layer.
pub fn dense_table(field: usize, depth: u32, layers: u32, entries: &Entries) -> DimensionTable {
    let mut layer = vec![TableEntry::default(); depth as usize];
    for (value, entry) in entries {
        layer[*value as usize] = *entry;
    }
    DimensionTable {
        field,
        entries: layer.repeat(layers as usize),
    }
}
