//! Reroutes a running network around parts that fail: which registers to write, in an order that is safe
//! while hosts send, and the manager that finds what failed and writes them.
//!
//! Speaks to blocks through two calls, read and write. Knows register addresses, nothing of pins or Verilog.

mod audit;
mod configuration;
mod damping;
mod error;
mod history;
mod identity;
mod in_band;
mod links;
mod manager;
mod memory;
mod needed_turns;
mod peers;
mod registers;
mod reroute;
mod route_change;
mod serial_line;
#[cfg(test)]
mod serial_line_tests;
#[cfg(test)]
mod silence_tests;
#[cfg(test)]
mod tests;
mod watch;
mod writes;
mod writing;

pub use configuration::configuration_with;
pub use damping::Damping;
pub use error::ManagerError;
pub use history::{FailureSeen, History, RouteChangeRecord};
pub use in_band::{
    BringUp, BringUpError, Discovery, InBandError, InBandRegisters, InBandReport, LONGEST_ROUTE,
    MessageCounts, Messenger, Patience, Round,
};
pub use manager::Manager;
pub use memory::{MappedFile, MappedRegisters, WordWindow};
pub use peers::{SeenPeer, seen_peers};
pub use registers::Registers;
pub use reroute::{Drain, Reroute};
pub use route_change::RouteChange;
pub use serial_line::SerialLine;
pub use writes::{RegisterWrite, block_writes, writes};
