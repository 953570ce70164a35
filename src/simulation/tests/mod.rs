//! The fast model held to the reference: every link of its networks, its shortcuts.

mod adaptive;
mod fabric;
mod fabric_memory;
mod over_blocks;
mod random_plan;
mod shortcuts;
