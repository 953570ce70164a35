//! `mkns fpga`: the self-test of a block, or a node of a network, as a bitstream for a board.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use serde::Serialize;

use super::block_choice::module_of;
use super::flow::Spinner;
use super::fpga_node::{LineChoice, NodeChoice, PcieChoice, Subject};
use super::fpga_shared::SharedBlock;
use super::fpga_wrapper::WrapperChoice;
use super::renamed;
use super::spec_arguments::Settings;
use super::{Command, CommandError, Context, output_path};
use mkns_design as design;
use mkns_design::ModuleKind;
use mkns_diag::Code;
use mkns_fpga as fpga;
use mkns_fpga::{BOARDS, Board, Build, Built, Flow, FlowError, Project, ToolRunner};
use mkns_rtl as rtl;
use mkns_spec as spec;

/// The self-test when no SPEC is given: small enough for every board, fast enough for its clock.
const DEFAULT_SPEC: &str = include_str!("fpga_default.toml");
/// The spec of the self-test for boards with a small device.
const SMALL_SPEC: &str = include_str!("fpga_small.toml");

/// Make a bitstream: the self-test of a block, or one block of a network
#[derive(Debug, Args)]
pub struct Fpga {
    /// The network, as a TOML file or notation [default: 4 links × 64 bits, 2 virtual channels, 1 on small devices]
    spec: Option<String>,
    #[command(flatten)]
    settings: Settings,
    /// Test a kind of block (`switch` or `adapter`) on the board, or build one block of SPEC by its name, such as
    /// ab_0_0_0_0, with link ports at its cables
    #[arg(long, value_name = "BLOCK", alias = "node", default_value = "switch", value_parser = block_choice)]
    block: BlockChoice,
    /// Build one bitstream for all blocks of the kind that --block names: boards without numbers and tables, which a manager
    /// gives them over the cables. Needs management = "in_band" in the section [link]
    #[arg(long)]
    shared: bool,
    /// With a named block: the core at its PCIe ports; with `none` the block sends test packets [default: the board's first]
    #[arg(long, value_enum)]
    pcie: Option<PcieChoice>,
    /// With a named block: what carries its links [default: the first that the board has]
    #[arg(long, value_enum)]
    line: Option<LineChoice>,
    #[command(flatten)]
    renamed: renamed::Line,
    /// The board, required without --wrapper: ulx3s, ecp5_evn, tang_primer_20k, crosslink_nx_evn, vcu118, alveo_u50 or de10_agilex
    #[arg(long, required_unless_present = "wrapper")]
    board: Option<String>,
    /// Write only the wrapper that joins a PCIe port or the line of a link to this core, with the sizes of SPEC for a PCIe
    /// port; needs --output
    #[arg(long, value_enum, value_name = "CORE", requires = "output")]
    #[arg(conflicts_with_all = ["board", "flow", "dry_run"])]
    wrapper: Option<WrapperChoice>,
    /// The tools to use [default: the board's]
    #[arg(long, value_parser = flows())]
    flow: Option<Flow>,
    /// Build folder [default: rtl-out/selftest_<board>, rtl-out/selftest_adapter_<board> or rtl-out/node_<block>]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Seed of the placement (open flow)
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Stop a tool that runs longer than this
    #[arg(long, value_name = "MINUTES")]
    time_limit: Option<u64>,
    /// Write sources, constraints and scripts and print the commands, but run nothing
    #[arg(long)]
    dry_run: bool,
}

/// What `--block` names.
#[derive(Debug, Clone, PartialEq, Eq)]
enum BlockChoice {
    Kind(ModuleKind),
    Named(String),
}

fn block_choice(text: &str) -> Result<BlockChoice, String> {
    let kinds = [ModuleKind::Switch, ModuleKind::Adapter];
    let kind = kinds.into_iter().find(|kind| kind.name() == text);
    Ok(kind.map_or_else(|| BlockChoice::Named(text.to_owned()), BlockChoice::Kind))
}

/// A flow by its name.
fn flows() -> impl TypedValueParser<Value = Flow> {
    let named = |name: String| Flow::ALL.into_iter().find(|flow| flow.name() == name);
    PossibleValuesParser::new(Flow::ALL.map(Flow::name))
        .map(move |name| named(name).expect("one of the possible values"))
}

/// What was prepared and built.
#[derive(Debug, Serialize)]
struct Outcome {
    folder: String,
    /// Run in that folder, these make the bitstream.
    commands: Vec<String>,
    built: Option<Built>,
}

