//! Jobs on the processors at hand.

use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use super::job::{Batch, Job};
use super::outcome::Outcome;
use super::process::{Program, Stop};
use super::store::Store;

/// Is told what happens; called from several threads.
pub trait JobListener: Sync {
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
    listener: &dyn JobListener,
) -> io::Result<()> {
    let is_lost = AtomicBool::new(false);
    let kept = side_by_side(&batch.jobs, workers, |job| {
        let ends = [stop.as_ref(), &is_lost].map(|end| end.load(Ordering::Relaxed));
        // Another task may have run it.
        if ends != [false; 2] || store.is_final(&job.key) {
            return Ok(());
        }
        listener.begins(job);
        let Some(outcome) = program.run(job, batch.limits, stop) else {
            return Ok(());
        };
        let put = store.put(&outcome).map(|()| listener.ended(&outcome));
        put.inspect_err(|_| is_lost.store(true, Ordering::Relaxed))
    });
    kept.into_iter().collect()
}

/// Does its work for each of the items, in their order and as many at a time as there are workers; what comes of
/// them, in their order.
pub fn side_by_side<T: Sync, R: Send>(
    items: &[T],
    workers: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let queue = Mutex::new(items.iter().enumerate());
    let done = Mutex::new(Vec::new());
    let next = || queue.lock().expect("no worker panics").next();
    let worker = || {
        while let Some((number, item)) = next() {
            let result = work(item);
            let mut done = done.lock().expect("no worker panics");
            done.push((number, result));
        }
    };
    thread::scope(|scope| {
        for _ in 0..workers.max(1) {
            scope.spawn(worker);
        }
    });
    let mut done = done.into_inner().expect("no worker panics");
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}
