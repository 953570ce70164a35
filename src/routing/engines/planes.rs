//! Planes: as many paths between two hosts as the first dimension is long, disjoint but for their ends.
//!
//! Layer f leads every packet through the plane whose first coordinate is f: along the first dimension to f, through
//! the others in order, along the first dimension to the destination. The layer of the destination's own coordinate is
//! dimension order. Parts that fail change no table: sources stop using the layers that they cut, which is what masks
//! are for. The change back to the first dimension goes one virtual channel up.

use std::ops::Range;

use rayon::prelude::*;

use super::dense::{self, Entries};
use super::destination_tree::rows_of;
use super::dimension_order::tables_of;
use super::{Routes, RoutingEngine, Task, rising_channels};
use crate::flat::FlatTables;
use crate::{BlockTables, PathLayers, Routing, TableEntry};
use mkns_diag::Diagnostic;
use mkns_topology::{BlockId, BlockRole, Faults, PortIndex};

/// A layer for each value of the first coordinate.
#[derive(Debug, Clone, Copy)]
pub struct Planes {
    /// Whether sources use all layers that work, or the shortest path while it works.
    pub spread: bool,
}

impl RoutingEngine for Planes {
    fn route(&self, task: &Task) -> Result<Routes, Box<Diagnostic>> {
        let whole = Task {
            index: task.whole,
            faults: &Faults::none(),
            ..*task
        };
        let tables = task.network.block_ids();
        let tables: Vec<BlockTables> = tables.map(|id| tables_in_planes(&whole, id)).collect();
        let layers = task.spec.block.layers;
        let paths = PathLayers {
            masks: self.masks(task, &tables),
            entry_channels: vec![0; layers as usize],
        };
        Ok(Routes {
            tables,
            paths: Some(paths),
        })
    }
}

impl Planes {
    fn masks(&self, task: &Task, tables: &[BlockTables]) -> Vec<Vec<u8>> {
        let network = task.network;
        let routing = Routing {
            layout: task.layout.clone(),
            tables: tables.to_vec(),
            paths: None,
            from_file: None,
        };
        let flat = FlatTables::new(task.index, network, &routing, task.spec);
        let adapters = network.adapters().len();
        let masks = (0..adapters).into_par_iter();
        let masks: Vec<Vec<u8>> = masks.map(|to| self.masks_to(task, &flat, to)).collect();
        let mut columns = vec![Vec::new(); task.layout.node_addresses()];
        for (to, column) in masks.into_iter().enumerate() {
            columns[task
                .layout
                .node_address(task.layout.address_of_node(to as u32))
                as usize] = column;
        }
        rows_of(&columns, adapters)
    }

    /// The mask of every source for one destination.
    fn masks_to(&self, task: &Task, flat: &FlatTables, to: usize) -> Vec<u8> {
        let layers = 0..task.spec.block.layers;
        let own = first_coordinate(task, to);
        if self.spread {
            return alive_in(task, flat, to, layers);
        }
        let mut masks = alive_in(task, flat, to, own..own + 1);
        let works = |block: usize| task.faults.block_works(BlockId(block as u32));
        let address = task.layout.address_of_node(to as u32);
        // The other layers are looked at only where the shortest path is cut.
        for (from, mask) in masks.iter_mut().enumerate() {
            if *mask == 0 && works(from) && works(to) {
                let leads = |layer: &u32| flat.hops_from(from, to, (*layer, address)).is_some();
                *mask = layers
                    .clone()
                    .filter(leads)
                    .fold(0, |mask, layer| mask | 1 << layer);
            }
        }
        masks
    }
}

/// For every source those of the layers that lead it to the adapter block `to`; none where one of the two has failed.
fn alive_in(task: &Task, flat: &FlatTables, to: usize, layers: Range<u32>) -> Vec<u8> {
    let adapters = task.network.adapters().len();
    let mut alive = vec![0; adapters];
    if !task.faults.block_works(BlockId(to as u32)) {
        return alive;
    }
    let address = task.layout.address_of_node(to as u32);
    for layer in layers {
        let hops = flat.hops(&flat.decide_all(layer, address), to);
        for (from, (alive, hops)) in alive.iter_mut().zip(hops).enumerate() {
            let works = task.faults.block_works(BlockId(from as u32));
            *alive |= u8::from(works && hops.is_some()) << layer;
        }
    }
    alive
}

fn first_coordinate(task: &Task, adapter: usize) -> u32 {
    task.network.blocks[adapter].coordinates[0]
}

/// Tables of a block in all layers.
fn tables_in_planes(task: &Task, id: BlockId) -> BlockTables {
    let mut tables = tables_of(task, id);
    let adapter = task.network.block(id).role == BlockRole::Adapter;
    if adapter {
        // The other dimensions decide first, then the first dimension, then the PCIe port.
        tables[..task.layout.fields.len() - 1].rotate_left(1);
    }
    let mut dense = dense::block_tables(task, id, &tables);
    if adapter {
        lead_to_planes(task, id, &tables, &mut dense);
    }
    dense.step = rising_channels::steps(task, id);
    dense
}

/// Where the block's own coordinate is not the layer's, all that is not for this block goes to the block that has it.
fn lead_to_planes(task: &Task, id: BlockId, tables: &[(usize, Entries)], dense: &mut BlockTables) {
    let own = first_coordinate(task, id.0 as usize);
    let first = tables.iter().find(|(field, _)| *field == 1);
    let to_plane = |layer: u32| -> Option<PortIndex> {
        let (_, entries) = first?;
        let towards = entries.iter().find(|(x, _)| *x == layer && *x != own)?;
        Some(PortIndex(towards.1.port))
    };
    for layer in 0..task.spec.block.layers {
        let Some(port) = to_plane(layer) else {
            continue;
        };
        for table in dense.tables.iter_mut().filter(|table| table.field != 0) {
            let depth = task.layout.fields[table.field].depth();
            let entries = (layer * depth) as usize..((layer + 1) * depth) as usize;
            let away = table.entries[entries].iter_mut();
            for entry in away.filter(|entry| entry.valid && !entry.same) {
                *entry = TableEntry::to(port);
            }
        }
    }
}
