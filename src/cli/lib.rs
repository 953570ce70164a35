//! The command line: one file per subcommand, exit codes, rendering of diagnostics.
//!
//! To add a verb, write `verb.rs` with a struct that derives `clap::Args` and implements
//! [`Command`], then name it here twice: one `mod` line and one line in `verbs!`. A verb calls the
//! library, hands its result to [`Context`] and returns [`CommandError`]; it holds no logic that
//! another program might want.

#[cfg(feature = "cosim")]
mod backend;
#[cfg(feature = "cosim")]
mod bench;
#[cfg(feature = "cosim")]
mod bench_board_part;
#[cfg(feature = "cosim")]
mod bench_rtl;
#[cfg(feature = "cosim")]
mod bench_rtl_outcome;
#[cfg(feature = "cosim")]
mod bench_rtl_throughput;
mod block_choice;
mod block_registers;
mod built_block;
#[cfg(feature = "cosim")]
mod cable_faults;
mod cabling;
mod check;
mod clock;
mod cluster;
mod command;
mod compare;
mod completions;
mod context;
#[cfg(feature = "cosim")]
mod cosim;
#[cfg(feature = "cosim")]
mod coverage;
mod diversity;
mod error;
mod explain;
mod explore;
mod export;
mod faults;
mod flow;
mod format;
mod fpga;
mod fpga_cables;
mod fpga_node;
mod fpga_shared;
mod fpga_wrapper;
mod generate;
mod groups;
mod in_band;
mod info;
mod info_synthesis;
mod interface;
mod interrupt;
mod lint;
mod live;
mod live_error;
mod live_faults;
mod live_folder;
mod load;
mod man;
mod manage;
mod manage_over_cables;
mod manager_gives_up;
#[cfg(feature = "cosim")]
mod mutate;
mod network_arguments;
#[cfg(all(test, feature = "cosim"))]
mod option_names;
mod output_path;
mod picture;
mod plot;
#[cfg(feature = "cosim")]
mod plot_goodput;
mod processors;
mod progress;
#[cfg(feature = "cosim")]
mod regress;
mod renamed;
mod render;
mod report;
mod reroute;
mod reroute_forms;
mod route;
mod route_train;
#[cfg(feature = "cosim")]
mod rtl_folder;
mod schema;
#[cfg(feature = "cosim")]
mod score_error;
mod setup;
mod sim;
#[cfg(feature = "cosim")]
mod simulator_error;
mod spec_arguments;
#[cfg(feature = "cosim")]
mod standstill;
mod study;
mod study_line;
mod sweep;
mod task;
mod traffic;
mod unserved;
mod verify_nonblocking;
mod witness;
mod workload;

use std::process::ExitCode;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use mkns_diag::{Code, Exit};

pub use command::Command;
pub use context::Context;
pub use error::CommandError;
pub use format::Format;
pub use render::diagnostics as render_diagnostics;

