//! Runs every mutant of a netlist through the standard block regression and adds up the score. Mutants
//! know nothing of each other, so every core takes one after the other.

use mkns_design::{BlockModule, Device, PortTable};
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use serde::Serialize;

use super::equivalence::{Comparison, Proof};
use super::netlist::{MUTATED, Mutant, Netlist, SELECTOR, SELECTOR_BITS};
use crate::scoring::{ScoringError, YosysError};
use mkns_cosim::{
    BlockRun, Failure, Models, Restrictions, RunListener, SessionError, declarations,
    golden_device, rtl_device,
};
use mkns_sim::{ModelLibrary, PortDecl};
use mkns_topology::BlockId;
use mkns_traffic::Pattern;

/// What every mutant has to pass.
#[derive(Debug, Clone)]
pub struct Campaign {
    /// Name in reports.
    pub block: String,
    /// Cycles of each kind of traffic with each seed.
    pub cycles: u64,
    /// Seeds 1 to N.
    pub seeds: u64,
}

/// What a netlist was made from, and how it is checked.
pub trait Subject: Sync {
    /// Pins besides the clock and the selector.
    fn ports(&self) -> PortTable;

    /// Whether no output depends on an input of the same cycle.
    fn has_registered_outputs(&self) -> bool {
        true
    }

    /// The first run that reports a mutant.
    fn kill(
        &self,
        campaign: &Campaign,
        library: &ModelLibrary,
        mutant: u32,
    ) -> mkns_sim::Result<Option<Kill>>;
}

/// A run that reported a mutant.
pub struct Kill {
    pub run: &'static str,
    pub seed: u64,
    pub failure: Box<Failure>,
}

/// What became of a mutant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "fate", rename_all = "snake_case")]
pub enum MutantOutcome {
    /// A run reported it.
    Killed {
        /// The kind of traffic, or what a cable did.
        traffic: String,
        seed: u64,
        cycle: u64,
        /// The first signal that differed; empty when something else gave it away.
        signal: String,
    },
    /// No run differs, and none can: proved.
    Equivalent,
    /// No run differs, and nothing is proved; why.
    Survived { comparison: String },
}

/// One mutant and its fate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MutantResult {
    #[serde(flatten)]
    pub mutant: Mutant,
    #[serde(flatten)]
    pub fate: MutantOutcome,
}

/// The result of a campaign.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    pub block: String,
    pub killed: usize,
    pub equivalent: usize,
    pub survived: usize,
    /// Killed mutants, percent of killed and survived ones.
    pub percent: f64,
    pub rows: Vec<MutantResult>,
}

impl Campaign {
    /// Runs all mutants of `netlist`, which was made from `subject`.
    pub fn run(
        &self,
        subject: &dyn Subject,
        netlist: &Netlist,
        listener: &(dyn RunListener + Sync),
    ) -> Result<Score, ScoringError> {
        let source = (format!("{MUTATED}.v"), netlist.text.clone());
        let models = Models::from_sources(&[source])?;
        let library = library(&models, subject, listener)?;
        if let Some(kill) = subject.kill(self, &library, 0)? {
            return Err(ScoringError::Session(SessionError::Failed(kill.failure)));
        }
        listener.begins(&self.block, netlist.mutants.len() as u64);
        let done = AtomicU64::new(0);
        let mutants = netlist.mutants.par_iter().with_max_len(1);
        let fates = mutants.map(|mutant| {
            let killed = subject.kill(self, &library, mutant.number)?;
            listener.reached(done.fetch_add(1, Ordering::Relaxed) + 1);
            Ok(killed.map(|kill| MutantOutcome::Killed {
                traffic: kill.run.to_owned(),
                seed: kill.seed,
                cycle: kill.failure.cycle,
                signal: kill.failure.signal,
            }))
        });
        let fates = fates.collect::<mkns_sim::Result<Vec<_>>>()?;
        let rows = with_proofs(netlist, fates, listener)?;
        Ok(self.score(rows))
    }

