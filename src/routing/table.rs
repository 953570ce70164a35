//! Dense routing tables, as the hardware holds them, and their bit packing.
//!
//! A block looks up all its dimension tables in parallel; the first whose entry is not `same` wins;
//! when all are `same`, the terminal table decides (`docs/microarchitecture.md`, routing). A flat
//! topology uses one dimension table whose field is the whole switch number.

use serde::Serialize;

use mkns_topology::{Block, PortIndex};

/// Bits of an entry in the hardware (`docs/microarchitecture.md`, 1.3).
const PORT: u16 = 31;
const SAME: u16 = 1 << 5;
const VALID: u16 = 1 << 6;
const ALLOW_UTURN: u16 = 1 << 7;
const ALTERNATE: u32 = 8;
const ALTERNATE_VALID: u16 = 1 << 13;

/// One field of the 20-bit destination address, packed from bit 0 upward.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AddressField {
    /// `pcie`, then `x`, `y`, … or `node`.
    pub name: String,
    /// Lowest bit.
    pub offset: u32,
    /// ⌈log2 size⌉; 0 when the size is 1.
    pub bits: u32,
    pub size: u32,
}

/// How hosts are addressed: field 0 is the PCIe port, then one per dimension.
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
    /// Of adaptive blocks, by node address: the ports on shortest paths, bit o for port o. Otherwise empty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<u32>,
}

impl TableEntry {
    /// A plain entry: leave through `port`.
    pub fn to(port: PortIndex) -> Self {
        Self {
            valid: true,
            port: port.0,
            ..Self::default()
        }
    }

    /// The entry of the block's own coordinate.
    pub fn same() -> Self {
        Self {
            valid: true,
            same: true,
            ..Self::default()
        }
    }

    /// The 16-bit word of the hardware table: `[4:0]` port, `[5]` same, `[6]` valid, `[7]` U-turn
    /// allowed, `[12:8]` alternate port, `[13]` alternate valid, `[15:14]` zero.
    pub fn pack(self) -> u16 {
        let flag = |is_set: bool, bit: u16| if is_set { bit } else { 0 };
        let alternate = u16::from(self.alternate.unwrap_or(0)) & PORT;
        u16::from(self.port) & PORT
            | flag(self.same, SAME)
            | flag(self.valid, VALID)
            | flag(self.allow_uturn, ALLOW_UTURN)
            | alternate << ALTERNATE
            | flag(self.alternate.is_some(), ALTERNATE_VALID)
    }

    /// The entry in a hardware word; the two spare bits are ignored.
    #[inline]
    pub fn unpack(word: u16) -> Self {
        let alternate = (word >> ALTERNATE & PORT) as u8;
        Self {
            valid: word & VALID != 0,
            same: word & SAME != 0,
            port: (word & PORT) as u8,
            allow_uturn: word & ALLOW_UTURN != 0,
            alternate: (word & ALTERNATE_VALID != 0).then_some(alternate),
        }
    }
}

impl BlockTables {
    /// No tables and no steps.
    pub fn empty(block: &Block) -> Self {
        let ports = usize::from(block.network_ports + block.pcie_ports);
        Self {
            tables: Vec::new(),
            step: vec![vec![false; ports]; ports],
            candidates: Vec::new(),
        }
    }

    /// Output port for a destination address by the rule of the module comment; `None` when the
    /// entry is invalid (the packet is dropped).
    pub fn lookup(&self, layout: &AddressLayout, layer: u32, address: u32) -> Option<TableEntry> {
        for table in &self.tables {
            let field = &layout.fields[table.field];
            let index = layer * field.depth() + field.value(address);
            let entry = *table.entries.get(index as usize)?;
            if !entry.valid {
                return None;
            }
            if !entry.same {
                return Some(entry);
            }
        }
        None
    }

    /// Which fields tables look at, and nothing else.
    pub fn without_contents(&self) -> Self {
        let empty = |table: &DimensionTable| DimensionTable {
            field: table.field,
            entries: Vec::new(),
        };
        Self {
            tables: self.tables.iter().map(empty).collect(),
            step: Vec::new(),
            candidates: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn entries() -> impl Strategy<Value = TableEntry> {
        let alternate = proptest::option::of(0..32u8);
        let flags = (any::<bool>(), any::<bool>(), any::<bool>());
        (flags, 0..32u8, alternate).prop_map(|((valid, same, allow_uturn), port, alternate)| {
            TableEntry {
                valid,
                same,
                port,
                allow_uturn,
                alternate,
            }
        })
    }

    proptest! {
        #[test]
        fn packed_entries_read_back_equal(entry in entries()) {
            prop_assert_eq!(TableEntry::unpack(entry.pack()), entry);
        }
    }

    #[test]
    fn bits_stand_where_the_contract_puts_them() {
        let entry = TableEntry {
            allow_uturn: true,
            alternate: Some(3),
            ..TableEntry::to(PortIndex(9))
        };
        assert_eq!(entry.pack(), 0b0010_0011_1100_1001);
        assert_eq!(TableEntry::same().pack(), 0b0110_0000);
    }
}
