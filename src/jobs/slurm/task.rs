//! What a task of an array does: its jobs, one after the other.

use std::env;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

use super::command::SlurmError;
use super::states::JobNumber;
use super::submission::Submission;
use crate::job::{Batch, Job};
use crate::local::{JobListener, run_here};
use crate::outcome::Outcome;
use crate::process::{Program, Stop};
use crate::store::Store;

/// Notes on disk what begins.
struct Marks<'a> {
    submission: &'a Submission,
    task: usize,
}

impl JobListener for Marks<'_> {
    fn begins(&self, job: &Job) {
        let path = self.submission.begun_file(self.task);
        let file = OpenOptions::new().create(true).append(true).open(path);
        // Without the mark the row says `not_run` instead of `killed`.
        let _ = file.and_then(|mut file| writeln!(file, "{}", job.key));
    }

    fn ended(&self, outcome: &Outcome) {
        println!("{}: {}", outcome.job.key, outcome.status.name());
    }
}

/// Runs task number `task` of the submission in `folder`; as many jobs at a time as the task has processors.
///
/// # Errors
/// When the folder holds no such task, or a result cannot be written.
pub fn run_task(
    folder: &Path,
    task: usize,
    program: &Program,
    stop: &Stop,
) -> Result<(), SlurmError> {
    let wrong = || SlurmError::Foreign(format!("{} has no task {task}", folder.display()));
    let submission = Submission::read(folder)?.ok_or_else(wrong)?;
    let jobs = submission.tasks.get(task).ok_or_else(wrong)?;
    let results = folder.ancestors().nth(2).ok_or_else(wrong)?;
    let own = env::var("SLURM_ARRAY_JOB_ID").ok();
    if let (None, Some(job)) = (submission.job()?, own.as_deref().and_then(JobNumber::of)) {
        submission.belongs_to(job)?;
    }
    let cpus = env::var("SLURM_CPUS_PER_TASK").ok();
    let workers = cpus.and_then(|cpus| cpus.parse().ok()).unwrap_or(1);
    let batch = Batch {
        limits: submission.limits,
        jobs: jobs.clone(),
    };
    let marks = Marks {
        submission: &submission,
        task,
    };
    run_here(&batch, program, &Store::new(results), workers, stop, &marks)?;
    Ok(())
}
