//! A simulation in which parts fail: how many packets that costs, when a manager has rerouted, and what
//! latency and throughput are before and after.

mod error;
mod experiment;
mod managed;
mod outside;
mod outside_run;
mod period;
mod running;

pub use error::LiveError;
pub use experiment::{LiveExperiment, LiveReport, PATIENCE};
pub use managed::{IdleReport, IdleRun};
pub use outside_run::{OutsideReport, OutsideRun};
pub use period::{FailurePeriod, State};
pub use running::Totals;
