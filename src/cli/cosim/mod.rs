//! `mkns cosim`: generated RTL against the golden model, cycle by cycle.

mod asked;
mod bar;
mod case_files;
mod outcome;
mod refusals;
mod remote;
mod seeds;

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::backend::Backend;
use super::block_choice::one_of;
use super::cable_faults::CableFaults;
use super::cabling::check_peers;
use super::cluster::RemoteRun;
use super::live_faults::LiveFaults;
use super::network_arguments::FailureArguments;
use super::rtl_folder::{RtlFolder, build_error};
use super::spec_arguments::Settings;
use super::{Command, CommandError, Context, output_path};
pub use bar::Bar;
use mkns_cosim::{
    CaseFile, Checked, Failure, Models, Recording, Request, SessionError, run, with_board_tops,
};
use mkns_design::{Plan, Purpose};
use mkns_diag::{Code, Diagnostic, Exit};
use mkns_jobs::MOST_RUNS;
use mkns_report::TestedPart;
use mkns_rtl as rtl;
use mkns_traffic::Pattern;
use outcome::Outcome;

/// Cycles for one block when the user does not say.
const BLOCK_CYCLES: u64 = 200_000;
/// Cycles for a whole network when the user does not say.
const NETWORK_CYCLES: u64 = 20_000;

/// What can be checked alone.
const BLOCKS: &[TestedPart] = &[
    TestedPart::Switch,
    TestedPart::Adapter,
    TestedPart::Assembly,
    TestedPart::Pok,
    TestedPart::Terminal,
    TestedPart::Link,
];
const LINK: &str = "Two link ports over a serial cable with bit errors";

/// Compare generated RTL with the golden model: every output in every cycle
#[derive(Debug, Clone, Args)]
pub struct Cosim {
    /// The network: a TOML file, - for TOML on standard input, or a notation such as "MKNS(2,4,2,1)"
    #[arg(required_unless_present = "case")]
    spec: Option<String>,
    #[command(flatten)]
    settings: Settings,
    #[command(flatten)]
    failures: FailureArguments,
    #[command(flatten)]
    live: LiveFaults,
    #[command(flatten)]
    cables: CableFaults,
    /// Check one kind of block under random legal traffic instead of the whole network
    #[arg(long, value_parser = one_of(BLOCKS, LINK), conflicts_with = "fail")]
    block: Option<TestedPart>,
    /// Run the generated top module as one model, for networks of at most 24 blocks. This checks the cables and the
    /// initial tables as generated; a waveform then contains only the RTL
    #[arg(long, conflicts_with_all = ["block", "fail"])]
    flat: bool,
    #[command(flatten)]
    rtl: RtlFolder,
    #[command(flatten)]
    backend: Backend,
    /// Where packets go: a pattern, or all patterns in turn [default: uniform for a network, all for a block]
    #[arg(long, value_parser = patterns())]
    traffic: Option<Patterns>,
    /// Flits that each host offers per cycle, 0.001 to 1
    #[arg(
        long,
        value_name = "LOAD",
        default_value_t = 0.3,
        conflicts_with = "block"
    )]
    load: f64,
    /// Let cables fail and recover at random during the run: about one failure every 5000 cycles. Each failure lasts at
    /// least 2 x latency + 4 cycles, and at most about 300 cycles more. Packets may then be lost or arrive marked bad
    /// (tuser). The counters must account for each of them, and all others must arrive. A single block (--block) is
    /// always tested this way
    #[arg(long, conflicts_with_all = ["block", "fail"])]
    link_faults: bool,
    /// Use the control ports during the run: rewrite table entries, with and without an alternate port, read registers
    /// and counters, and clear error bits. A single block (--block) is always tested this way
    #[arg(long, conflicts_with_all = ["block", "fail"])]
    control_traffic: bool,
    /// Cycles of traffic per pattern [default: 20000 for a network, 200000 for a block, 5000 for a block in Icarus]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    cycles: Option<u64>,
    /// With --block link: instead of a lockstep, send N flits through link ports whose four clocks have random ratios. A
    /// scoreboard finds flits that are lost, duplicated, reordered or wrong, and credits that do not return
    #[arg(long, value_name = "N", conflicts_with_all = ["cycles", "traffic"],
          value_parser = clap::value_parser!(u64).range(1..))]
    flits: Option<u64>,
    /// Seed of all random choices, including power-up values
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many threads are used; the results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", conflicts_with_all = ["block", "flat"],
          value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// If the run fails, write a waveform of the failing block, with RTL and golden model side by side, and next to it a
    /// save file (.gtkw) that opens GTKWave on the failing port
    #[arg(long, value_name = "FILE.fst")]
    trace: Option<PathBuf>,
    /// How many cycles before the failure the waveform covers
    #[arg(long, value_name = "N", default_value_t = Recording::WINDOW.0)]
    trace_before: u64,
    /// How many cycles after the failure the waveform covers, with the inputs that a correct block would have had; none
    /// for --flat and assemblies, whose runs end at the failure
    #[arg(long, value_name = "N", default_value_t = Recording::WINDOW.1)]
    trace_after: u64,
    /// If the run fails, write the smallest traffic that still fails as a case file for --case. A single block keeps
    /// random traffic, reduced to the patterns, ports and lengths that are needed
    #[arg(long, value_name = "FILE.toml", conflicts_with = "flat")]
    shrink: Option<PathBuf>,
    #[command(flatten)]
    remote: RemoteRun,
    /// Make up to N runs, with seeds from --seed upward, and stop at the first difference. With --on slurm: N runs per
    /// part and pattern [default: 1]
    #[arg(long, value_name = "N", conflicts_with = "vectors",
          value_parser = clap::value_parser!(u64).range(1..=MOST_RUNS))]
    seeds: Option<u64>,
    /// Replay a case file (docs/reference/verification.md), which names the network and the traffic
    #[arg(
        long,
        value_name = "FILE.toml",
        conflicts_with_all = ["spec", "set", "block", "flat", "traffic", "load", "link_faults",
                              "control_traffic", "cycles", "seed", "seeds", "shrink"]
    )]
    case: Option<PathBuf>,
}

