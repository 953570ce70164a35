//! What we will build: the tool-neutral plan between routing and the two descriptions of behaviour
//! (RTL and golden model). Holds the port table, the single source of port names, widths and order.

mod plan;
mod ports;

pub use plan::{BlockInstance, BlockModule, ModuleKind, Plan, TableShape};
pub use ports::{CONTROL_ADDRESS_BITS, Port, PortTable, packed_words, word_offset};
