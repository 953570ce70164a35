//! Work with an end on a simulated network: how long it takes, and the critical path of what depends on each other.

mod chain;
mod progress;
mod run;

pub use chain::ChainStep;
pub use run::{Completion, Work, WorkError};
