//! Runs the cases of a suite side by side and keeps their rows in the suite's order.

use super::child::run_case;
use super::inputs::Planned;
use mkns_jobs::{Limits, Program, Stop, side_by_side};
use mkns_report::{Case, Run};

/// Is told what happens while a suite runs; called from several threads.
pub trait SuiteListener: Sync {
    /// A run begins.
    fn begins(&self, case: &Case);
    /// A run has ended.
    fn ended(&self, run: &Run);
}

/// How cases are run.
#[derive(Debug, Clone)]
pub struct Runner {
    pub program: Program,
    pub limits: Limits,
    /// Runs at the same time, at least 1.
    pub workers: usize,
    /// Ends all runs, and keeps further ones from starting: their rows say so.
    pub stop: Stop,
}

impl Runner {
    /// One row for every case, in their order.
    pub fn run(&self, planned: &[Planned], listener: &dyn SuiteListener) -> Vec<Run> {
        side_by_side(planned, self.workers, |planned| {
            listener.begins(&planned.case);
            let run = Run {
                key: planned.key.clone(),
                ..run_case(&self.program, &planned.case, self.limits, &self.stop)
            };
            listener.ended(&run);
            run
        })
    }
}
