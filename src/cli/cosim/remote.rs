//! `mkns cosim --on slurm`: the network and its blocks, all kinds of traffic and several seeds in tasks, with one report.

use std::time::Instant;

use super::refusals::occurs_in;
use super::{BLOCK_CYCLES, BLOCKS, Cosim, NETWORK_CYCLES};
use crate::regress::{run_cases, text_of, verdict};
use crate::{CommandError, Context};
use mkns_campaign::regress::{Inputs, Limits, Planned, content_of};
use mkns_design::{Plan, Purpose};
use mkns_report::{Case, CaseOptions, Regression, TestedPart};
use mkns_traffic::Pattern;

/// What a run may take.
const LIMITS: Limits = Limits {
    seconds: 24 * 3600,
    cpu_seconds: None,
    memory_bytes: 64 << 30,
};

impl Cosim {
    /// Runs all cells and says what they found as a regression does.
    pub(super) fn run_remotely(&self, context: &Context) -> Result<(), CommandError> {
        self.refuse_what_cases_cannot_say()?;
        let spec = self.settings.parse(self.spec())?;
        let plan = self.failures.plan(&spec, Purpose::Rtl)?;
        let planned = self.planned(&plan);
        let start = Instant::now();
        let words = self.failures.words();
        let runs = run_cases(&self.remote, &planned, LIMITS, &words, context)?;
        let report = Regression {
            file: self.settings.title(self.spec()) + &self.failures.as_words(),
            suite: "cosim".to_owned(),
            version: mkns_jobs::version(),
            program: mkns_jobs::program_identity().to_owned(),
            first_seed: self.seed,
            rounds: 1,
            seconds: start.elapsed().as_secs_f64(),
            runs: runs.unwrap_or_default(),
            ..Regression::default()
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
            ("--flits", self.flits.is_some()),
            ("--vectors", self.backend.keeps_vectors()),
        ];
        let beside = Some("with `--on slurm`");
        CommandError::refuse_idle(options.map(|(option, is_given)| (option, is_given, beside)))
    }

    /// The network, and every kind of block that it has where none is chosen.
    fn parts(&self, plan: &Plan) -> Vec<TestedPart> {
        match self.block {
            Some(block) => vec![block],
            None if self.flat => vec![TestedPart::Flat],
            // What fails in a network says nothing about a block alone.
            None if !self.failures.is_none() => vec![TestedPart::Network],
            None => {
                let blocks = BLOCKS.iter().copied();
                let blocks = blocks.filter(|block| occurs_in(*block, plan));
                [TestedPart::Network].into_iter().chain(blocks).collect()
            }
        }
    }

    /// The cells; files that all of them read are part of their keys.
    fn planned(&self, plan: &Plan) -> Vec<Planned> {
        let files = self.failures.files().map(content_of);
        let files: String = files.collect();
        let planned = Inputs::default().planned(self.cases(plan)).into_iter();
        let with_files = planned.map(|planned| Planned {
            key: planned.key.clone() + &files,
            ..planned
        });
        with_files.collect()
    }

    /// Options of a part.
    fn options_of(&self, part: TestedPart) -> CaseOptions {
        CaseOptions {
            set: self.settings.set.clone(),
            link_faults: self.link_faults && part.has_load(),
            control_traffic: self.control_traffic && part.has_load(),
            simulator: self.backend.simulator().filter(|_| part.is_block()),
            netlist: self.backend.netlist().filter(|_| part.is_block()),
            ..CaseOptions::default()
        }
    }

    fn cases(&self, plan: &Plan) -> Vec<Case> {
        let all = || Pattern::LOCKSTEP.to_vec();
        let traffic = self.traffic.clone().unwrap_or_else(all);
        let mut cases = Vec::new();
        for part in self.parts(plan) {
            let cycles = match part.has_load() {
                true => NETWORK_CYCLES,
                false => BLOCK_CYCLES,
            };
            for traffic in &traffic {
                cases.extend((0..self.seeds.unwrap_or(1)).map(|seed| Case {
                    load: part.has_load().then_some(self.load),
                    rtl: self.rtl.path(),
                    options: self.options_of(part),
                    ..Case::new(
                        self.spec(),
                        part,
                        traffic.name(),
                        self.seed.wrapping_add(seed),
                        self.cycles.unwrap_or(cycles),
                    )
                }));
            }
        }
        cases
    }
}
