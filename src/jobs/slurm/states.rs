//! What Slurm says of the tasks of an array.

use std::collections::BTreeMap;
use std::fmt;

use super::command::{SlurmError, run};

/// A task, as Slurm sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskState {
    Pending,
    Running,
    /// With Slurm's word for how: COMPLETED, TIMEOUT, OUT_OF_MEMORY, NODE_FAIL, …
    Ended(String),
    /// Slurm has forgotten it, or never knew.
    Unknown,
}

/// States in which a task does not go on.
const ENDED: [&str; 10] = [
    "BOOT_FAIL",
    "CANCELLED",
    "COMPLETED",
    "DEADLINE",
    "FAILED",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "PREEMPTED",
    "REVOKED",
    "TIMEOUT",
];

impl TaskState {
    /// Slurm's word, to which `sacct` may add who cancelled.
    pub fn of(word: &str) -> TaskState {
        let word = word
            .split_whitespace()
            .next()
            .unwrap_or("")
            .trim_end_matches('+');
        match word {
            "" => TaskState::Unknown,
            "PENDING" | "REQUEUED" | "REQUEUE_HOLD" | "REQUEUE_FED" | "SPECIAL_EXIT" => {
                TaskState::Pending
            }
            _ if ENDED.contains(&word) => TaskState::Ended(word.to_owned()),
            _ => TaskState::Running,
        }
    }
}

/// The number of an array: digits only, so that no word of a file becomes an option of Slurm's programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobNumber(u64);

impl JobNumber {
    /// From what a file or a program says.
    pub fn of(text: &str) -> Option<JobNumber> {
        let text = text.trim();
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse().ok().map(JobNumber))?
    }
}

impl fmt::Display for JobNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// States of the tasks of an array by their numbers, as far as Slurm remembers.
pub fn ask(job: JobNumber) -> Result<BTreeMap<usize, TaskState>, SlurmError> {
    let job = &job.to_string();
    let queue = ["-h", "-r", "-t", "all", "-j", job, "-o", "%K|%T"].map(str::to_owned);
    match run("squeue", &queue) {
        Ok(said) => Ok(lines(&said)),
        Err(SlurmError::Refused(said)) if said.contains("Invalid job id") => {
            let columns = ["-n", "-X", "-P", "-j", job, "-o", "JobID,State"].map(str::to_owned);
            // Many clusters keep no accounts.
            Ok(run("sacct", &columns).map_or_else(|_| BTreeMap::new(), |said| lines(&said)))
        }
        Err(error) => Err(error),
    }
}

/// The array that tasks of this name belong to.
pub fn find(name: &str) -> Result<Option<JobNumber>, SlurmError> {
    let queue = ["-h", "-t", "all", "-n", name, "-o", "%F"].map(str::to_owned);
    let said = run("squeue", &queue)?;
    Ok(said.lines().next().and_then(JobNumber::of))
}

/// Lines such as `3|RUNNING` or `17_3|FAILED`.
fn lines(said: &str) -> BTreeMap<usize, TaskState> {
    let line = |line: &str| {
        let (task, state) = line.trim().split_once('|')?;
        let task = task.rsplit('_').next()?;
        Some((task.parse().ok()?, TaskState::of(state)))
    };
    said.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abuse_15_a_job_number_is_digits() {
        assert_eq!(JobNumber::of(" 41\n"), Some(JobNumber(41)));
        for text in [
            "",
            "--user=root",
            "41 --user=root",
            "-1",
            "+1",
            "41_3",
            "41,42",
            "٤",
        ] {
            assert_eq!(JobNumber::of(text), None, "{text}");
        }
    }

    #[test]
    fn words_of_squeue_and_sacct_are_understood() {
        let ended = |word: &str| TaskState::Ended(word.to_owned());
        let seen =
            lines("0|PENDING\n17_1|CANCELLED by 0\n2|COMPLETING\n3|OUT_OF_MEMORY\nN/A|PENDING\n");
        let wanted = [
            (0, TaskState::Pending),
            (1, ended("CANCELLED")),
            (2, TaskState::Running),
            (3, ended("OUT_OF_MEMORY")),
        ];
        assert_eq!(seen, BTreeMap::from(wanted));
    }
}
