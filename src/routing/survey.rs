//! What an engine makes of many sets of failed parts: the counts of all of them together, found on all threads.

use std::num::NonZero;

use rayon::ThreadPoolBuildError;
use rayon::prelude::*;

use super::fault_sets::FaultSets;
pub use super::survival::Survey;
use super::survival::Survival;
use mkns_topology::Network;

/// Looks at all sets; `progress` is called from several threads for each set that is done.
///
/// # Errors
/// When the system gives no threads.
pub fn survey(
    survival: &Survival,
    network: &Network,
    sets: &FaultSets,
    count: usize,
    threads: Option<NonZero<usize>>,
    progress: impl Fn() + Sync,
) -> Result<Survey, ThreadPoolBuildError> {
    let threads = threads.map_or(0, NonZero::get);
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()?;
    let look = |mut found: Found, number: u64| {
        found.look(survival, sets, number);
        progress();
        found
    };
    let found = pool.install(|| {
        let numbers = (0..sets.number()).into_par_iter();
        numbers
            .fold(Found::default, look)
            .reduce(Found::default, Found::with)
    });
    let example = found.first.map(|number| {
        let parts = sets.set(number);
        parts.parts().map(|part| part.name(network)).collect()
    });
    Ok(Survey {
        count,
        drawn: sets.are_drawn(),
        example,
        ..found.counts
    })
}

/// What some of the sets gave.
#[derive(Default)]
struct Found {
    counts: Survey,
    /// Number of the first set that the engine serves worse than cables allow.
    first: Option<u64>,
}

impl Found {
    fn look(&mut self, survival: &Survival, sets: &FaultSets, number: u64) {
        let set = survival.with(&sets.set(number));
        if set.unroutable_pairs > set.cut_pairs {
            self.first = Some(self.first.map_or(number, |first| first.min(number)));
        }
        self.counts.add(&set);
    }

    fn with(mut self, other: Self) -> Self {
        self.first = [self.first, other.first].into_iter().flatten().min();
        self.counts.add(&other.counts);
        self
    }
}
