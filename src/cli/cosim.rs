//! `mkns cosim`: generated RTL against the golden model, cycle by cycle.

mod saved;

use std::cell::Cell;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::second_opinion::SecondOpinion;
use super::{Command, CommandError, Context, Exit, progress};
use crate::cosim::{
    ALL_TRAFFIC, BlockSummary, Checked, Disturbance, FLAT_BLOCKS, Failure, Models, NetworkSummary,
    Recording, Request, SavedCase, SessionError, Traffic, Watcher, check_assemblies, check_blocks,
    check_case, check_flat, check_network,
};
use crate::design::{self, ModuleKind, Plan};
use crate::diag::Diagnostic;
use crate::rtl;
use crate::spec;
use crate::topology::BlockRole;

/// Cycles for one block when the user does not say.
const BLOCK_CYCLES: u64 = 200_000;
/// Cycles for a whole network when the user does not say.
const NETWORK_CYCLES: u64 = 20_000;

/// Compare generated RTL with the golden model, every output in every cycle
#[derive(Debug, Clone, Args)]
pub struct Cosim {
    /// TOML file or notation such as MKNS(2,4,2,1)
    #[arg(required_unless_present = "case")]
    spec: Option<String>,
    /// One block under random legal traffic instead of the whole network
    #[arg(long, value_enum)]
    block: Option<BlockChoice>,
    /// The generated network top as one model, for networks of at most 24 blocks: checks cables and
    /// initial tables as generated; a waveform then holds the RTL side
    #[arg(long, conflicts_with = "block")]
    flat: bool,
    #[command(flatten)]
    opinion: SecondOpinion,
    /// Where packets go [default: uniform for a network, all for a block]
    #[arg(long, value_enum)]
    traffic: Option<TrafficChoice>,
    /// Flits that each host offers, percent of its port's capacity
    #[arg(
        long,
        value_name = "PERCENT",
        default_value_t = 30.0,
        conflicts_with = "block"
    )]
    load: f64,
    /// Let cables of the network fail and be repaired at random during the run (a cable fails about
    /// every 5000 cycles, for 2 x latency + 4 to some 300 cycles more). Packets may then be lost or
    /// arrive marked bad (tuser), and every one must be accounted for by counters; all others must
    /// arrive. Blocks alone (--block) always see this
    #[arg(long, conflicts_with = "block")]
    link_faults: bool,
    /// Use the control ports of the network during the run: table entries are rewritten, with and
    /// without an alternate port, registers and counters are read, error bits cleared. Blocks alone
    /// (--block) always see this
    #[arg(long, conflicts_with = "block")]
    control_traffic: bool,
    /// Cycles for each kind of traffic [default: 20000 for a network, 200000 for a block, 5000 in Icarus]
    #[arg(long, value_name = "N")]
    cycles: Option<u64>,
    /// Decides all random choices, power-up values included
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Waveform of the failing block, RTL and golden side by side, if there is a failure; beside it
    /// goes a save file (.gtkw) that opens GTKWave on the failing port
    #[arg(long, value_name = "FILE.fst")]
    trace: Option<PathBuf>,
    /// Cycles of the waveform before the failing one
    #[arg(long, value_name = "N", default_value_t = Recording::WINDOW.0)]
    trace_before: u64,
    /// Cycles of the waveform after it, with the inputs that a faultless block would have had; none
    /// for --flat and assemblies, whose runs end there
    #[arg(long, value_name = "N", default_value_t = Recording::WINDOW.1)]
    trace_after: u64,
    /// Write the least traffic that still fails, if there is a failure, as a case for --case. A lone
    /// block keeps its random traffic, cut off where it fails
    #[arg(long, value_name = "FILE.toml", conflicts_with = "flat")]
    shrink: Option<PathBuf>,
    /// Run a saved case (docs/verification.md); it says what and with which traffic
    #[arg(
        long,
        value_name = "FILE.toml",
        conflicts_with_all = ["spec", "block", "flat", "traffic", "load", "link_faults",
                              "control_traffic", "cycles", "seed", "shrink"]
    )]
    case: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BlockChoice {
    Switch,
    Adapter,
    Assembly,
    /// Splitter and combiner of a distributed switch
    Rok,
    /// Terminal of a distributed switch
    Terminal,
}

