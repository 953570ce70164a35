//! A manager over the cables of a simulated network: messages with the times of `docs/microarchitecture.md`, 7.10 and 8.

mod link_registers;
mod manager;
mod quiet;
mod quiet_run;
#[cfg(test)]
mod tests;
mod timed_blocks;
mod units;
mod window;

pub use manager::CableManager;
pub use quiet::QuietNetwork;
pub use quiet_run::{QuietReport, QuietRun};
pub use timed_blocks::TimedBlocks;
