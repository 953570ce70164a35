//! Jobs on Slurm: an array of tasks, each of which works through its share and keeps results in the common folder.
//!
//! Nothing but files on a shared file system is needed beside Slurm. A submission is a folder `slurm/N` beside the
//! results with what its tasks run, so that the program that submitted it may end, or be killed, at any time.

mod command;
mod settings;
mod states;
mod submission;
mod task;

pub use command::SlurmError;
pub use settings::Settings;
pub use states::{JobNumber, TaskState};
pub use submission::{Submission, submissions, submit};
pub use task::run_task;

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use super::outcome::{Outcome, Status};
use super::store::Store;

/// What is known of the jobs that were submitted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Progress {
    /// Tasks that wait, and those that run.
    pub pending: usize,
    pub running: usize,
    /// Keys of the jobs of these tasks.
    pub under_way: BTreeSet<String>,
}

/// Looks at all submissions of a folder.
///
/// # Errors
/// When Slurm does not answer, or files cannot be read.
pub fn progress(folder: &Path) -> Result<Progress, SlurmError> {
    let mut progress = Progress::default();
    for submission in submissions(folder)? {
        for (task, state) in submission.tasks.iter().zip(submission.states()?) {
            match state {
                TaskState::Pending => progress.pending += 1,
                TaskState::Running => progress.running += 1,
                TaskState::Ended(_) | TaskState::Unknown => continue,
            }
            progress
                .under_way
                .extend(task.iter().map(|job| job.key.clone()));
        }
    }
    Ok(progress)
}

/// Keeps a row for every job whose task is gone and that has no result, and says what became of it.
///
/// # Errors
/// When Slurm does not answer, or files cannot be read or written.
pub fn collect(folder: &Path) -> Result<Progress, SlurmError> {
    let progress = progress(folder)?;
    let store = Store::new(folder);
    for submission in submissions(folder)? {
        for (number, state) in submission.states()?.into_iter().enumerate() {
            let begun = submission.begun(number);
            for job in &submission.tasks[number] {
                if !progress.under_way.contains(&job.key) && !store.is_final(&job.key) {
                    let lost = state.verdict(begun.contains(&job.key));
                    let detail = submission.describe(number, &state);
                    store.put(&Outcome::without(job, lost, detail))?;
                }
            }
        }
    }
    Ok(progress)
}

/// Ends all tasks of a folder.
///
/// # Errors
/// When Slurm does not answer, or files cannot be read.
pub fn cancel(folder: &Path) -> Result<usize, SlurmError> {
    let mut count = 0;
    for submission in submissions(folder)? {
        let alive = submission.states()?.into_iter();
        let alive = alive.filter(|state| matches!(state, TaskState::Pending | TaskState::Running));
        let alive = alive.count();
        if let (Some(job), true) = (submission.job()?, alive > 0) {
            command::run("scancel", &[job.to_string()])?;
            count += alive;
        }
    }
    Ok(count)
}

impl From<io::Error> for SlurmError {
    fn from(error: io::Error) -> Self {
        Self::Files(error.to_string())
    }
}

impl TaskState {
    /// What a job of the task is that has no result.
    fn verdict(&self, has_begun: bool) -> Status {
        match self {
            _ if !has_begun => Status::NotRun,
            Self::Ended(state) if state == "TIMEOUT" => Status::TimedOut,
            Self::Ended(state) if state == "OUT_OF_MEMORY" => Status::OutOfMemory,
            _ => Status::Killed,
        }
    }
}
