//! Serial cables as a test knows them: flight, errors of every kind, plugs that come and go; and what stands at
//! their ends, blocks that check what comes through.
//!
//! Knows words and flits, but no link port: whoever has one, reference or RTL, gives it to [`Pair`] as an [`End`].

mod bit_errors;
mod direction;
mod faults;
mod flit;
mod host;
mod pair;
mod scoreboard;
mod word;

pub use direction::Direction;
pub use faults::Faults;
pub use flit::Flit;
pub use host::Appetite;
pub use pair::{End, EndInputs, EndOutputs, Pair, Report};
pub use word::Word;
