//! Rows of a regression on disk while it goes on: what is known survives whatever ends the machine.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::render;
use mkns_campaign::regress::Planned;
use mkns_report::{NOT_REACHED, Regression, Run, write_whole};

/// How often the file is written at most, after the first row.
const PAUSE: Duration = Duration::from_secs(10);

/// The file of `--json`, if there is one, and its rows.
pub struct Journal {
    path: Option<PathBuf>,
    rows: Mutex<(Regression, Option<Instant>)>,
}

impl Journal {
    /// Goes on from these rows.
    pub fn new(path: Option<&Path>, rows: Regression) -> Self {
        Self {
            path: path.map(Path::to_owned),
            rows: Mutex::new((rows, None)),
        }
    }

    /// These runs follow; the file is left alone until one has ended.
    pub fn expects(&self, planned: &[Planned]) {
        let row = |planned: &Planned| Run {
            key: planned.key.clone(),
            ..Run::not_run(&planned.case, NOT_REACHED)
        };
        self.update(planned.iter().map(row).collect());
    }

    /// A run has ended.
    pub fn ended(&self, run: &Run) {
        let Some(path) = &self.path else {
            return;
        };
        self.update(vec![run.clone()]);
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        if rows.1.is_none_or(|written| written.elapsed() >= PAUSE) {
            // The report at the end tells what cannot be written.
            let _ = write_whole(path, render::to_json(&rows.0) + "\n");
            rows.1 = Some(Instant::now());
        }
    }

    fn update(&self, runs: Vec<Run>) {
        let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.0.replace(runs);
    }
}
