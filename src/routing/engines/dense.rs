//! Tables with an entry for every value of their address field, from the entries that an engine knows.

use super::Task;
use crate::{BlockTables, DimensionTable, TableEntry};
use mkns_topology::{Block, BlockId, PortIndex};

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

/// The tables of a block, the same in every layer, in which no packet changes its channel.
pub fn block_tables(task: &Task, id: BlockId, tables: &[(usize, Entries)]) -> BlockTables {
    let dense = |(field, entries): &(usize, Entries)| {
        let depth = task.layout.fields[*field].depth();
        dense_table(*field, depth, task.spec.block.layers, entries)
    };
    BlockTables {
        tables: tables.iter().map(dense).collect(),
        ..BlockTables::empty(task.network.block(id))
    }
}
