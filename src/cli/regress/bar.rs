//! Progress of a regression: a bar on a terminal, a line for each run with `-v` elsewhere; and rows on disk.

use super::journal::Journal;
use crate::Context;
use crate::progress::{self, Progress};
use mkns_campaign::regress::{Planned, SuiteListener};
use mkns_report::{Case, Run, Verdict};

/// Watches the runs.
pub struct Bar {
    bar: Progress,
    journal: Journal,
}

impl Bar {
    pub fn new(context: &Context, journal: Journal) -> Self {
        // No time left: the first runs build the models of those after them.
        let template = "{bar:30} {pos}/{len} runs {elapsed} {msg}";
        Self {
            bar: progress::styled(context, Some(0), template),
            journal,
        }
    }

    /// These runs follow.
    pub fn expects(&self, wanted: &[Planned]) {
        self.bar.inc_length(wanted.len() as u64);
        self.journal.expects(wanted);
    }

    pub fn finish(&self) {
        self.bar.finish();
    }
}

impl SuiteListener for Bar {
    fn begins(&self, case: &Case) {
        self.bar.step(&format!("begun: {}", case.name()));
        self.bar.set_message(case.name());
    }

    fn ended(&self, run: &Run) {
        let line = format!("{}: {}", run.verdict.name(), run.case.name());
        match run.verdict {
            Verdict::Passed => self.bar.step(&format!("{line}, {:.1} s", run.seconds)),
            _ => self.bar.report(&line),
        }
        self.bar.inc(1);
        self.journal.ended(run);
    }
}
