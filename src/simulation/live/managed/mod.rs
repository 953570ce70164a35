//! A manager over the cables of a simulated network: messages with the times of `docs/microarchitecture.md`, 7.10 and 8.

mod idle_network;
mod idle_run;
mod link_registers;
mod manager;
mod notices;
#[cfg(test)]
mod tests;
mod timed_blocks;
mod units;
mod visits;
mod window;

pub use idle_network::IdleNetwork;
pub use idle_run::{IdleReport, IdleRun};
pub use manager::CableManager;
pub use timed_blocks::TimedBlocks;
