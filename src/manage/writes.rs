//! The register writes that lead from the tables in use to new ones: only what differs.

use std::fmt;

use serde::Serialize;

use mkns_design::{BlockModule, Plan, RegisterMap, register_map};
use mkns_routing::{BlockTables, Routing};
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
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table { table, index } => write!(f, "TABLE {table} [{index}]"),
            Self::Step { input } => write!(f, "STEP [{input}]"),
        }
    }
}

/// Layers that an adapter block may take to a node: a new mask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct MaskChange {
    pub block: BlockId,
    /// Destination bits above the PCIe field.
    pub node_address: u32,
    pub mask: u8,
}

/// The writes of all blocks of `plan` from the tables of `old` to those of `new`, in block order. Both have the
/// shape of the plan's tables.
pub fn writes(plan: &Plan, old: &Routing, new: &Routing) -> Vec<RegisterWrite> {
    let maps: Vec<RegisterMap> = plan.modules.iter().map(register_map).collect();
    let each = plan
        .instances
        .iter()
        .zip(old.tables.iter().zip(&new.tables));
    each.flat_map(|(instance, (old, new))| {
        let module = &plan.modules[instance.module];
        let of_tables = table_writes(instance.block, &maps[instance.module], old, new);
        of_tables.chain(step_writes(
            instance.block,
            module,
            &maps[instance.module],
            old,
            new,
        ))
    })
    .collect()
}

/// The writes of everything that a block's tables and step bits hold.
pub fn configuration(
    block: BlockId,
    module: &BlockModule,
    tables: &BlockTables,
) -> Vec<RegisterWrite> {
    let mut other = tables.clone();
    for table in &mut other.tables {
        let entries = table.entries.iter_mut();
        entries.for_each(|entry| entry.valid = !entry.valid);
    }
    for row in &mut other.step {
        row.iter_mut().for_each(|step| *step = !*step);
    }
    let map = register_map(module);
    let of_tables = table_writes(block, &map, &other, tables);
    let of_steps = step_writes(block, module, &map, &other, tables);
    of_tables.chain(of_steps).collect()
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

/// The masks that differ. Blocks have no registers for them yet: these are not among the writes.
pub fn mask_changes(old: &Routing, new: &Routing) -> Vec<MaskChange> {
    let (Some(old), Some(new)) = (&old.paths, &new.paths) else {
        return Vec::new();
    };
    let sources = old.masks.iter().zip(&new.masks).zip(0..);
    sources
        .flat_map(|((old, new), block)| {
            let masks = old.iter().zip(new).zip(0..);
            masks.filter_map(move |((old, &mask), node_address)| {
                (*old != mask).then_some(MaskChange {
                    block: BlockId(block),
                    node_address,
                    mask,
                })
            })
        })
        .collect()
}
