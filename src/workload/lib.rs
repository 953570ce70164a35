//! Work with an end: which rank sends what to whom, and what has to be done before it. Collectives are made here,
//! traces are read from GOAL text. Knows nothing of networks but the number of their hosts.

mod collectives;
mod goal;
mod placement;
mod schedule;
mod size;

pub use collectives::Collective;
pub use goal::{GoalError, parse_goal};
pub use placement::{Placement, host_order};
pub use schedule::{Action, Operation, Schedule, ScheduleError};
pub use size::parse_size;
