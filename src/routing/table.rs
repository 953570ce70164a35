//! Dense routing tables, as the hardware holds them, and their bit packing.
//!
//! A block looks up all its dimension tables in parallel; the first whose entry is not `same` wins;
//! when all are `same`, the terminal table decides (`docs/microarchitecture.md`, routing). A flat
//! topology uses one dimension table whose field is the whole switch number.

use serde::Serialize;

/// One field of the 20-bit destination address, packed from bit 0 upward.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AddressField {
    /// `pcie`, `x`, `y`, `z`, `w`.
    pub name: String,
    /// Lowest bit.
    pub offset: u32,
    /// ⌈log2 size⌉; 0 when the size is 1.
    pub bits: u32,
    pub size: u32,
}

/// How terminals are addressed: field 0 is the PCIe port (terminal), then one per dimension.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AddressLayout {
    pub fields: Vec<AddressField>,
}

/// One routing table entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct TableEntry {
    /// 0: a packet that ends up here is dropped (cause: no route).
    pub valid: bool,
    /// Own coordinate: look at the next table.
    pub same: bool,
    /// Output port index (PCIe ports of an adapter block follow its network ports).
    pub port: u8,
    /// The packet may leave through the port it came in by.
    pub allow_uturn: bool,
    /// Port to take when the link of `port` is down.
    pub alternate: Option<u8>,
}

/// Table of one address field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DimensionTable {
    /// Index into [`AddressLayout::fields`].
    pub field: usize,
    /// `layers × 2^bits` entries, layer-major; at least one per layer.
    pub entries: Vec<TableEntry>,
}

/// All tables of one block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlockTables {
    /// In the order in which they are consulted; the terminal table comes last on adapter blocks.
    pub tables: Vec<DimensionTable>,
    /// `step[in][out]`: packets that pass from `in` to `out` go one virtual channel up.
    pub step: Vec<Vec<bool>>,
}
