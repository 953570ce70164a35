//! Jobs one after the other on the processors at hand.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::thread;

use super::job::{Batch, Job};
use super::outcome::{Outcome, Status};
use super::process::{Program, Stop};
use super::store::Store;

/// Is told what happens; called from several threads.
pub trait Watch: Sync {
    /// A job begins.
    fn begins(&self, job: &Job);
    /// A job has ended and its result is on disk.
    fn ended(&self, outcome: &Outcome);
}

/// Runs the jobs of a batch that have no final result, `workers` at a time, and keeps their results. Those that `stop`
/// keeps from their end leave none.
///
/// # Errors
/// When a result cannot be written; the jobs under way end first.
pub fn run_here(
    batch: &Batch,
    program: &Program,
    store: &Store,
    workers: usize,
    stop: &Stop,
    watch: &dyn Watch,
) -> io::Result<()> {
    let queue = Mutex::new(batch.jobs.iter());
    let lost = Mutex::new(None);
    let work = || {
        while !stop.load(Ordering::Relaxed) {
            let next = queue.lock().expect("no worker panics").next();
            let Some(job) = next else {
                return;
            };
            // Another task may have run it.
            if store.is_final(&job.key) {
                continue;
            }
            watch.begins(job);
            let outcome = match program.run(&job.words, batch.limits, stop) {
                Ok(ended) => Outcome::of(job, &ended, batch.limits),
                Err(error) => {
                    let detail = format!("cannot start {}: {error}", program.path.display());
                    Some(Outcome::without(job, Status::NotRun, detail))
                }
            };
            let Some(outcome) = outcome else {
                return;
            };
            match store.put(&outcome) {
                Ok(()) => watch.ended(&outcome),
                Err(error) => {
                    *lost.lock().expect("no worker panics") = Some(error);
                    return;
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..workers.max(1) {
            scope.spawn(work);
        }
    });
    let lost = lost.into_inner().expect("no worker panics");
    lost.map_or(Ok(()), Err)
}
