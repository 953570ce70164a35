//! Processes that simulate one network together: what they say to each other.
//!
//! A simulation knows of [`RankCommunicator`] only. [`SingleRank`] is one process, [`in_threads`] plays several in one, with nothing
//! shared but messages; MPI is a crate of its own.

mod messages;
mod threads;

pub use messages::{RankCommunicator, SingleRank};
pub use threads::in_threads;
