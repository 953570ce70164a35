//! Serial cables as a test knows them: flight, errors of every kind, plugs that come and go; and what stands at
//! their ends, blocks that check what comes through.
//!
//! Knows words and flits, but no link port: whoever has one, reference or RTL, gives two to [`Pair`] as [`Ends`].

mod bit_errors;
mod clocks;
mod direction;
mod end_block;
mod faults;
mod message_driver;
mod pair;
mod pins;
mod register_driver;
mod scoreboard;

pub use clocks::{ClockEdges, Clocks};
pub use direction::Direction;
pub use end_block::BlockActivity;
pub use faults::Faults;
pub use message_driver::MessageDriver;
pub use pair::{LinkReport, Pair, WordCorruptor};
pub use pins::{
    EndInputs, EndOutputs, Ends, Flit, MessageInputs, MessageOutputs, RegisterAccess, Word,
};
pub use register_driver::RegisterDriver;
