//! What makes a spec valid: values to problems.

mod block;
mod conclude;
mod distributed_switch;
mod fat_tree;
mod grid;
mod mkns;
mod network;

pub use conclude::conclude;
