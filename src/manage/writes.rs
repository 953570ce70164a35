//! The register writes that lead from the tables in use to new ones: only what differs.

use std::fmt;

use serde::Serialize;

use mkns_design::{BlockModule, Plan, RegisterMap, register_map};
use mkns_routing::{BlockTables, PathLayers, Routing};
use mkns_topology::BlockId;

/// One write to the control port of a block (`docs/microarchitecture.md`, section 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RegisterWrite {
    pub block: BlockId,
    /// Byte address.
    pub address: u32,
    pub value: u32,
    pub what: Target,
}

/// What a write changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Target {
    /// Entry `index` of table `table`.
    Table { table: u32, index: u32 },
    /// Row of the step bits: those of packets that came in by port `input`.
    Step { input: u32 },
    /// The layers that hosts of the block may take to node address `node`.
    Mask { node: u32 },
    /// The virtual channel on which packets of the block's hosts start in a layer.
    Entry { layer: u32 },
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table { table, index } => write!(f, "TABLE {table} [{index}]"),
            Self::Step { input } => write!(f, "STEP [{input}]"),
            Self::Mask { node } => write!(f, "MASK [{node}]"),
            Self::Entry { layer } => write!(f, "LAYER_ENTRY [{layer}]"),
        }
    }
}

impl RegisterWrite {
    /// Lets `routing` say what the block holds after this write, one that leads to `new`. All blocks have the same
    /// entry channels there: these change with the last such write, [`take_entry_channels`].
    pub fn take(&self, routing: &mut Routing, new: &Routing) {
        let at = self.block.0 as usize;
        let (tables, new_tables) = (&mut routing.tables[at], &new.tables[at]);
        match self.what {
            Target::Table { table, index } => {
                let (table, index) = (table as usize, index as usize);
                tables.tables[table].entries[index] = new_tables.tables[table].entries[index];
            }
            Target::Step { input } => {
                tables.step[input as usize].clone_from(&new_tables.step[input as usize]);
            }
            Target::Mask { node } => {
                if let (Some(paths), Some(new)) = (&mut routing.paths, &new.paths) {
                    paths.masks[at][node as usize] = new.masks[at][node as usize];
                }
            }
            Target::Entry { .. } => {}
        }
    }
}

/// All blocks have the entry channels of `new`.
pub fn take_entry_channels(routing: &mut Routing, new: &Routing) {
    if let (Some(paths), Some(new)) = (&mut routing.paths, &new.paths) {
        paths.entry_channels.clone_from(&new.entry_channels);
    }
}

/// The writes of all blocks of `plan` from the tables, masks and entry channels of `old` to those of `new`, in block
/// order, masks of a block first. Both have the shape of the plan's tables.
pub fn writes(plan: &Plan, old: &Routing, new: &Routing) -> Vec<RegisterWrite> {
    let maps: Vec<RegisterMap> = plan.modules.iter().map(register_map).collect();
    let each = plan.instances.iter().flat_map(|instance| {
        let place = (&plan.modules[instance.module], &maps[instance.module]);
        block_writes(instance.block, place, old, new)
    });
    each.collect()
}

/// The writes of everything that a block's tables, step bits, masks and entry channels hold.
pub fn configuration(
    block: BlockId,
    module: &BlockModule,
    routing: &Routing,
) -> Vec<RegisterWrite> {
    let at = block.0 as usize;
    let mut other = routing.clone();
    for table in &mut other.tables[at].tables {
        let entries = table.entries.iter_mut();
        entries.for_each(|entry| entry.valid = !entry.valid);
    }
    for row in &mut other.tables[at].step {
        row.iter_mut().for_each(|step| *step = !*step);
    }
    if let Some(paths) = &mut other.paths {
        let masks = paths.masks.get_mut(at).into_iter().flatten();
        masks.for_each(|mask| *mask = !*mask);
        let channels = paths.entry_channels.iter_mut();
        channels.for_each(|channel| *channel = !*channel);
    }
    let map = register_map(module);
    block_writes(block, (module, &map), &other, routing)
}

fn block_writes(
    block: BlockId,
    (module, map): (&BlockModule, &RegisterMap),
    old: &Routing,
    new: &Routing,
) -> Vec<RegisterWrite> {
    let [before, after] = [old, new].map(|routing| &routing.tables[block.0 as usize]);
    let mut all = path_writes(block, map, old.paths.as_ref(), new.paths.as_ref());
    all.extend(table_writes(block, map, before, after));
    all.extend(step_writes(block, module, map, before, after));
    all
}

/// Masks and entry channels of an adapter block that chooses layers.
fn path_writes(
    block: BlockId,
    map: &RegisterMap,
    old: Option<&PathLayers>,
    new: Option<&PathLayers>,
) -> Vec<RegisterWrite> {
    let (Some(window), Some(old), Some(new)) = (&map.masks, old, new) else {
        return Vec::new();
    };
    let at = block.0 as usize;
    let masks = old.masks[at].iter().zip(&new.masks[at]).zip(0u32..);
    let masks = masks.filter(|((old, new), _)| old != new);
    let masks = masks.map(|((_, mask), node)| RegisterWrite {
        block,
        address: window.address + 4 * node,
        value: u32::from(*mask),
        what: Target::Mask { node },
    });
    let mut registers = map.registers.iter();
    let entry = registers.find(|register| register.name == "LAYER_ENTRY");
    let entry = entry
        .expect("blocks with masks have entry channels")
        .address;
    let channels = old
        .entry_channels
        .iter()
        .zip(&new.entry_channels)
        .zip(0u32..);
    let channels = channels.filter(|((old, new), _)| old != new);
    let channels = channels.map(|((_, channel), layer)| RegisterWrite {
        block,
        address: entry + 4 * layer,
        value: *channel,
        what: Target::Entry { layer },
    });
    masks.chain(channels).collect()
}

fn table_writes<'a>(
    block: BlockId,
    map: &'a RegisterMap,
    old: &'a BlockTables,
    new: &'a BlockTables,
) -> impl Iterator<Item = RegisterWrite> + 'a {
    let tables = map.tables.iter().zip(old.tables.iter().zip(&new.tables));
    tables.flat_map(move |(window, (old, new))| {
        let entries = old.entries.iter().zip(&new.entries).zip(0u32..);
        entries.filter_map(move |((old, new), index)| {
            let (old, new) = (old.pack(), new.pack());
            (old != new).then_some(RegisterWrite {
                block,
                address: window.address + 4 * index,
                value: new.into(),
                what: Target::Table {
                    table: window.number,
                    index,
                },
            })
        })
    })
}

fn step_writes<'a>(
    block: BlockId,
    module: &BlockModule,
    map: &RegisterMap,
    old: &'a BlockTables,
    new: &'a BlockTables,
) -> impl Iterator<Item = RegisterWrite> + 'a {
    let mut registers = map.registers.iter();
    let register = registers.find(|register| register.name == "STEP");
    let address = register.map(|register| register.address);
    let address = address.filter(|_| module.has_step());
    let rows = old.step.iter().zip(&new.step).zip(0u32..);
    rows.filter_map(move |((old, new), input)| {
        let address = address? + 4 * input;
        (old != new).then(|| RegisterWrite {
            block,
            address,
            value: bits(new),
            what: Target::Step { input },
        })
    })
}

/// A row of step bits as its register holds it.
fn bits(row: &[bool]) -> u32 {
    let bits = row.iter().zip(0..);
    bits.fold(0, |word, (&step, output)| word | u32::from(step) << output)
}
