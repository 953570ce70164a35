//! One struct per template: strings ready to print, so that templates only loop and test.

pub mod assembly;
pub mod board;
pub mod board_top;
pub mod flow;
pub mod instance;
pub mod library;
pub mod network_bench;
pub mod node;
mod own_design;
pub mod ports;
mod register_rows;
pub mod registers;
mod send_packet;
pub mod top;
pub mod top_blocks;
