//! What makes a spec valid: values to problems.

mod adaptive;
mod block;
mod conclude;
mod distributed_switch;
mod engine;
mod fat_tree;
mod graph;
mod grid;
mod layer_choice;
mod mkns;
mod network;
mod reserved;
mod serial_link;

pub use conclude::conclude;
pub use engine::needs;
