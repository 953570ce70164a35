//! Which port next: routing tables for every block, and the proof that they work.

mod table;

pub use table::{AddressField, AddressLayout, BlockTables, DimensionTable, TableEntry};
