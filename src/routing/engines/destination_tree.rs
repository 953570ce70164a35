//! Tables of engines that know, for one destination after the other, by which port every block forwards.

use rayon::prelude::*;

use super::dense::{self, Entries, pcie_ports};
use super::{Routes, Task};
use crate::TableEntry;
use mkns_topology::{BlockId, BlockRole, PortIndex};

/// Address field of the adapter block's number.
const NODE: usize = 1;

/// For each block the port towards one destination; none at the destination and where none leads there.
pub type Tree = Vec<Option<PortIndex>>;

/// Routes along a tree for each adapter block that works, in block order; no tree for the others. Trees are found
/// on all processors.
pub fn routes(task: &Task, tree: impl Fn(BlockId) -> Tree + Sync) -> Routes {
    let rows = rows_of(&trees(task, tree), task.network.blocks.len());
    Routes::of_blocks(task, |id| {
        let block = task.network.block(id);
        let entry = |(port, destination): (&Option<PortIndex>, u32)| {
            port.map(|port| (destination, TableEntry::to(port)))
        };
        let row = rows[id.0 as usize].iter().zip(0..);
        let mut entries: Entries = row.filter_map(entry).collect();
        if block.role != BlockRole::Adapter {
            return dense::block_tables(task, id, &[(NODE, entries)]);
        }
        entries.push((id.0, TableEntry::same()));
        dense::block_tables(task, id, &[(NODE, entries), (0, pcie_ports(block))])
    })
}

/// For each row its places in all columns; a column may be short. Some rows at a time, which lie side by side in a column.
pub fn rows_of<T: Copy + Default + Send + Sync>(columns: &[Vec<T>], rows: usize) -> Vec<Vec<T>> {
    const SIDE_BY_SIDE: usize = 64;
    let mut rows = vec![vec![T::default(); columns.len()]; rows];
    rows.par_chunks_mut(SIDE_BY_SIDE)
        .enumerate()
        .for_each(|(chunk, rows)| {
            for (place, column) in columns.iter().enumerate() {
                let entries = column.iter().skip(chunk * SIDE_BY_SIDE);
                for (row, entry) in rows.iter_mut().zip(entries) {
                    row[place] = *entry;
                }
            }
        });
    rows
}

/// The tree of every adapter block; an empty one where it has failed.
pub fn trees(task: &Task, tree: impl Fn(BlockId) -> Tree + Sync) -> Vec<Tree> {
    let adapters = task.network.adapters().len() as u32;
    let of = |number| {
        let destination = BlockId(number);
        match task.faults.block_works(destination) {
            true => tree(destination),
            false => Tree::new(),
        }
    };
    (0..adapters).into_par_iter().map(of).collect()
}

/// Of ways by their length one of the shortest, as equal ones are spread.
pub fn one_of_shortest(
    ways: impl Iterator<Item = (u32, PortIndex)>,
    block: BlockId,
    destination: BlockId,
) -> Option<(u32, PortIndex)> {
    let mut ways: Vec<(u32, PortIndex)> = ways.collect();
    let shortest = ways.iter().map(|(length, _)| *length).min()?;
    ways.retain(|(length, _)| *length == shortest);
    Some(ways[spread(block, destination) % ways.len()])
}

/// A number that differs from block to block and from destination to destination, to spread equal choices.
pub fn spread(block: BlockId, destination: BlockId) -> usize {
    let mixed = u64::from(block.0) << 32 | u64::from(destination.0);
    (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40) as usize
}
