//! What the checks say, and how it is printed.

use serde::Serialize;

use mkns_topology::Network;

/// Violations described in a [`Check`]; more are only counted.
const DESCRIBED: usize = 5;

/// Outcome of all checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct VerificationReport {
    pub network: String,
    pub passed: bool,
    pub checks: Vec<Check>,
}

/// Outcome of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// `cables`, `tables`, `delivery`, `minimal`, `arithmetic`, `deadlock`, `turns` or `adaptive`; for distributed switches
    /// `cables`, `trains`, `paths` or `deadlock`.
    pub name: &'static str,
    pub state: State,
    /// What was examined, or why nothing was.
    pub examined: String,
    pub fault_count: u64,
    /// The first few faults.
    pub faults: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    Passed,
    Failed,
    /// Not run because an earlier check failed or the question does not arise.
    Skipped,
}

/// Violations of one check while it runs.
#[derive(Debug, Default)]
pub(super) struct Violations {
    count: u64,
    described: Vec<String>,
}

impl Violations {
    pub(super) fn add(&mut self, fault: impl FnOnce() -> String) {
        self.count += 1;
        if self.described.len() < DESCRIBED {
            self.described.push(fault());
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn merge(&mut self, other: Violations) {
        self.count += other.count;
        let room = DESCRIBED - self.described.len();
        self.described
            .extend(other.described.into_iter().take(room));
    }

    pub(super) fn into_check(self, name: &'static str, examined: String) -> Check {
        Check {
            name,
            state: if self.count == 0 {
                State::Passed
            } else {
                State::Failed
            },
            examined,
            fault_count: self.count,
            faults: self.described,
        }
    }
}

impl Check {
    /// A check that has to wait for earlier ones to hold.
    pub(super) fn not_run(name: &'static str) -> Self {
        Self {
            name,
            state: State::Skipped,
            examined: "not run: the checks above must hold first".to_owned(),
            fault_count: 0,
            faults: Vec::new(),
        }
    }
}

impl VerificationReport {
    pub(super) fn new(network: &Network, checks: Vec<Check>) -> Self {
        Self {
            network: network.name.clone(),
            passed: checks.iter().all(|check| check.state != State::Failed),
            checks,
        }
    }

    /// A line per check, faults indented below, a verdict at the end.
    pub fn to_text(&self) -> String {
        let mut out = format!("{}\n", self.network);
        for check in &self.checks {
            let word = match check.state {
                State::Passed => "ok",
                State::Failed => "FAILED",
                State::Skipped => "skipped",
            };
            out += &format!("  {:<10} {word:<8} {}\n", check.name, check.examined);
            for fault in &check.faults {
                out += &format!("      {fault}\n");
            }
            let hidden = check.fault_count - check.faults.len() as u64;
            if hidden > 0 {
                out += &format!("      … and {hidden} more\n");
            }
        }
        let failed = self
            .checks
            .iter()
            .filter(|c| c.state == State::Failed)
            .count();
        out + &if self.passed {
            "all checks passed\n".to_owned()
        } else {
            format!("{failed} of {} checks failed\n", self.checks.len())
        }
    }
}

/// Receives the number of destinations that have been finished, out of [`steps`](super::steps).
pub type Progress<'a> = &'a (dyn Fn(u64) + Sync);
