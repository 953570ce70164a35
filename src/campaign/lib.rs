//! Campaigns of lockstep runs: regressions, how many mutants of the RTL are seen, and what of the RTL was reached.

pub mod coverage;
pub mod mutate;
pub mod regress;
mod scoring;

pub use scoring::{ScoringError, YosysError, scored_modules};