/// Patterns that run one after the other.
type Patterns = Vec<Pattern>;

/// One pattern by its name, or all.
fn patterns() -> impl TypedValueParser<Value = Patterns> {
    let names = Pattern::LOCKSTEP.map(Pattern::name);
    PossibleValuesParser::new(names.into_iter().chain(["all"])).map(|name| {
        let one = Pattern::named(&name);
        one.map_or_else(|| Pattern::LOCKSTEP.to_vec(), |one| vec![one])
    })
}

impl Command for Cosim {
    fn runs_foreign_code(&self) -> bool {
        self.rtl.runs_foreign_code()
    }

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        if self.remote.cluster.is_slurm() {
            return self.run_remotely(context);
        }
        self.remote
            .run(|| unreachable!("nothing runs remotely"), context)?;
        if let Some(seeds) = self.seeds {
            return self.run_seeds(seeds, context);
        }
        match self.case_file()? {
            Some(case) => self.asking_for(&case).run_all(Some(&case), context),
            None => self.run_all(None, context),
        }
    }
}

impl Cosim {
    fn run_all(&self, case: Option<&CaseFile>, context: &Context) -> Result<(), CommandError> {
        let outcome = self.compared(case, context)?;
        match &outcome.failure {
            None => context.result(outcome.text(), &outcome),
            Some(failure) => Err(told(failure, &failure.to_string(), &outcome, context)),
        }
    }

