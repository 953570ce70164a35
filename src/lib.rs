//! System networks of low-radix switches, from a spec to checked RTL.
//!
//! Data flows `spec → topology → routing → design → rtl / golden → cosim → report, fpga`; one plain
//! data type stands on each arrow, and a module imports only modules to its left in
//! `{diag, block_design} < tools < spec < topology < routing < design < {rtl, golden, fpga} < report <
//! cosim < cli`
//! (held by `tests/layering.rs`).

pub mod block_design;
pub mod cli;
#[cfg(feature = "cosim")]
pub mod cosim;
pub mod design;
pub mod diag;
pub mod fpga;
pub mod golden;
pub mod report;
pub mod routing;
pub mod rtl;
pub mod spec;
pub mod tools;
pub mod topology;
