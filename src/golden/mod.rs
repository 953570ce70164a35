//! The cycle-accurate reference model of every block, written from `docs/microarchitecture.md`.
//!
//! Written from that page alone, never from the RTL: it is the independent opinion. A
//! [`BlockModel`] speaks the packed words of `design`; [`header`] is the header flit.

mod block;
mod control_port;
mod egress;
pub mod header;
mod host_port;
mod ingress;
mod registers;
mod switch_core;
#[cfg(test)]
mod tests;
mod words;

pub use block::BlockModel;
pub use switch_core::NextHop;
pub use words::{InputWords, OutputWords};
