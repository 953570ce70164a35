//! What the user wrote: the notation `MKNS(M,K,N,S)` or a TOML file, as a validated [`NetworkSpec`].
//!
//! Promises that a `NetworkSpec` returned from [`parse`] is valid: every later layer may rely on
//! the ranges stated here. Knows nothing of graphs, routes or Verilog.

mod block;
mod network;

pub use block::{BlockParameters, Switching};
pub use network::{Dimension, Join, MknsSpec, NetworkKind, NetworkSpec};