/// Lists the verbs once: makes the clap enum and its dispatch.
macro_rules! verbs {
    ($($(#[$attribute:meta])* $module:ident::$verb:ident),* $(,)?) => {
        #[derive(Debug, Subcommand)]
        enum Verb {
            $($(#[$attribute])* $verb($module::$verb)),*
        }

        impl Verb {
            fn run(&self, context: &Context) -> Result<(), CommandError> {
                match self {
                    $($(#[$attribute])* Self::$verb(verb) => verb.run(context)),*
                }
            }

            /// The forms of every verb's result, in the order of the list.
            fn all_formats() -> Vec<&'static [Format]> {
                vec![$($(#[$attribute])* $module::$verb::FORMATS),*]
            }

            fn runs_foreign_code(&self) -> bool {
                match self {
                    $($(#[$attribute])* Self::$verb(verb) => verb.runs_foreign_code()),*
                }
            }

            fn formats(&self) -> &'static [Format] {
                match self {
                    $($(#[$attribute])* Self::$verb(_) => $module::$verb::FORMATS),*
                }
            }
        }
    };
}

verbs! {
    info::Info,
    generate::Generate,
    lint::Lint,
    #[cfg(feature = "cosim")]
    cosim::Cosim,
    sim::Sim,
    study::Study,
    workload::Workload,
    #[cfg(feature = "cosim")]
    bench::Bench,
    #[cfg(feature = "cosim")]
    regress::Regress,
    #[cfg(feature = "cosim")]
    mutate::Mutate,
    #[cfg(feature = "cosim")]
    coverage::Coverage,
    route::Route,
    reroute::Reroute,
    manage::Manage,
    check::Check,
    diversity::Diversity,
    faults::Faults,
    compare::Compare,
    verify_nonblocking::VerifyNonblocking,
    export::Export,
    cabling::Cabling,
    explore::Explore,
    plot::Plot,
    report::Report,
    fpga::Fpga,
    live::Live,
    interface::Interface,
    setup::Setup,
    schema::Schema,
    explain::Explain,
    completions::Completions,
    man::Man,
    task::Task,
}

const ABOUT: &str = "Networks of low-radix switches for supercomputers: from spec to checked RTL";

const SPEC_HELP: &str = "\
SPEC is the path of a TOML file (docs/reference/spec.md) or the notation MKNS(M,K,N,S):
  M  hosts per adapter block, 1 to 8
  K  adapter blocks per line, one number for all dimensions or a list such as 8x10x10
  N  dimensions, 1 to 4
  S  what joins the blocks along dimensions 2 to N, one number or a list: 0 a direct mesh,
     1 a switch block, 2 a switch assembly
or the notation of another kind: torus, KNS, HyperX, fat_tree, multi_ring, hypercube, block_design.
";

/// Generates, checks and simulates system networks of low-radix switches.
#[derive(Debug, Parser)]
#[command(name = "mkns", version, about = ABOUT, after_help = after_help())]
struct CommandLine {
    #[command(flatten)]
    global: GlobalOptions,
    #[command(subcommand)]
    verb: Verb,
}

/// Options that every verb takes.
#[derive(Debug, Args)]
struct GlobalOptions {
    /// How results (standard output) and diagnostics (standard error) are written
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Print only results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Print one line per step on standard error
    #[arg(short, long, global = true)]
    verbose: bool,
}

/// What `--help` says below the options.
fn after_help() -> String {
    format!("{SPEC_HELP}\nExit codes:\n{}", Exit::table())
}

/// The command line, each verb with the formats that it offers.
fn command() -> clap::Command {
    let command = CommandLine::command();
    let verbs = command.get_subcommands();
    let names: Vec<String> = verbs.map(|verb| verb.get_name().to_owned()).collect();
    let each = names.into_iter().zip(Verb::all_formats());
    let template = groups::template(&command);
    each.fold(
        command.help_template(template),
        |command, (name, formats)| {
            command.mut_subcommand(name, |verb| verb.arg(format::option(formats)))
        },
    )
}

fn parsed(commit: &'static str) -> Result<CommandLine, clap::Error> {
    let mut command = command();
    if !commit.is_empty() {
        let version = format!("{} ({commit})", env!("CARGO_PKG_VERSION"));
        // lives as long as the program
        command = command.version(&*Box::leak(version.into_boxed_str()));
    }
    let matches = command.try_get_matches()?;
    CommandLine::from_arg_matches(&matches)
}

/// Says why a command line cannot be read, or what it asks to be told.
fn told(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() || Format::wanted() == Format::Text {
        // A reader that went away is no reason to fail; there is nobody left to tell.
        let _ = error.print();
        return match error.use_stderr() {
            true => Exit::Usage.into(),
            false => ExitCode::SUCCESS,
        };
    }
    let text = error.to_string();
    let (fact, usage) = text.split_once("\n\n").unwrap_or((&text, ""));
    let fact = fact.trim_start_matches("error: ").replace("\n  ", " ");
    let remedy = usage
        .lines()
        .find_map(|line| line.trim().strip_prefix("tip: "))
        .filter(|tip| tip.starts_with("a similar"));
    let remedy = remedy.unwrap_or("try `--help`");
    let context = Context::new(Format::Json, true, false);
    context.fail(&CommandError::new(Code::CommandLine, fact, remedy))
}

/// Runs the command line and returns its exit code. `commit` is what `--version` names beside the version; it may be
/// empty, and nothing that is generated has it.
pub fn main(commit: &'static str) -> ExitCode {
    let line = match parsed(commit) {
        Ok(line) => line,
        Err(error) => return told(&error),
    };
    mkns_jobs::set_commit(commit);
    let global = &line.global;
    let context = Context::new(global.format, global.quiet, global.verbose);
    let offered = global.format.check(line.verb.formats());
    interrupt::watch();
    #[cfg(feature = "cosim")]
    standstill::watch(&context);
    if offered.is_ok() && line.verb.runs_foreign_code() && !witness::is_there() {
        let ended = witness::run_again();
        interrupt::wait_if_ending();
        return ended.unwrap_or_else(|error| context.fail(&error));
    }
    let ended = offered.and_then(|()| line.verb.run(&context));
    interrupt::wait_if_ending();
    let exit_code = match &ended {
        Ok(()) => 0,
        Err(error) => {
            context.fail(error);
            error.exit.number()
        }
    };
    witness::testify(exit_code);
    exit_code.into()
}