impl Command for Fpga {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        if let (Some(wrapper), Some(folder)) = (self.wrapper, &self.output) {
            let spec = match &self.spec {
                Some(spec) => Some(self.settings.parse(spec)?),
                None => {
                    self.settings.refused("there is no SPEC")?;
                    None
                }
            };
            return wrapper.write(spec.as_ref(), folder, context);
        }
        let board = self.board()?;
        let built_in = |text| spec::parse_toml_with("the built-in spec", text, &self.settings.set);
        let mut spec = match &self.spec {
            Some(spec) => self.settings.parse(spec)?,
            None if board.is_small() => built_in(SMALL_SPEC)?,
            None => built_in(DEFAULT_SPEC)?,
        };
        if self.node_name().is_none() {
            // A self-test sends from every port to every other.
            spec.block.turns = spec::TurnSelect::All;
        }
        let plan = design::build(&spec)?;
        let (parameters, shared);
        let folder = self.folder(&board);
        let banner = format!(
            "Generated by mkns {} for {} ({}). Do not edit.",
            env!("CARGO_PKG_VERSION"),
            board.name,
            spec.name
        );
        let mut sources = rtl::render_sources(&plan);
        self.ensure_node_fits()?;
        let project = match self.node_name() {
            Some(name) => {
                let choice = NodeChoice {
                    block: name,
                    pcie: self.pcie,
                    lines: self.line,
                };
                let subject = match self.shared {
                    true => {
                        shared = SharedBlock::of(&plan, self.kind())?;
                        parameters = rtl::block_parameters(&shared.module);
                        Subject::Kind(&shared)
                    }
                    false => {
                        let instance = choice.instance(&plan)?;
                        parameters = rtl::instance_parameters(&plan, instance);
                        Subject::Block(instance)
                    }
                };
                sources.extend(rtl::render_link());
                if plan.spec.is_managed_in_band() {
                    sources.extend(rtl::render_management());
                }
                Project::Node(choice.node(&plan, &subject, &board, &parameters, &sources)?)
            }
            None => {
                let module = module_of(self.kind(), &plan)?;
                self.ensure_feasible(module)?;
                parameters = rtl::block_parameters(module);
                Project::SelfTest(fpga::SelfTest {
                    module,
                    parameters: &parameters,
                    sources: &sources,
                })
            }
        };
        output_path::folder("--output", &folder)?;
        let board = project.on(&board);
        let build = Build {
            project,
            board: &board,
            seed: self.seed,
            banner: &banner,
        };
        let spinner = Spinner::new(context);
        let runner = ToolRunner {
            folder: &folder,
            limit: (self.time_limit).map(|minutes| Duration::from_secs(60 * minutes)),
            listener: &spinner,
        };
        let commands = build.prepare(&runner)?;
        let built = match self.dry_run {
            true => None,
            false => Some(
                build
                    .run(&runner)
                    .map_err(|error| failure(error, &commands, &folder))?,
            ),
        };
        drop(spinner);
        let outcome = Outcome {
            folder: folder.display().to_string(),
            commands,
            built,
        };
        context.result(outcome.text(), &outcome)
    }
}

impl Fpga {
    /// The block of a network that becomes a node, or the kind that one node serves.
    fn node_name(&self) -> Option<&str> {
        match &self.block {
            BlockChoice::Kind(kind) => self.shared.then(|| kind.name()),
            BlockChoice::Named(name) => Some(name),
        }
    }

    /// The block under test.
    fn kind(&self) -> ModuleKind {
        match self.block {
            BlockChoice::Kind(kind) => kind,
            BlockChoice::Named(_) => ModuleKind::Switch,
        }
    }

    /// Refuses a node without a network, and options that only the other kind of project takes.
    fn ensure_node_fits(&self) -> Result<(), CommandError> {
        let beside = "with a block of the network";
        let no_kind = matches!(self.block, BlockChoice::Named(_)).then_some(beside);
        let (unnamed, named) = match &self.block {
            BlockChoice::Kind(kind) if self.shared && self.spec.is_none() => {
                let fact = format!(
                    "`--shared` is for the {} blocks of a network, and there is no SPEC",
                    kind.name()
                );
                let remedy = "give the network, or leave `--shared` out for a self-test";
                return Err(CommandError::new(Code::CommandLine, fact, remedy));
            }
            BlockChoice::Kind(_) if self.shared => (None, Some("with `--shared`")),
            BlockChoice::Kind(_) => {
                let beside = "without a block of the network, such as `--block ab_0_0_0_0`";
                (Some(beside), None)
            }
            BlockChoice::Named(name) if self.spec.is_none() => {
                let fact = format!("`--block {name}` names a block, and there is no SPEC");
                let remedy =
                    "give the network that has the block, or `--block switch` or `--block adapter`";
                return Err(CommandError::new(Code::CommandLine, fact, remedy));
            }
            BlockChoice::Named(_) => (None, Some(beside)),
        };
        CommandError::refuse_idle([
            ("--shared", self.shared, no_kind),
            ("--pcie", self.pcie.is_some(), unnamed),
            ("--line", self.line.is_some(), unnamed),
            ("--flow", self.flow.is_some(), named),
        ])
    }

