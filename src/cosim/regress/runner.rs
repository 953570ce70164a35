//! Runs the cases of a suite side by side and keeps their rows in the suite's order.

use std::sync::Mutex;
use std::thread;

use super::child::run_case;
use mkns_jobs::{Limits, Program, Stop};
use mkns_report::{Case, Run};

/// Is told what happens while a suite runs; called from several threads.
pub trait Watch: Sync {
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
    pub fn run(&self, cases: &[Case], watch: &dyn Watch) -> Vec<Run> {
        let queue = Mutex::new(cases.iter().enumerate());
        let rows = Mutex::new(Vec::new());
        let work = || {
            loop {
                let next = queue.lock().expect("no worker panics").next();
                let Some((number, case)) = next else {
                    return;
                };
                watch.begins(case);
                let run = run_case(&self.program, case, self.limits, &self.stop);
                watch.ended(&run);
                rows.lock().expect("no worker panics").push((number, run));
            }
        };
        thread::scope(|scope| {
            for _ in 0..self.workers.max(1) {
                scope.spawn(work);
            }
        });
        let mut rows = rows.into_inner().expect("no worker panics");
        rows.sort_by_key(|(number, _)| *number);
        rows.into_iter().map(|(_, run)| run).collect()
    }
}
