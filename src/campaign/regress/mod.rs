//! Regressions: a file names suites, a suite is a list of matrices, and every cell of a matrix is one
//! `mkns cosim` in a process of its own.

mod child;
mod inputs;
mod matrix;
mod runner;
mod suite;
mod values;

pub use child::{job, row, run_case};
pub use inputs::{Inputs, Planned, content_of};
pub use mkns_jobs::{Limits, Program, Stop};
pub use runner::{Runner, SuiteListener};
pub use suite::{Suites, json_schema, read_suites};
