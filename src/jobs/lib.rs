//! Command lines of `mkns` as jobs: each runs in a process of its own, on this machine or in tasks of Slurm.
//!
//! A [`Store`] keeps a file for every job that has ended, so that nothing is lost or counted twice, whatever is
//! killed when. [`run_here`] works through jobs on the processors at hand; [`slurm`] packs them into the tasks of
//! an array, each of which calls [`run_here`] again. Knows nothing of what the jobs compute.

mod job;
mod local;
mod outcome;
mod pack;
mod process;
mod reported_failure;
mod size;
pub mod slurm;
mod store;
#[cfg(test)]
mod tests;
mod text;
mod version;

pub use job::{Batch, Job, Limits, is_key};
pub use local::{JobListener, run_here, side_by_side};
pub use outcome::{Outcome, Status};
pub use pack::pack;
pub use process::{Program, Stop};
pub use size::{MOST_RUNS, runs_of, steps_of};
pub use store::{SUPERSEDED, Store, UnknownFile};
pub use version::{program_identity, set_commit, version};
