//! `mkns task`: what a task of Slurm runs; no verb for people.

use std::path::PathBuf;

use clap::Args;

use super::{Command, CommandError, Context, cluster, interrupt};
use mkns_jobs::slurm::run_task;

/// Run one task of a submission, as the script that Slurm starts does
#[derive(Debug, Args)]
#[command(hide = true)]
pub struct Task {
    /// Folder of the submission
    folder: PathBuf,
    /// Number of the task
    task: usize,
}

impl Command for Task {
    fn run(&self, _: &Context) -> Result<(), CommandError> {
        let program = cluster::this_program()?;
        Ok(run_task(
            &self.folder,
            self.task,
            &program,
            &interrupt::stop(),
        )?)
    }
}