    /// Refuses blocks whose hosts the self-test cannot play.
    fn ensure_feasible(&self, module: &design::BlockModule) -> Result<(), CommandError> {
        let block = &module.parameters;
        if self.kind() == ModuleKind::Switch || block.pcie_bits == block.flit_bits {
            return Ok(());
        }
        let fact = format!(
            "block.pcie_bits = {}: the self-test needs hosts as wide as links, {} bits",
            block.pcie_bits, block.flit_bits
        );
        let remedy = "leave `pcie_bits` out of the spec, or test the switch block";
        Err(CommandError::new(
            Code::SelftestCannotPlayHosts,
            fact,
            remedy,
        ))
    }

    fn folder(&self, board: &Board) -> PathBuf {
        let name = match (self.node_name(), self.kind()) {
            (Some(block), _) => format!("node_{block}"),
            (None, ModuleKind::Adapter) => format!("selftest_adapter_{}", board.name),
            (None, _) => board.top(),
        };
        let default = || Path::new("rtl-out").join(name);
        self.output.clone().unwrap_or_else(default)
    }

    fn board(&self) -> Result<Board, CommandError> {
        let name = self.board.as_deref().unwrap_or_default();
        let board = Board::named(name).ok_or_else(|| {
            let known: Vec<_> = BOARDS.iter().map(|board| board.name).collect();
            let known = known.join(", ");
            let fact = format!("no board `{name}`");
            CommandError::new(Code::UnknownBoard, fact, format!("give one of {known}"))
        })?;
        let wanted = self.flow.unwrap_or(board.flow);
        if let Some(board) = board.with_flow(wanted) {
            return Ok(board);
        }
        let fact = format!(
            "the flow `{}` does not make bitstreams for {}",
            wanted.name(),
            board.name
        );
        let remedy = format!("leave `--flow` out, or give `--flow {}`", board.flow.name());
        Err(CommandError::new(Code::FlowDoesNotFitBoard, fact, remedy))
    }
}

/// A missing program is no loss: everything is prepared, and the command is told.
fn failure(error: FlowError, commands: &[String], folder: &Path) -> CommandError {
    let is_missing = matches!(error, FlowError::Missing { .. });
    let mut failure = CommandError::from(error);
    if is_missing {
        for diagnostic in &mut failure.diagnostics {
            let run = format!(
                "; then run `{}` in {}",
                commands.join(" && "),
                folder.display()
            );
            diagnostic.remedy.push_str(&run);
        }
    }
    failure
}

impl Outcome {
    fn text(&self) -> String {
        let mut text = String::new();
        let Some(built) = &self.built else {
            let _ = writeln!(text, "written to {}; run there:", self.folder);
            for command in &self.commands {
                let _ = writeln!(text, "  {command}");
            }
            return text;
        };
        let _ = writeln!(
            text,
            "{}/{}: bitstream for {} ({})",
            self.folder, built.bitstream, built.board, built.part
        );
        let Some(open) = &built.open else {
            return text;
        };
        if let Some(area) = &open.area {
            let _ = writeln!(
                text,
                "area   {} COMB (LUT4 + 2·CCU2C + 4·DPR16X4), {} FF, {} EBR",
                area.comb, area.ff, area.ebr
            );
        }
        for (kind, units) in &open.timing.utilisation {
            let percent = 100.0 * units.used as f64 / units.available.max(1) as f64;
            let (used, available) = (units.used, units.available);
            let _ = writeln!(
                text,
                "  {kind:14} {used:6} of {available:6}  {percent:5.1} %"
            );
        }
        for (clock, rate) in &open.timing.clocks {
            let (achieved, constraint) = (rate.achieved, rate.constraint);
            let _ = writeln!(
                text,
                "clock  {clock}: {achieved:.2} MHz reached, {constraint:.2} MHz needed"
            );
        }
        text
    }
}
