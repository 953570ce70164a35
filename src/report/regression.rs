//! What a regression did: one row for every run, whatever became of it.

use mkns_diag::shell_word;
use serde::{Deserialize, Serialize};

/// What is compared with its golden model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// The whole network, block by block.
    Network,
    /// The generated top as one model.
    Flat,
    Switch,
    Adapter,
    Assembly,
    /// Splitter and combiner of a distributed switch.
    Rok,
    /// Terminal of a distributed switch.
    Terminal,
    /// Two link ports over a cable that makes errors.
    Link,
}

impl Part {
    /// The name in files and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Network => "network",
            Self::Flat => "flat",
            Self::Switch => "switch",
            Self::Adapter => "adapter",
            Self::Assembly => "assembly",
            Self::Rok => "rok",
            Self::Terminal => "terminal",
            Self::Link => "link",
        }
    }

    /// Whether hosts offer a load, which a network's do and a lone block's do not.
    pub fn has_load(self) -> bool {
        matches!(self, Self::Network | Self::Flat)
    }
}

/// One run as asked for: the arguments of one `mkns cosim`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Case {
    pub spec: String,
    pub part: Part,
    /// As on the command line: uniform, permutation, hotspot.
    pub traffic: String,
    pub seed: u64,
    /// Cycles of traffic.
    pub cycles: u64,
    /// Flits that each host offers per cycle; only for networks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
    /// Folder that the RTL is read from; none as generated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rtl: Option<String>,
}

impl Case {
    /// Names the run within its suite.
    pub fn name(&self) -> String {
        let load = match self.load {
            Some(load) => format!(" load {load}"),
            None => String::new(),
        };
        let rtl = match &self.rtl {
            Some(rtl) => format!(" rtl {rtl}"),
            None => String::new(),
        };
        format!(
            "{} {} {}{load} cycles {} seed {}{rtl}",
            self.spec,
            self.part.name(),
            self.traffic,
            self.cycles,
            self.seed
        )
    }

    /// Arguments of `mkns`.
    pub fn arguments(&self) -> Vec<String> {
        let mut list = vec!["cosim".to_owned(), self.spec.clone()];
        let mut add = |option: &str, value: &str| {
            list.push(option.to_owned());
            list.push(value.to_owned());
        };
        match self.part {
            Part::Network | Part::Flat => {}
            part => add("--block", part.name()),
        }
        add("--traffic", &self.traffic);
        if let Some(load) = self.load {
            add("--load", &load.to_string());
        }
        add("--cycles", &self.cycles.to_string());
        add("--seed", &self.seed.to_string());
        if let Some(rtl) = &self.rtl {
            add("--rtl", rtl);
        }
        if self.part == Part::Flat {
            list.push("--flat".to_owned());
        }
        list
    }

    /// The command that runs it again, for a shell.
    pub fn replay(&self) -> String {
        let arguments = self.arguments();
        let quoted: Vec<String> = arguments.iter().map(|word| shell_word(word)).collect();
        format!("mkns {}", quoted.join(" "))
    }
}

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
}

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
        }
    }
}

/// A whole regression.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Regression {
    /// The regression file.
    pub file: String,
    pub suite: String,
    /// Version of mkns.
    pub version: String,
    pub workers: usize,
    /// Wall time of all runs together.
    pub seconds: f64,
    pub runs: Vec<Run>,
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

    /// Puts rows of a later regression in the place of those for the same cases; others are added.
    pub fn update(&mut self, later: Self) {
        self.replace(later.runs);
        self.seconds += later.seconds;
        self.workers = later.workers;
        self.version = later.version;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn case(seed: u64) -> Case {
        Case {
            spec: "MKNS(2,4,2,1)".to_owned(),
            part: Part::Network,
            traffic: "uniform".to_owned(),
            seed,
            cycles: 100,
            load: Some(0.3),
            rtl: None,
        }
    }

    fn regression(verdicts: &[(u64, Verdict)]) -> Regression {
        let run = |&(seed, verdict): &(u64, Verdict)| Run {
            case: case(seed),
            verdict,
            exit_code: None,
            seconds: 1.0,
            cycles: None,
            speed: None,
            coverage: None,
            replay: String::new(),
            detail: String::new(),
        };
        Regression {
            file: String::new(),
            suite: String::new(),
            version: String::new(),
            workers: 1,
            seconds: 1.0,
            runs: verdicts.iter().map(run).collect(),
        }
    }

    #[test]
    fn a_replay_line_survives_a_shell() {
        let line =
            "mkns cosim \"MKNS(2,4,2,1)\" --traffic uniform --load 0.3 --cycles 100 --seed 7";
        assert_eq!(case(7).replay(), line);
    }

    #[test]
    fn later_rows_replace_earlier_ones_of_the_same_case() {
        let mut all = regression(&[(1, Verdict::Passed), (2, Verdict::Hung)]);
        all.update(regression(&[(2, Verdict::Passed), (3, Verdict::Failed)]));
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
}
