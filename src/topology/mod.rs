//! Who is wired to whom: a [`Network`] of blocks, ports, cables and terminals.
//!
//! One file per family builds the graph from a spec; [`metrics`](self) compares formula and graph;
//! `export` writes it for other tools. Knows nothing of routes or Verilog.

mod network;

pub use network::{Block, BlockId, BlockRole, Cable, CableKind, End, Network, PortIndex, Terminal};
