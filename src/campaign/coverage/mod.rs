//! What a regression of a block has exercised: lines, branches and toggles of the RTL, and points of
//! behaviour seen on the pins.
//!
//! Every run is the usual lockstep, with a model that counts. Counts of all runs are added up.

mod points;
mod structure;
mod unreachable;

use mkns_design::{BlockModule, Device, ModuleKind, Plan};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::sync::{Arc, Mutex, MutexGuard};

use mkns_sim::{Bank, InstanceOptions};
use mkns_traffic::Pattern;
use serde::Serialize;

use mkns_scratch::Scratch;
use mkns_topology::BlockId;

use crate::scoring::{ScoringError, scored_modules};
use mkns_cosim::{
    BlockRun, Models, Restrictions, RunListener, SessionError, Watched, golden_device,
    power_up_seed,
};
use points::Points;
use structure::Reached;
pub use structure::{Kind, SourceItem};
use unreachable::Unreachable;

/// Counts of all runs so far.
#[derive(Debug, Default)]
pub struct Coverage {
    /// How often each place of the RTL was reached.
    places: BTreeMap<SourceItem, Reached>,
    /// How often each point of behaviour was seen, by block and name.
    pub points: BTreeMap<String, u64>,
    /// Runs and cycles that were counted.
    pub runs: u64,
    pub cycles: u64,
}

/// How many of a kind there are, and how many were reached.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CoverageRatio {
    pub covered: usize,
    pub all: usize,
}

impl CoverageRatio {
    /// Percent; 100 of nothing.
    pub fn percent(self) -> f64 {
        match self.all {
            0 => 100.0,
            all => 100.0 * self.covered as f64 / all as f64,
        }
    }

    fn of<'a>(counts: impl Iterator<Item = &'a u64>) -> Self {
        let mut share = Self::default();
        for count in counts {
            share.all += 1;
            share.covered += usize::from(*count > 0);
        }
        share
    }
}

impl Coverage {
    /// Runs every module of a kind of the sources (file name and text) under all traffic with seeds 1 to
    /// `seeds`, and adds what was reached.
    pub fn add(
        &mut self,
        plan: &Plan,
        sources: &[(String, String)],
        kind: ModuleKind,
        (cycles, seeds): (u64, u64),
        listener: &dyn RunListener,
    ) -> Result<(), ScoringError> {
        let runs = seeds * Pattern::LOCKSTEP.len() as u64;
        let models = Models::from_sources(sources)?.for_block_cycles(runs * cycles);
        for (label, module) in scored_modules(plan, kind) {
            let unreachable_places = Unreachable::of(&module, sources)?;
            let library = models.counting(&module, &|progress| listener.building(progress))?;
            for seed in 1..=seeds {
                for traffic in Pattern::LOCKSTEP {
                    let run = BlockRun {
                        block: label.clone(),
                        traffic,
                        cycles,
                        seed,
                        restrictions: Restrictions::default(),
                    };
                    listener.begins(&format!("{label}, {}, seed {seed}", traffic.name()), cycles);
                    let options = InstanceOptions {
                        seed: power_up_seed(seed, BlockId(0)),
                        ..InstanceOptions::default()
                    };
                    let bank = library.bank(&[options])?;
                    self.count((&module, &unreachable_places), &run, bank, listener)?;
                }
            }
        }
        Ok(())
    }

    fn count(
        &mut self,
        (module, unreachable_places): (&BlockModule, &Unreachable),
        run: &BlockRun,
        bank: Bank,
        listener: &dyn RunListener,
    ) -> Result<(), SessionError> {
        let bank = Arc::new(Mutex::new(bank));
        let points = Arc::new(Mutex::new(Points::new(module)));
        let seen = Arc::clone(&points);
        let golden = Watched {
            device: golden_device(module),
            watch: move |inputs: &[u64], outputs: &[u64]| locked(&seen).observe(inputs, outputs),
        };
        let rtl = Box::new(Counting(Arc::clone(&bank)));
        let watch = &mut |cycle| listener.reached(cycle);
        let summary = run
            .run(module, rtl, Box::new(golden), watch)
            .map_err(SessionError::Failed)?;
        self.runs += 1;
        self.cycles += summary.cycles;
        for (name, count) in locked(&points).counts() {
            let name = format!("{}: {name}", module.kind.name());
            *self.points.entry(name).or_default() += count;
        }
        let folder = Scratch::new("coverage")
            .map_err(mkns_sim::Error::io("work in", &std::env::temp_dir()))?;
        let path = folder.path().join("coverage.dat");
        locked(&bank).write_coverage(0, &path)?;
        let text = fs::read_to_string(&path).map_err(mkns_sim::Error::io("read", &path))?;
        for (place, reached) in structure::read(&text, unreachable_places) {
            self.places.entry(place).or_default().add(reached);
        }
        Ok(())
    }

    /// Share of a kind of places, in one file or in all.
    pub fn share(&self, kind: Kind, file: Option<&str>) -> CoverageRatio {
        let places = self.counted(kind);
        let places = places.filter(|(place, _)| file.is_none_or(|file| place.file == file));
        CoverageRatio::of(places.map(|(_, count)| count))
    }

    /// Places of a kind that a run could reach, and how often each was.
    fn counted(&self, kind: Kind) -> impl Iterator<Item = (&SourceItem, &u64)> {
        let places = self.places.iter();
        places
            .filter(move |(place, reached)| place.kind == kind && reached.is_reachable)
            .map(|(place, reached)| (place, &reached.count))
    }

    /// How many places of a kind no run can reach ([`unreachable`]).
    pub fn left_out(&self, kind: Kind) -> usize {
        let places = self.places.iter();
        places
            .filter(|(place, reached)| place.kind == kind && !reached.is_reachable)
            .count()
    }

    /// Share of the points of behaviour.
    pub fn share_of_points(&self) -> CoverageRatio {
        CoverageRatio::of(self.points.values())
    }

    /// Files in which anything is counted.
    pub fn files(&self) -> Vec<&str> {
        let files: BTreeSet<&str> = self.places.keys().map(|place| &*place.file).collect();
        files.into_iter().collect()
    }

    /// Places of a kind that were not reached, though a run could.
    pub fn missed(&self, kind: Kind) -> impl Iterator<Item = &SourceItem> {
        let missed = self.counted(kind).filter(|(_, count)| **count == 0);
        missed.map(|(place, _)| place)
    }

    /// Points that were not seen.
    pub fn missed_points(&self) -> impl Iterator<Item = &str> {
        let all = self.points.iter();
        all.filter(|(_, count)| **count == 0)
            .map(|(name, _)| name.as_str())
    }
}

fn locked<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().expect("no holder panics")
}

/// One verilated instance that is asked for its counts after the run.
struct Counting(Arc<Mutex<Bank>>);

impl Device for Counting {
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        locked(&self.0).step_all(inputs, outputs);
    }

    fn stopped(&self) -> Option<(usize, String)> {
        Some((0, locked(&self.0).stop(0)?.message))
    }
}
