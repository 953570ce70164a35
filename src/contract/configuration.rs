//! What a block is given before traffic: the register writes of its masks, entry channels, tables and step bits.

use std::fmt;

use serde::Serialize;

use mkns_routing::BlockTables;

use super::address;
use super::block_module::BlockModule;

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
    /// The ports on shortest paths to node address `node`.
    Candidates { node: u32 },
    /// The virtual channel on which packets of the block's hosts start in a layer.
    Entry { layer: u32 },
}

impl Target {
    /// The register that holds it.
    pub fn address(self) -> u32 {
        match self {
            Self::Table { table, index } => address::table(table, index),
            Self::Step { input } => address::step(input),
            Self::Mask { node } => address::mask(node),
            Self::Candidates { node } => address::candidates(node),
            Self::Entry { layer } => address::layer_entry(layer),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Table { table, index } => write!(f, "TABLE {table} [{index}]"),
            Self::Step { input } => write!(f, "STEP [{input}]"),
            Self::Mask { node } => write!(f, "MASK [{node}]"),
            Self::Candidates { node } => write!(f, "CANDIDATES [{node}]"),
            Self::Entry { layer } => write!(f, "LAYER_ENTRY [{layer}]"),
        }
    }
}

/// All that a block's configuration registers hold, in the order in which they are written. `choice`: masks and entry
/// channels of a block that chooses layers.
pub fn configuration<'a>(
    module: &BlockModule,
    tables: &'a BlockTables,
    choice: Option<(&'a [u8], &'a [u32])>,
) -> impl Iterator<Item = (Target, u32)> + use<'a> {
    let choice = choice.filter(|_| module.masks.is_some());
    let choice = choice.into_iter().flat_map(|(masks, channels)| {
        let masks = masks.iter().zip(0..);
        let masks = masks.map(|(&mask, node)| (Target::Mask { node }, mask.into()));
        let channels = channels.iter().zip(0..);
        masks.chain(channels.map(|(&channel, layer)| (Target::Entry { layer }, channel)))
    });
    let entries = tables.tables.iter().zip(0..).flat_map(|(contents, table)| {
        let entries = contents.entries.iter().zip(0..);
        entries.map(move |(entry, index)| (Target::Table { table, index }, entry.pack().into()))
    });
    let rows: &[Vec<bool>] = match module.has_step() {
        true => &tables.step,
        false => &[],
    };
    let rows = rows.iter().zip(0..);
    let rows = rows.map(|(row, input)| (Target::Step { input }, step_bits(row)));
    // Candidates are written after the escape (`docs/microarchitecture.md`, 1.8).
    let candidates = tables.candidates.iter().zip(0..);
    let candidates = candidates.map(|(&ports, node)| (Target::Candidates { node }, ports));
    choice.chain(entries).chain(rows).chain(candidates)
}

/// A row of step bits as its register holds it.
pub fn step_bits(row: &[bool]) -> u32 {
    let bits = row.iter().zip(0..);
    bits.fold(0, |word, (&step, output)| word | u32::from(step) << output)
}
