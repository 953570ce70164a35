//! A sweep: ascending loads, several seeds of each, until the network is saturated.

use rayon::ThreadPoolBuildError;
use rayon::prelude::*;

use super::Point;

/// Saturated loads after which a sweep ends.
const SATURATED_POINTS: usize = 2;

/// What to run, and on how many threads.
#[derive(Debug, Clone, Copy)]
pub struct Sweep<'a> {
    /// Flits per host and cycle, ascending.
    pub loads: &'a [f64],
    /// Runs of each load, at least one.
    pub seeds: u32,
    /// By default the cores for several runs, one for a single run.
    pub threads: Option<usize>,
}

/// One run of a sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Run {
    pub load: f64,
    /// 0, 1, …
    pub seed: u32,
    /// Threads that a single run may be split over.
    pub parts: usize,
}

impl Sweep<'_> {
    /// All seeds of each load, up to the saturated loads that end the sweep. How many loads are
    /// tried at once has no effect on which are returned.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn run(
        &self,
        measure: impl Fn(Run) -> Point + Sync,
    ) -> Result<Vec<(f64, Vec<Point>)>, ThreadPoolBuildError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.loads.len() * self.seeds as usize;
        let threads = self.threads.unwrap_or(if jobs > 1 { cores } else { 1 });
        let parts = if jobs == 1 { threads } else { 1 };
        let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = builder.build()?;
        let mut results = Vec::new();
        let at_once = threads.div_ceil(self.seeds as usize).max(1);
        for loads in self.loads.chunks(at_once) {
            let of_load = |&load: &f64| (0..self.seeds).map(move |seed| Run { load, seed, parts });
            let jobs: Vec<Run> = loads.iter().flat_map(of_load).collect();
            let jobs = jobs.into_par_iter().with_max_len(1);
            let points: Vec<Point> = pool.install(|| jobs.map(&measure).collect());
            for (&load, points) in loads.iter().zip(points.chunks(self.seeds as usize)) {
                results.push((load, points.to_vec()));
                if is_over(&results) {
                    return Ok(results);
                }
            }
        }
        Ok(results)
    }
}

/// Whether the last loads were all saturated.
fn is_over(results: &[(f64, Vec<Point>)]) -> bool {
    let is_saturated = |(_, points): &&(f64, Vec<Point>)| points.iter().all(|p| p.saturated);
    let last = results.iter().rev().take(SATURATED_POINTS);
    last.filter(is_saturated).count() == SATURATED_POINTS
}
