//! `mkns cosim --on slurm`: the network and its blocks, all kinds of traffic and several seeds in tasks, with one report.

use std::time::Instant;

use clap::ValueEnum;

use super::{BlockChoice, Cosim, TrafficChoice};
use crate::regress::{run_cases, text_of, verdict};
use crate::{CommandError, Context};
use mkns_cosim::regress::Limits;
use mkns_design::{Plan, Purpose};
use mkns_report::{Case, Part, Regression};

/// What a run may take.
const LIMITS: Limits = Limits {
    seconds: 24 * 3600,
    memory_bytes: 64 << 30,
};
/// Cycles of a run when the user does not say: of a network, and of a block.
const CYCLES: (u64, u64) = (super::NETWORK_CYCLES, super::BLOCK_CYCLES);

impl Cosim {
    /// Runs all cells and says what they found as a regression does.
    pub(super) fn run_away(&self, context: &Context) -> Result<(), CommandError> {
        self.refuse_what_cases_cannot_say()?;
        let spec = self.settings.parse(self.spec())?;
        let plan = self.damage.plan(&spec, Purpose::Rtl)?;
        let cases = self.cases(&plan);
        let start = Instant::now();
        let runs = run_cases(&self.away, &cases, LIMITS, &self.further_words(), context)?;
        let report = Regression {
            file: self.settings.title(self.spec()) + &self.damage.as_words(),
            suite: "cosim".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            workers: 0,
            seconds: start.elapsed().as_secs_f64(),
            runs: runs.unwrap_or_default(),
        };
        match verdict(&report) {
            None => context.result(text_of(&report), &report),
            Some(exit) => Err(context.verdict(exit, text_of(&report), &report)),
        }
    }

    fn refuse_what_cases_cannot_say(&self) -> Result<(), CommandError> {
        let options = [
            ("--case", self.case.is_some()),
            ("--trace", self.trace.is_some()),
            ("--shrink", self.shrink.is_some()),
            ("--fail", !self.live.is_none()),
            (self.cables.option(), !self.cables.is_none()),
            ("--threads", self.threads.is_some()),
        ];
        match options.into_iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((option, _)) => Err(CommandError::no_effect(option, "with `--on slurm`")),
        }
    }

    /// The network, and every kind of block that it has where none is chosen.
    fn parts(&self, plan: &Plan) -> Vec<Part> {
        let part = |block: BlockChoice| match block {
            BlockChoice::Switch => Part::Switch,
            BlockChoice::Adapter => Part::Adapter,
            BlockChoice::Assembly => Part::Assembly,
            BlockChoice::Rok => Part::Rok,
            BlockChoice::Terminal => Part::Terminal,
            BlockChoice::Link => Part::Link,
        };
        match self.block {
            Some(block) => vec![part(block)],
            None if self.flat => vec![Part::Flat],
            // What fails in a network says nothing about a block alone.
            None if !self.damage.is_none() => vec![Part::Network],
            None => {
                let blocks = BlockChoice::value_variants().iter().copied();
                let blocks = blocks.filter(|block| block.occurs_in(plan)).map(part);
                [Part::Network].into_iter().chain(blocks).collect()
            }
        }
    }

    fn cases(&self, plan: &Plan) -> Vec<Case> {
        let traffic = match self.traffic {
            Some(TrafficChoice::Uniform) => vec!["uniform"],
            Some(TrafficChoice::Permutation) => vec!["permutation"],
            Some(TrafficChoice::Hotspot) => vec!["hotspot"],
            Some(TrafficChoice::All) | None => vec!["uniform", "permutation", "hotspot"],
        };
        let mut cases = Vec::new();
        for part in self.parts(plan) {
            let cycles = if part.has_load() { CYCLES.0 } else { CYCLES.1 };
            for traffic in &traffic {
                cases.extend((0..self.seeds.unwrap_or(1)).map(|seed| Case {
                    spec: self.spec().to_owned(),
                    part,
                    traffic: (*traffic).to_owned(),
                    seed: self.seed.wrapping_add(seed),
                    cycles: self.cycles.unwrap_or(cycles),
                    load: part.has_load().then_some(self.load),
                    rtl: None,
                }));
            }
        }
        cases
    }

    /// Options of all cells.
    fn further_words(&self) -> Vec<String> {
        let set = self.settings.set.iter();
        let set = set.flat_map(|setting| ["--set".to_owned(), setting.clone()]);
        set.chain(self.damage.words()).collect()
    }
}