impl BlockChoice {
    /// The kind of block module; none for an assembly, which is made of several.
    fn kind(self) -> Option<ModuleKind> {
        match self {
            Self::Switch => Some(ModuleKind::Switch),
            Self::Adapter => Some(ModuleKind::Adapter),
            Self::Rok => Some(ModuleKind::Rok),
            Self::Terminal => Some(ModuleKind::Terminal),
            Self::Assembly => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TrafficChoice {
    Uniform,
    Permutation,
    Hotspot,
    All,
}

/// What was compared, for `--format json`.
#[derive(Debug, Default, Serialize)]
struct Outcome {
    spec: String,
    seed: u64,
    /// The whole network was one model.
    flat: bool,
    /// Time of the comparison, without building models.
    seconds: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    blocks: Vec<BlockSummary>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    networks: Vec<NetworkSummary>,
    failure: Option<Box<Failure>>,
}

impl Command for Cosim {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        match self.saved()? {
            Some(case) => self.asking_for(&case).run_all(Some(&case), context),
            None => self.run_all(None, context),
        }
    }
}

impl Cosim {
    fn run_all(&self, saved: Option<&SavedCase>, context: &Context) -> Result<(), CommandError> {
        let spec = spec::parse(self.spec())?;
        let plan = design::build(&spec)?;
        self.possible(&plan)?;
        if let (Some(case), Some(path)) = (saved, &self.case) {
            case.fits(&path.display().to_string(), &plan)?;
        }
        let sources = self.sources(&plan)?;
        let request = self.request();
        let progress = Bar::new(context);
        let mut outcome = Outcome {
            spec: self.spec().to_owned(),
            seed: self.seed,
            flat: self.flat,
            ..Outcome::default()
        };
        let kind = self.block.and_then(BlockChoice::kind);
        let ended = match self.opinion.check(&plan, kind, &request, &progress)? {
            Some(ended) => ended.map(|blocks| outcome.blocks = blocks),
            None => self.compare(&plan, &sources, saved, &request, &progress, &mut outcome),
        };
        progress.bar.finish_and_clear();
        progress.pause();
        outcome.seconds = progress.compared.get().as_secs_f64();
        match ended {
            Ok(()) => context.result(outcome.text(), &outcome),
            Err(SessionError::Simulator(error)) => Err(simulator_error(&error)),
            Err(SessionError::Failed(failure)) => {
                let text = failure.to_string();
                outcome.failure = Some(failure);
                context.result(text, &outcome)?;
                Err(CommandError::new(Exit::Diverged, []))
            }
        }
    }

    fn spec(&self) -> &str {
        self.spec.as_deref().unwrap_or_default()
    }

    fn compare(
        &self,
        plan: &Plan,
        sources: &[(String, String)],
        saved: Option<&SavedCase>,
        request: &Request,
        progress: &Bar,
        outcome: &mut Outcome,
    ) -> Result<(), SessionError> {
        let runs = request.cycles * request.traffic.len() as u64;
        let instances = match self.block {
            None => plan.instances.len() as u64,
            Some(_) => 1,
        };
        let models = Models::from_sources(sources)?.for_block_cycles(runs * instances);
        let ended = match (saved, self.block) {
            (Some(case), _) => check_case(plan, &models, case, request, progress)
                .map(|checked| outcome.take(checked)),
            (None, None) if self.flat => check_flat(plan, &models, request, progress)
                .map(|networks| outcome.networks = networks),
            (None, None) => check_network(plan, &models, request, progress)
                .map(|networks| outcome.networks = networks),
            (None, Some(choice)) => match choice.kind() {
                Some(kind) => check_blocks(plan, &models, kind, request, progress),
                None => check_assemblies(plan, &models, request, progress),
            }
            .map(|blocks| outcome.blocks = blocks),
        };
        ended.or_else(|error| match error {
            SessionError::Failed(failure) => {
                let failure = self.keep(plan, &models, request, failure, progress)?;
                Err(SessionError::Failed(failure))
            }
            SessionError::Simulator(_) => Err(error),
        })
    }

    /// The RTL under test.
    fn sources(&self, plan: &Plan) -> Result<Vec<(String, String)>, CommandError> {
        if self.flat || self.block == Some(BlockChoice::Assembly) {
            rtl::render_network(plan).map_err(|found| CommandError::new(Exit::Usage, found))
        } else {
            Ok(rtl::render_sources(plan))
        }
    }

    /// Refuses what cannot be compared.
    fn possible(&self, plan: &Plan) -> Result<(), CommandError> {
        let kind = self.block.and_then(BlockChoice::kind);
        let reports = self.trace.is_some() || self.shrink.is_some();
        self.opinion.possible(kind, reports)?;
        if let Some(block) = self.block {
            let has = |kind| plan.modules.iter().any(|module| module.kind == kind);
            let is_leaf = |role: &BlockRole| matches!(role, BlockRole::AssemblyLeaf { .. });
            let found = match block.kind() {
                // Every terminal holds a РОК unit, also where no block is one.
                Some(ModuleKind::Rok) => has(ModuleKind::Terminal),
                Some(kind) => has(kind),
                None => plan.network.blocks.iter().any(|block| is_leaf(&block.role)),
            };
            let (what, remedy) = match block {
                BlockChoice::Adapter => (
                    "adapter blocks",
                    "choose `--block terminal`, `--block rok` or `--block switch`",
                ),
                BlockChoice::Switch => (
                    "switch blocks",
                    "choose `--block adapter`, or a network with switch blocks (S = 1)",
                ),
                BlockChoice::Assembly => (
                    "switch assemblies",
                    "choose another block, or a network with switch assemblies (S = 2)",
                ),
                BlockChoice::Rok => (
                    "РОК blocks",
                    "choose another block, or a distributed switch",
                ),
                BlockChoice::Terminal => (
                    "terminal blocks",
                    "choose another block, or a distributed switch",
                ),
            };
            if !found {
                let fact = format!("{} has no {what}", self.spec());
                return Err(CommandError::one(
                    Exit::Usage,
                    Diagnostic::new("E0601", fact, remedy),
                ));
            }
            return Ok(());
        }
        if (self.link_faults || self.control_traffic)
            && plan.modules.iter().any(|module| module.kind.is_rok())
        {
            let fact = "cables and tables of a distributed switch stay as they are in a run";
            let remedy = "leave `--link-faults` and `--control-traffic` out";
            return Err(CommandError::one(
                Exit::Usage,
                Diagnostic::new("E0610", fact, remedy),
            ));
        }
        if self.control_traffic && !plan.spec.block.control_port {
            let fact = "`control_port` is false: there is nothing for `--control-traffic` to use";
            let remedy = "leave `--control-traffic` out, or set `control_port = true`";
            return Err(CommandError::one(
                Exit::Usage,
                Diagnostic::new("E0602", fact, remedy),
            ));
        }
        if self.flat {
            let blocks = plan.network.blocks.len();
            if blocks > FLAT_BLOCKS {
                let fact = format!(
                    "`--flat` builds one model of all blocks and takes at most {FLAT_BLOCKS}; {} has {blocks}",
                    self.spec()
                );
                let remedy =
                    "leave `--flat` out: then each block is an instance of its own, at any size";
                return Err(CommandError::one(
                    Exit::Usage,
                    Diagnostic::new("E0606", fact, remedy),
                ));
            }
        } else if !plan.spec.block.control_port {
            let fact = "`control_port` is false: a whole network is configured through it";
            let remedy = "set `control_port = true` for the co-simulation";
            return Err(CommandError::one(
                Exit::Usage,
                Diagnostic::new("E0602", fact, remedy),
            ));
        }
        Ok(())
    }

    fn request(&self) -> Request {
        let traffic = match (self.traffic, self.block) {
            (Some(TrafficChoice::Uniform), _) | (None, None) => vec![Traffic::Uniform],
            (Some(TrafficChoice::Permutation), _) => vec![Traffic::Permutation],
            (Some(TrafficChoice::Hotspot), _) => vec![Traffic::Hotspot],
            (Some(TrafficChoice::All), _) | (None, Some(_)) => ALL_TRAFFIC.to_vec(),
        };
        let cycles = self
            .block
            .map_or(NETWORK_CYCLES, |_| self.opinion.block_cycles(BLOCK_CYCLES));
        Request {
            spec: self.spec().to_owned(),
            traffic,
            load: ((self.load * 10.0).round() as u32).clamp(1, 1000),
            cycles: self.cycles.unwrap_or(cycles),
            seed: self.seed,
            disturbance: Disturbance {
                link_faults: self.link_faults,
                control_traffic: self.control_traffic,
            },
            trace: self.trace.clone().map(|path| Recording {
                path,
                before: self.trace_before,
                after: self.trace_after,
            }),
        }
    }
}

/// The diagnostic and exit code of a failed build.
pub fn simulator_error(error: &mkns_sim::Error) -> CommandError {
    let (exit, code, remedy) = match error {
        mkns_sim::Error::ToolMissing { .. } => (
            Exit::ToolMissing,
            "E0603",
            "run `make setup`, which installs it into .tools",
        ),
        mkns_sim::Error::ToolFailed { .. } | mkns_sim::Error::PortMismatch { .. } => (
            Exit::ToolFailed,
            "E0604",
            "read the log; if the RTL is as generated, this is a bug",
        ),
        _ => (
            Exit::Unexpected,
            "E0605",
            "check free disk space and the permissions of ~/.cache/mkns",
        ),
    };
    CommandError::one(exit, Diagnostic::new(code, error.to_string(), remedy))
}

impl Outcome {
    fn take(&mut self, checked: Checked) {
        match checked {
            Checked::Blocks(blocks) => self.blocks = blocks,
            Checked::Network(network) => self.networks = vec![network],
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for run in &self.blocks {
            let _ = writeln!(
                text,
                "{} {}: {} cycles, {} packets, no difference (seed {})",
                run.block,
                run.traffic.name(),
                run.cycles,
                run.packets,
                run.seed
            );
        }
        for run in &self.networks {
            let _ = writeln!(
                text,
                "{} {}: {} blocks{}, {} cycles, every output compared: no difference (seed {})\n  \
                 {} packets of {} flows sent and received in order, {} flits over cables",
                self.spec,
                run.traffic.name(),
                run.blocks,
                if self.flat { " in one model" } else { "" },
                run.cycles,
                run.seed,
                run.totals.packets_received,
                run.totals.flows,
                run.cable_flits
            );
            if let Some(disturbed) = run.disturbed {
                let _ = writeln!(
                    text,
                    "  {} cable failures: {} packets lost, {} marked bad, all accounted for; {} control \
                     operations",
                    disturbed.cable_failures,
                    disturbed.packets_lost,
                    disturbed.packets_bad,
                    disturbed.control_operations
                );
            }
        }
        text
    }
}

/// Progress on a terminal, silent elsewhere; and the time of the comparison alone.
struct Bar {
    bar: ProgressBar,
    /// Time of the runs so far, without building models.
    compared: Cell<Duration>,
    since: Cell<Option<Instant>>,
}

impl Bar {
    fn new(context: &Context) -> Self {
        Self {
            bar: progress::styled(context, None, "{spinner} {msg}"),
            compared: Cell::default(),
            since: Cell::default(),
        }
    }

    /// No run goes on.
    fn pause(&self) {
        let run = self.since.take().map(|start| start.elapsed());
        self.compared
            .set(self.compared.get() + run.unwrap_or_default());
    }
}

impl Watcher for Bar {
    fn building(&self, progress: mkns_sim::Progress) {
        use mkns_sim::Progress::{Compiling, CompilingRuntime, Finished, Waiting};
        let message = match progress {
            Waiting { top } => format!("waiting for another build of {top}"),
            CompilingRuntime => "compiling Verilator's runtime (once)".to_owned(),
            Compiling { top } => format!("compiling {top}"),
            Finished { .. } => String::new(),
        };
        self.pause();
        self.bar.set_message(message);
        self.bar.tick();
    }

    fn synthesising(&self, what: &str) {
        self.bar.set_message(format!("synthesising {what}"));
        self.bar.tick();
    }

    fn begins(&self, what: &str, cycles: u64) {
        if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} cycles {eta}") {
            self.bar.set_style(style);
        }
        self.pause();
        self.since.set(Some(Instant::now()));
        self.bar.set_message(what.to_owned());
        self.bar.set_length(cycles);
        self.bar.set_position(0);
    }

    fn reached(&self, cycle: u64) {
        self.bar.set_position(cycle);
    }
}
