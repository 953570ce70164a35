//! Dense routing tables, as the hardware holds them, and their bit packing.
//!
//! A block looks up all its dimension tables in parallel; the first whose entry is not `same` wins;
//! when all are `same`, the terminal table decides (`docs/microarchitecture.md`, routing). A flat
//! topology uses one dimension table whose field is the whole switch number.

use std::ops::Range;

use bitvec::prelude::*;
use serde::Serialize;

use mkns_topology::PortIndex;

/// Bits of an entry in the hardware (`docs/microarchitecture.md`, 1.3).
const PORT: Range<usize> = 0..5;
const SAME: usize = 5;
const VALID: usize = 6;
const ALLOW_UTURN: usize = 7;
const ALTERNATE: Range<usize> = 8..13;
const ALTERNATE_VALID: usize = 13;

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
        let mut word = BitArray::<[u16; 1], Lsb0>::ZERO;
        word[PORT].store(self.port & 31);
        word.set(SAME, self.same);
        word.set(VALID, self.valid);
        word.set(ALLOW_UTURN, self.allow_uturn);
        word[ALTERNATE].store(self.alternate.unwrap_or(0) & 31);
        word.set(ALTERNATE_VALID, self.alternate.is_some());
        word.into_inner()[0]
    }

    /// The entry in a hardware word; the two spare bits are ignored.
    pub fn unpack(word: u16) -> Self {
        // Proofs read billions of entries: plain shifts, not a bit array.
        let bit = |at: usize| word >> at & 1 == 1;
        let number = |at: &Range<usize>| (word >> at.start & ((1 << at.len()) - 1)) as u8;
        Self {
            valid: bit(VALID),
            same: bit(SAME),
            port: number(&PORT),
            allow_uturn: bit(ALLOW_UTURN),
            alternate: bit(ALTERNATE_VALID).then(|| number(&ALTERNATE)),
        }
    }
}

impl BlockTables {
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
