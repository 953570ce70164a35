//! The command line: one file per subcommand, exit codes, rendering of diagnostics.
//!
//! To add a verb, write `verb.rs` with a struct that derives `clap::Args` and implements
//! [`Command`], then name it here twice: one `mod` line and one line in `verbs!`. A verb calls the
//! library, hands its result to [`Context`] and returns [`CommandError`]; it holds no logic that
//! another program might want.

#[cfg(feature = "cosim")]
mod bench;
#[cfg(feature = "cosim")]
mod bench_rtl;
#[cfg(feature = "cosim")]
mod bench_rtl_outcome;
mod check;
mod compare;
mod completions;
mod context;
#[cfg(feature = "cosim")]
mod cosim;
#[cfg(feature = "cosim")]
mod coverage;
mod error;
mod explain;
mod export;
mod flow;
mod fpga;
mod generate;
mod info;
mod info_synthesis;
mod interrupt;
mod lint;
#[cfg(feature = "cosim")]
mod lone_block;
#[cfg(feature = "cosim")]
mod mutate;
mod network_block;
mod output_path;
mod plot;
mod progress;
#[cfg(feature = "cosim")]
mod regress;
#[cfg(feature = "cosim")]
mod regress_journal;
mod render;
mod report;
mod route;
mod route_train;
mod schema;
#[cfg(feature = "cosim")]
mod second_opinion;
mod sim;
#[cfg(feature = "cosim")]
mod simulator_error;
#[cfg(feature = "cosim")]
mod study_error;
mod sweep;
mod verify_nonblocking;

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

pub use context::{Context, Format};
pub use error::{CommandError, Exit};
pub use render::diagnostics as render_diagnostics;

/// What every verb does.
pub trait Command {
    /// Runs the verb; its result goes to `context`, its failure to the caller.
    fn run(&self, context: &Context) -> Result<(), CommandError>;
}

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
    #[cfg(feature = "cosim")]
    bench::Bench,
    #[cfg(feature = "cosim")]
    regress::Regress,
    #[cfg(feature = "cosim")]
    mutate::Mutate,
    #[cfg(feature = "cosim")]
    coverage::Coverage,
    route::Route,
    check::Check,
    compare::Compare,
    verify_nonblocking::VerifyNonblocking,
    export::Export,
    plot::Plot,
    report::Report,
    fpga::Fpga,
    schema::Schema,
    explain::Explain,
    completions::Completions,
}

const ABOUT: &str = "System networks of low-radix switches: spec to checked RTL";

const SPEC_HELP: &str = "\
SPEC is the path of a TOML file (docs/spec-format.md) or the notation MKNS(M,K,N,S):
  M  compute modules (VMs) per adapter block, 1 to 8
  K  adapter blocks per line, one number for all dimensions or a list such as 8x10x10
  N  dimensions, 1 to 4
  S  what joins dimensions 2 to N, one number or a list: 0 direct mesh, 1 switch block,
     2 switch assembly
or of another kind: torus, KNS, HyperX, fat_tree, multi_ring, hypercube, block_design.
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
    /// Print nothing but results and errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Say more on standard error about what is done
    #[arg(short, long, global = true)]
    verbose: bool,
}

/// What `--help` says below the options.
fn after_help() -> String {
    format!("{SPEC_HELP}\nExit codes:\n{}", Exit::table())
}

/// Runs the command line and returns its exit code.
pub fn main() -> ExitCode {
    let line = match CommandLine::try_parse() {
        Ok(line) => line,
        Err(error) => {
            // A reader that went away is no reason to fail; there is nobody left to tell.
            let _ = error.print();
            return if error.use_stderr() {
                Exit::Usage.into()
            } else {
                ExitCode::SUCCESS
            };
        }
    };
    let global = &line.global;
    let context = Context::new(global.format, global.quiet, global.verbose);
    interrupt::watch();
    let ended = line.verb.run(&context);
    interrupt::wait_if_ending();
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => context.fail(&error),
    }
}
