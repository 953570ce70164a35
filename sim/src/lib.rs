//! Verilated models behind a cxx bridge: verilate, compile, cache, load, step, trace.
//!
//! Knows nothing of MKNS: a model is a list of Verilog files, a top module and a table of ports.
//!
//! One sentence defines a cycle: **inputs are applied, combinational logic settles, outputs are
//! sampled, then the clock edge happens.**
//!
//! Where all outputs are registers ([`ModelSource::registered_outputs`]), the crate puts a register
//! before every input too, and the edge that ends a cycle is carried out by the next call: one
//! evaluation then takes the inputs of a cycle and shows its outputs. Nothing of this shows in the
//! words; it shows in two places: an instance that stops at an edge is known as stopped after the
//! next call (its cycle is right), and in waveforms the module is `<top>_clocked.rtl` and the clock
//! rises where a cycle begins.
//!
//! ```no_run
//! use mkns_sim::{ModelSource, PortDecl, Toolchain};
//! let source = ModelSource {
//!     top: "counter".into(),
//!     files: vec!["counter.v".into()],
//!     inputs: vec![PortDecl::new("enable", 1)],
//!     outputs: vec![PortDecl::new("count", 16)],
//!     ..ModelSource::default()
//! };
//! let library = mkns_sim::build(&source, &Toolchain::locate()?, &|_| {})?;
//! let mut model = library.instance(1)?;
//! let mut count = [0];
//! model.step(&[1], &mut count);
//! # Ok::<(), mkns_sim::Error>(())
//! ```
//!
//! Words: every port starts on a 64-bit word, ports in table order, least significant word first;
//! a 640-bit port is ten words, a 1-bit port is one. Bits above a port's width are ignored on
//! inputs and zero on outputs.

mod bridge;
mod build;
mod cache;
mod calls;
mod clocked;
mod compile;
mod error;
mod glue;
mod key;
mod model;
mod ports;
mod prune;
mod seal;
mod source;
mod toolchain;
mod verilate;

pub use build::{Progress, build};
pub use calls::ended_calls_beside_one;
pub use error::{Error, Result};
pub use model::{Bank, InstanceOptions, Model, ModelLibrary, Stop};
pub use source::{Effort, ModelSource, PortDecl};
pub use toolchain::Toolchain;