    /// What the runs find; a difference is part of it.
    fn compared(
        &self,
        case: Option<&CaseFile>,
        context: &Context,
    ) -> Result<Outcome, CommandError> {
        self.ensure_case_can_be_named()?;
        let spec = self.settings.parse(self.spec())?;
        let purpose = match self.block {
            Some(_) => Purpose::Blocks,
            None => Purpose::Rtl,
        };
        let plan = self.failures.plan(&spec, purpose)?;
        self.ensure_feasible(&plan)?;
        let save_file = self.trace.as_ref().map(|fst| fst.with_extension("gtkw"));
        output_path::files([
            ("--trace", self.trace.as_ref()),
            ("--trace", save_file.as_ref()),
            ("--shrink", self.shrink.as_ref()),
        ])?;
        self.backend.ensure_room()?;
        if let (Some(case), Some(path)) = (case, &self.case) {
            case.fits(&path.display().to_string(), &plan)?;
        }
        let request = self.request(&plan)?;
        let live = self.live_faults(&plan, request.cycles)?;
        let tops = self.tops(&plan);
        let tops: Vec<&str> = tops.iter().map(String::as_str).collect();
        let sources = self.rtl.sources(&plan, self.scope(&plan), &tops, context)?;
        let wiring = self.check_wiring(&plan, &sources, context)?;
        let progress = Bar::new(context);
        let mut outcome = Outcome {
            wiring,
            spec: self.settings.title(self.spec())
                + &self.failures.as_words()
                + &self.live.as_words()
                + &self.cables.as_words(),
            seed: self.seed,
            flat: self.flat,
            adaptive: plan.spec.block.adaptive,
            pairs_without_route: match self.block {
                None => plan.pairs_without_route(),
                Some(_) => 0,
            },
            changed_rtl: self.rtl.changed(&sources),
            ..Outcome::default()
        };
        let kind = self.block.and_then(TestedPart::kind);
        let other = (self.backend).check(&plan, &sources, kind, &request, &progress)?;
        let ended = other.unwrap_or_else(|| {
            self.compare(&plan, &sources.files, case, (&request, &live), &progress)
        });
        outcome.seconds = progress.finish().as_secs_f64();
        let ended = ended.map(|checked| outcome.take(checked));
        let serial = outcome.networks.iter().find_map(|run| run.serial.as_ref());
        if let Some(serial) = serial.filter(|serial| !serial.down.is_empty()) {
            outcome.cabling = check_peers(&plan.spec, &plan.network, &serial.seen).ok();
        }
        match ended {
            Ok(()) if self.is_idle(case, &outcome) => Err(self.nothing_sent()),
            Ok(()) => Ok(outcome),
            Err(SessionError::Simulator(error)) => Err(build_error(&sources, &error)),
            Err(SessionError::Failed(mut failure)) => {
                failure.replay += &self.rtl.option();
                outcome.failure = Some(failure);
                Ok(outcome)
            }
        }
    }

    /// Compares the network of a folder with the plan; whether it was compared.
    fn check_wiring(
        &self,
        plan: &Plan,
        sources: &rtl::RtlSources,
        context: &Context,
    ) -> Result<bool, CommandError> {
        if self.block.is_some() || !sources.has_network() {
            return Ok(false);
        }
        if let Some(why) = rtl::structure::not_compared(plan) {
            context.summary(why);
            return Ok(false);
        }
        rtl::structure::check(plan, sources)?;
        Ok(true)
    }

    fn spec(&self) -> &str {
        self.spec.as_deref().unwrap_or_default()
    }

    fn compare(
        &self,
        plan: &Plan,
        sources: &[(String, String)],
        case: Option<&CaseFile>,
        (request, live): (&Request, &mkns_cosim::LiveFaults),
        progress: &Bar,
    ) -> Result<Checked, SessionError> {
        let runs = request.cycles * request.traffic.len() as u64;
        let instances = match self.block {
            None => plan.instances.len() as u64,
            Some(_) => 1,
        };
        let sources = match self.block {
            Some(_) => sources.to_vec(),
            None => with_board_tops(plan, sources),
        };
        let models = Models::from_sources(&sources)?.for_block_cycles(runs * instances);
        let backend = mkns_cosim::Backend::Verilator(&models);
        let subject = self.subject(plan, case, live);
        run(subject, backend, request, progress).map_err(|error| match error {
            SessionError::Failed(failure) => {
                SessionError::Failed(self.keep(plan, &models, request, failure, progress))
            }
            SessionError::Simulator(_) => error,
        })
    }
}

/// Writes a difference and what else was found; and says what was to be written with it and was not.
fn told(failure: &Failure, text: &str, found: &impl Serialize, context: &Context) -> CommandError {
    let mut verdict = context.verdict(Exit::Diverged, text, found);
    let unwritten = failure.unwritten.iter().cloned();
    verdict.diagnostics.extend(unwritten.map(lost));
    verdict
}

/// What was to be written with a failure and was not.
fn lost(fact: String) -> Diagnostic {
    let remedy = "the difference remains; its replay command reproduces it";
    Diagnostic::new(Code::FailureNotRecorded, fact, remedy)
}
