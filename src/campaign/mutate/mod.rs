//! Mutation score: small changes to the RTL of a block, and how many of them the co-simulation sees.
//!
//! Yosys turns the RTL into one netlist that holds every mutant, selected by an input; each is run like
//! any block, and those that no run kills are compared with the original by a SAT solver.

mod campaign;
mod equivalence;
mod link;
mod netlist;
mod unit;

pub use campaign::{Campaign, Kill, MutantOutcome, MutantResult, Score, Subject};
pub use equivalence::{Comparison, Proof};
pub use link::MutatedLink;
pub use netlist::{MOST, Mutant, Netlist};
pub use unit::MutatedUnit;
