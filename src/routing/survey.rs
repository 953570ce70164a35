//! What an engine makes of many sets of failed parts: the counts of all of them together, found on all threads.

use std::collections::BTreeMap;
use std::num::NonZero;

use rayon::ThreadPoolBuildError;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::fault_sets::FaultSets;
use super::survival::{Survival, Survivors};
use mkns_topology::Network;

/// Counts over many sets of failed parts. Pairs are ordered pairs of different adapter blocks, each counted in
/// every set.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Survey {
    /// Parts that fail together.
    pub count: usize,
    pub sets: u64,
    /// Whether the sets were drawn at random.
    pub drawn: bool,
    /// Pairs whose two blocks work.
    pub surviving_pairs: u64,
    /// Pairs of which a block has failed.
    pub lost_pairs: u64,
    /// Served pairs whose former path is broken, by the hops that the new one is longer.
    pub rerouted_pairs: BTreeMap<i64, u64>,
    /// Served pairs whose former path works and is not the new one.
    pub moved_pairs: u64,
    /// Surviving pairs that no path is found for, those that no cables join any more included.
    pub unroutable_pairs: u64,
    /// Surviving pairs that no cables join any more.
    pub cut_pairs: u64,
    /// Sets with an unroutable pair.
    pub unserved_sets: u64,
    /// Sets in which packets can wait for each other in a circle.
    pub cyclic_sets: u64,
    /// Sets for which the engine finds no routes with the channels and layers of the spec; their pairs count as
    /// unroutable.
    pub refused_sets: u64,
    /// The first set with an unroutable pair that cables still join: names of its parts.
    pub example: Option<Vec<String>>,
}

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
        sets: sets.number(),
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
        let faults = sets.set(number);
        let survivors = survival.with(&faults);
        self.counts.refused_sets += u64::from(survivors.is_err());
        let survivors = survivors.unwrap_or_else(|_| survival.refused(&faults));
        if survivors.unroutable_pairs > survivors.cut_pairs {
            self.first = Some(self.first.map_or(number, |first| first.min(number)));
        }
        self.counts.add(&survivors);
    }

    fn with(mut self, other: Self) -> Self {
        self.first = [self.first, other.first].into_iter().flatten().min();
        self.counts.refused_sets += other.counts.refused_sets;
        self.counts.unserved_sets += other.counts.unserved_sets;
        self.counts.cyclic_sets += other.counts.cyclic_sets;
        self.counts.moved_pairs += other.counts.moved_pairs;
        self.counts.add_pairs(
            [
                other.counts.surviving_pairs,
                other.counts.lost_pairs,
                other.counts.unroutable_pairs,
                other.counts.cut_pairs,
            ],
            &other.counts.rerouted_pairs,
        );
        self
    }
}

impl Survey {
    fn add(&mut self, set: &Survivors) {
        self.unserved_sets += u64::from(set.unroutable_pairs > 0);
        self.cyclic_sets += u64::from(set.cyclic);
        self.moved_pairs += set.moved_pairs;
        let pairs = [
            set.surviving_pairs,
            set.lost_pairs,
            set.unroutable_pairs,
            set.cut_pairs,
        ];
        self.add_pairs(pairs, &set.rerouted_pairs);
    }

    /// Adds surviving, lost, unroutable and cut pairs, and those rerouted.
    fn add_pairs(&mut self, pairs: [u64; 4], rerouted: &BTreeMap<i64, u64>) {
        let [surviving, lost, unroutable, cut] = pairs;
        self.surviving_pairs += surviving;
        self.lost_pairs += lost;
        self.unroutable_pairs += unroutable;
        self.cut_pairs += cut;
        for (hops, pairs) in rerouted {
            *self.rerouted_pairs.entry(*hops).or_default() += pairs;
        }
    }

    /// Share of the surviving pairs that have a path, 0 to 1.
    pub fn served_share(&self) -> f64 {
        match self.surviving_pairs {
            0 => 1.0,
            pairs => (pairs - self.unroutable_pairs) as f64 / pairs as f64,
        }
    }
}