    fn score(&self, rows: Vec<MutantResult>) -> Score {
        let count = |wanted: fn(&MutantOutcome) -> bool| {
            rows.iter().filter(|row| wanted(&row.fate)).count()
        };
        let killed = count(|fate| matches!(fate, MutantOutcome::Killed { .. }));
        let equivalent = count(|fate| *fate == MutantOutcome::Equivalent);
        let survived = count(|fate| matches!(fate, MutantOutcome::Survived { .. }));
        Score {
            block: self.block.clone(),
            killed,
            equivalent,
            survived,
            percent: 100.0 * killed as f64 / (killed + survived).max(1) as f64,
            rows,
        }
    }
}

impl Subject for BlockModule {
    fn ports(&self) -> PortTable {
        self.port_table()
    }

    fn kill(
        &self,
        campaign: &Campaign,
        library: &ModelLibrary,
        mutant: u32,
    ) -> mkns_sim::Result<Option<Kill>> {
        for seed in 1..=campaign.seeds {
            for traffic in Pattern::LOCKSTEP {
                let run = BlockRun {
                    block: campaign.block.clone(),
                    traffic,
                    cycles: campaign.cycles,
                    seed,
                    restrictions: Restrictions::default(),
                };
                let rtl = Selected::new(rtl_device(library, &[BlockId(0)], seed)?, mutant);
                let golden = golden_device(self);
                if let Err(failure) = run.run(self, Box::new(rtl), golden, &mut |_| {}) {
                    return Ok(Some(Kill {
                        run: traffic.name(),
                        seed,
                        failure,
                    }));
                }
            }
        }
        Ok(None)
    }
}

/// One row a mutant: its fate, or for those that no run killed what is proved of them.
fn with_proofs(
    netlist: &Netlist,
    fates: Vec<Option<MutantOutcome>>,
    listener: &(dyn RunListener + Sync),
) -> Result<Vec<MutantResult>, ScoringError> {
    let all = netlist.mutants.iter().zip(&fates);
    let unharmed = all.filter(|(_, fate)| fate.is_none());
    let unharmed: Vec<&Mutant> = unharmed.map(|(mutant, _)| mutant).collect();
    listener.begins("comparing survivors", unharmed.len() as u64);
    let comparison = Comparison::new(netlist, &unharmed)?;
    let done = AtomicU64::new(0);
    let proved = |mutant: &Mutant| -> Result<MutantOutcome, YosysError> {
        let proof = comparison.prove(mutant)?;
        listener.reached(done.fetch_add(1, Ordering::Relaxed) + 1);
        Ok(match proof {
            Proof::Same => MutantOutcome::Equivalent,
            Proof::Nothing(comparison) => MutantOutcome::Survived { comparison },
        })
    };
    let all = netlist.mutants.par_iter().zip(fates).with_max_len(1);
    let rows = all.map(|(mutant, killed)| {
        Ok(MutantResult {
            mutant: mutant.clone(),
            fate: killed.map_or_else(|| proved(mutant), Ok)?,
        })
    });
    rows.collect()
}

fn library(
    models: &Models,
    subject: &dyn Subject,
    listener: &dyn RunListener,
) -> mkns_sim::Result<ModelLibrary> {
    let table = subject.ports();
    let mut inputs = declarations(&table.inputs);
    inputs.push(PortDecl::new(SELECTOR, SELECTOR_BITS));
    let ports = (inputs, declarations(&table.outputs));
    let progress = |progress| listener.building(progress);
    match subject.has_registered_outputs() {
        true => models.library_of_top(MUTATED, Vec::new(), ports, false, &progress),
        false => models.library_of_gated_top(MUTATED, ports, &progress),
    }
}

/// The netlist with one mutant selected: one more input word than the block.
pub(super) struct Selected {
    netlist: Box<dyn Device>,
    mutant: u64,
    words: Vec<u64>,
}

impl Selected {
    pub fn new(netlist: Box<dyn Device>, mutant: u32) -> Self {
        Self {
            netlist,
            mutant: u64::from(mutant),
            words: Vec::new(),
        }
    }
}

impl Device for Selected {
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.words.clear();
        self.words.extend_from_slice(inputs);
        self.words.push(self.mutant);
        self.netlist.step_all(&self.words, outputs);
    }

    fn stopped(&self) -> Option<(usize, String)> {
        self.netlist.stopped()
    }
}
