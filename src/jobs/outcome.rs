//! What became of a job.

use std::cmp::Ordering;
use std::os::unix::process::ExitStatusExt;

use mkns_scratch::{Ended, StopReason, last_lines};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::job::{Job, Limits};
use super::reported_failure::reported_failure;
use super::version::version;

/// Lines of a dead process's complaints that go into the report.
const TAIL_LINES: usize = 30;

/// How a job ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// It did not begin, or was interrupted.
    NotRun,
    /// Its task was killed, cancelled or lost with its node.
    Killed,
    TimedOut,
    OutOfMemory,
    /// Its process died, or a tool was missing or failed.
    Crashed,
    /// The command line or its files are wrong: exit code 2.
    Refused,
    /// It found what it was to look for: exit codes 4 and 5.
    Failed,
    Finished,
}

impl Status {
    /// The word in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotRun => "not_run",
            Self::Killed => "killed",
            Self::TimedOut => "timed_out",
            Self::OutOfMemory => "out_of_memory",
            Self::Crashed => "crashed",
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Finished => "finished",
        }
    }

    /// Whether running it again would give the same: only other jobs are run again.
    pub fn is_final(self) -> bool {
        self >= Self::Refused
    }
}

/// A job that has ended, whatever became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub job: Job,
    pub status: Status,
    /// None when it was killed.
    pub exit_code: Option<i32>,
    /// Wall time, seconds.
    pub seconds: f64,
    /// Machine that ran it.
    pub host: String,
    /// Version of mkns.
    pub version: String,
    /// What went wrong, for people.
    pub detail: String,
    /// Its standard output, where that is JSON.
    pub result: Value,
}

impl Outcome {
    /// A job without a result.
    pub fn without(job: &Job, status: Status, detail: impl Into<String>) -> Outcome {
        Outcome {
            job: job.clone(),
            status,
            exit_code: None,
            seconds: 0.0,
            host: rustix::system::uname()
                .nodename()
                .to_string_lossy()
                .into_owned(),
            version: version(),
            detail: detail.into(),
            result: Value::Null,
        }
    }

    /// From the end of its process; none when it was stopped.
    pub(super) fn of(job: &Job, ended: &Ended, limits: Limits) -> Option<Outcome> {
        let mut outcome = Outcome::without(job, Status::Crashed, "");
        outcome.seconds = ended.elapsed.as_secs_f64();
        match ended.cut_short {
            Some(StopReason::Stopped) => return None,
            Some(cut @ (StopReason::Late | StopReason::Busy)) => {
                outcome.status = Status::TimedOut;
                outcome.detail = match cut {
                    StopReason::Busy => {
                        let seconds = limits.cpu_seconds.unwrap_or_default();
                        format!("no end after {seconds} s of processor time: killed")
                    }
                    _ => format!("no end after {} s: killed", limits.seconds),
                };
                return Some(outcome);
            }
            None => {}
        }
        let status = ended.status;
        outcome.exit_code = status.code();
        outcome.result = serde_json::from_str(&ended.output).unwrap_or(Value::Null);
        outcome.status = match status.code() {
            Some(0) if outcome.result.is_null() => Status::Crashed,
            Some(0) => Status::Finished,
            Some(2) => Status::Refused,
            Some(4 | 5) => Status::Failed,
            _ => Status::Crashed,
        };
        let reported_failure = reported_failure(&ended.complaints);
        let tail = last_lines(
            reported_failure.as_deref().unwrap_or(&ended.complaints),
            TAIL_LINES,
        );
        outcome.detail = match (status.signal(), status.code()) {
            (_, Some(0)) if outcome.result.is_null() => "no result".to_owned(),
            (_, Some(0)) => String::new(),
            (Some(signal), _) => format!("killed by signal {signal}\n{tail}"),
            (..) if reported_failure.is_some() => tail,
            (_, code) => format!("exit code {}\n{tail}", code.unwrap_or(-1)),
        };
        if outcome.status == Status::Crashed && ran_out_of_memory(&ended.complaints) {
            outcome.status = Status::OutOfMemory;
            let allowed = limits.memory_bytes >> 20;
            outcome.detail = format!("more than {allowed} MiB wanted\n{}", outcome.detail);
        }
        Some(outcome)
    }

    /// Which of two results of one job stays when folders are merged: a total order, so that the order of merging
    /// does not matter.
    pub fn weight(&self, other: &Outcome) -> Ordering {
        let text = |outcome: &Outcome| serde_json::to_string(outcome).unwrap_or_default();
        self.status
            .cmp(&other.status)
            .then_with(|| text(self).cmp(&text(other)))
    }
}

/// What Rust, C++, the compilers and the loader say when they get no more memory.
fn ran_out_of_memory(complaints: &str) -> bool {
    let complaints = complaints.to_lowercase();
    let signs = [
        "memory allocation of",
        "bad_alloc",
        "out of memory",
        "cannot allocate memory",
    ];
    signs.iter().any(|sign| complaints.contains(sign))
}
