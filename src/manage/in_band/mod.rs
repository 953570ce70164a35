//! Management over the cables (`docs/microarchitecture.md`, 8): registers of all blocks, read and written by messages
//! that leave through the window of one board; and the bring-up of a machine that powered up empty.

mod arming;
mod bring_up;
mod cable_map;
mod counts;
mod discovery;
#[cfg(test)]
mod machine;
mod message;
mod messenger;
mod notices;
#[cfg(test)]
mod notices_tests;
#[cfg(test)]
mod number_tests;
mod numbers;
mod patience;
mod reading;
#[cfg(test)]
mod reading_tests;
mod registers;
mod report;
#[cfg(test)]
mod tests;
mod window;

pub use bring_up::{BringUp, BringUpError};
pub use counts::MessageCounts;
pub use discovery::Discovery;
pub use message::LONGEST_ROUTE;
pub use messenger::{InBandError, Messenger};
pub use patience::Patience;
pub use registers::InBandRegisters;
pub use report::{InBandReport, Round};
