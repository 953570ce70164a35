//! What a regression did: one row for every run, whatever became of it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::case::Case;

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every output of every cycle was equal.
    Passed,
    /// RTL and golden model differ, or a contract was broken.
    Failed,
    /// The process died.
    Crashed,
    /// The process did not end in time and was killed.
    Hung,
    /// The process asked for more memory than it was allowed.
    OutOfMemory,
    /// The run could not be made: an invalid spec, a missing or failing tool.
    NotRun,
}

impl Verdict {
    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Crashed => "crashed",
            Self::Hung => "hung",
            Self::OutOfMemory => "out of memory",
            Self::NotRun => "not run",
        }
    }
}

/// One row: a case and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub case: Case,
    pub verdict: Verdict,
    /// Exit code of the process; none when it was killed.
    pub exit_code: Option<i32>,
    /// Wall time of the process, models included if they had to be built.
    pub seconds: f64,
    /// Cycles compared, with setting up and emptying.
    pub cycles: Option<u64>,
    /// Block-cycles compared in a second, without building.
    pub speed: Option<f64>,
    /// Lines of the RTL that were executed, percent, where it was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    pub replay: String,
    /// What went wrong, for people; empty when nothing did.
    pub detail: String,
    /// Of all that decides the row: settings, contents of files, program. Rows with another key are of something else.
    #[serde(default)]
    pub key: String,
}

/// What the row of a run says that was to stop, and of one that has not begun.
pub const INTERRUPTED: &str = "interrupted";
pub const NOT_REACHED: &str = "not reached";

impl Run {
    /// The row of a case that has not run, and why.
    pub fn not_run(case: &Case, detail: impl Into<String>) -> Self {
        Self {
            case: case.clone(),
            verdict: Verdict::NotRun,
            exit_code: None,
            seconds: 0.0,
            cycles: None,
            speed: None,
            coverage: None,
            replay: case.replay(),
            detail: detail.into(),
            key: String::new(),
        }
    }

    /// Whether an interruption, and nothing of its own, kept it from its verdict.
    pub fn was_interrupted(&self) -> bool {
        let detail = self.detail.as_str();
        self.verdict == Verdict::NotRun && [INTERRUPTED, NOT_REACHED].contains(&detail)
    }
}

/// A whole regression.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Regression {
    /// The regression file.
    pub file: String,
    pub suite: String,
    /// Version of mkns.
    pub version: String,
    /// Which build of it.
    #[serde(default)]
    pub program: String,
    /// First seed of the first round, and how many rounds of the suite there are.
    #[serde(default = "one")]
    pub first_seed: u64,
    #[serde(default = "one")]
    pub rounds: u64,
    /// With `--rerun-failed`: which rows were run again, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<Reruns>,
    pub workers: usize,
    /// Wall time of all runs together.
    pub seconds: f64,
    pub runs: Vec<Run>,
}

fn one() -> u64 {
    1
}

/// Rows of an earlier regression that were run again, by their reasons.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reruns {
    /// They had not passed.
    pub failed: usize,
    /// They had passed, with other settings, specs, cases or RTL.
    pub other_inputs: usize,
    /// They had passed with another build of mkns.
    pub other_program: usize,
    /// They had not been in the suite.
    pub new: usize,
    /// Not run again: they are no longer in the suite, and no longer in the report.
    pub left_out: usize,
    /// Not run again: they had passed with all the same.
    pub kept: usize,
}

impl Reruns {
    /// How many were run again.
    pub fn count(&self) -> usize {
        self.failed + self.other_inputs + self.other_program + self.new
    }
}

impl fmt::Display for Reruns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons = [
            (self.failed, "did not pass"),
            (
                self.other_inputs,
                "passed with other settings, specs, cases or RTL",
            ),
            (self.other_program, "passed with another build of mkns"),
            (self.new, "were not in the suite"),
        ];
        let reasons = reasons.into_iter().filter(|(count, _)| *count > 0);
        let reasons: Vec<String> = reasons
            .map(|(count, why)| format!("{count} {why}"))
            .collect();
        let all = self.count() + self.kept;
        match reasons.is_empty() {
            true => write!(
                f,
                "nothing to run again: all {all} rows passed with these inputs and this build of mkns"
            )?,
            false => write!(
                f,
                "{} of {all} rows run again: {}",
                self.count(),
                reasons.join(", ")
            )?,
        }
        if self.left_out > 0 {
            write!(
                f,
                "; {} rows left out, no longer in the suite",
                self.left_out
            )?;
        }
        Ok(())
    }
}

impl Regression {
    /// Runs that ended so.
    pub fn count(&self, verdict: Verdict) -> usize {
        let same = |run: &&Run| run.verdict == verdict;
        self.runs.iter().filter(same).count()
    }

    /// Runs that did not pass.
    pub fn failures(&self) -> impl Iterator<Item = &Run> {
        let bad = |run: &&Run| run.verdict != Verdict::Passed;
        self.runs.iter().filter(bad)
    }

    /// Puts rows in the place of those for the same cases; others are added.
    pub fn replace(&mut self, runs: Vec<Run>) {
        for run in runs {
            match self.runs.iter_mut().find(|old| old.case == run.case) {
                Some(old) => *old = run,
                None => self.runs.push(run),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::TestedPart;

    fn run(seed: u64, verdict: Verdict) -> Run {
        let case = Case::new("MKNS(2,4,2,1)", TestedPart::Network, "uniform", seed, 100);
        Run {
            verdict,
            ..Run::not_run(&case, "")
        }
    }

    #[test]
    fn later_rows_replace_earlier_ones_of_the_same_case() {
        let mut all = Regression {
            runs: vec![run(1, Verdict::Passed), run(2, Verdict::Hung)],
            ..Regression::default()
        };
        all.replace(vec![run(2, Verdict::Passed), run(3, Verdict::Failed)]);
        let seen: Vec<_> = all
            .runs
            .iter()
            .map(|run| (run.case.seed, run.verdict))
            .collect();
        let wanted = [
            (1, Verdict::Passed),
            (2, Verdict::Passed),
            (3, Verdict::Failed),
        ];
        assert_eq!(seen, wanted);
        assert_eq!(all.failures().count(), 1);
    }

    #[test]
    fn what_is_run_again_is_told_with_its_reasons() {
        let again = Reruns {
            failed: 3,
            other_inputs: 8,
            new: 1,
            kept: 28,
            left_out: 2,
            ..Reruns::default()
        };
        assert_eq!(
            again.to_string(),
            "12 of 40 rows run again: 3 did not pass, 8 passed with other settings, specs, cases or RTL, \
             1 were not in the suite; 2 rows left out, no longer in the suite"
        );
    }
}
