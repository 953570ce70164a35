//! One view per template: strings ready to print, so that templates only loop and test.

pub mod assembly;
pub mod cable;
mod instance;
pub mod library;
pub mod node;
pub mod top;
mod top_blocks;
