//! One command line of `mkns` in a process of its own, with limits on wall time and memory.

use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::job::{Job, Limits};
use super::outcome::{Outcome, Status};

/// Set when a run is to end at once: by a signal, in most cases.
pub type Stop = Arc<AtomicBool>;

/// The program that is run: `mkns`, unless a test has a stand-in.
#[derive(Debug, Clone)]
pub struct Program {
    pub path: PathBuf,
}

impl Program {
    /// Runs `mkns WORDS --format json --quiet` to whatever end it comes; none when it was stopped.
    pub fn run(&self, job: &Job, limits: Limits, stop: &Stop) -> Option<Outcome> {
        let mut command = Command::new(&self.path);
        command.args(&job.words);
        command.args(["--format", "json", "--quiet"]);
        let within = mkns_scratch::Limits {
            wall: Some(Duration::from_secs(limits.seconds)),
            own_cpu: limits.cpu_seconds.map(Duration::from_secs),
            memory_bytes: Some(limits.memory_bytes),
            stop: Some(stop),
            ..Default::default()
        };
        match within.run(&mut command, &mut |_| {}) {
            Ok(ended) => Outcome::of(job, &ended, limits),
            Err(error) => {
                let detail = format!("cannot start {}: {error}", self.path.display());
                Some(Outcome::without(job, Status::NotRun, detail))
            }
        }
    }
}
