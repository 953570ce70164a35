//! What Slurm says of the tasks of an array.

use std::collections::BTreeMap;

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

/// States of the tasks of an array by their numbers, as far as Slurm remembers.
pub fn ask(job: &str) -> Result<BTreeMap<usize, TaskState>, SlurmError> {
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
pub fn find(name: &str) -> Result<Option<String>, SlurmError> {
    let queue = ["-h", "-t", "all", "-n", name, "-o", "%F"].map(str::to_owned);
    let said = run("squeue", &queue)?;
    Ok(said.lines().next().map(|line| line.trim().to_owned()))
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
