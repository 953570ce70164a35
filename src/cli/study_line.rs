//! A command line of `mkns sim` that a study has put together: its options, and whether it can run.

use clap::builder::ValueHint;
use clap::{ArgAction, Args, Parser};

use super::sim::Sim;
use mkns_design::Plan;
use mkns_diag::{Code, Diagnostic};
use mkns_study::SimOption;

/// Options that say nothing about one run: threads, files that are written, several seeds.
const NOT_OF_A_RUN: [&str; 6] = ["threads", "mpi", "flows", "links", "seeds", "step"];

/// Options of one run.
pub fn options() -> Vec<SimOption> {
    let command = Sim::augment_args(clap::Command::new("sim"));
    let option = |argument: &clap::Arg| {
        let name = argument.get_long().filter(|_| !argument.is_hide_set())?;
        let action = argument.get_action();
        (!NOT_OF_A_RUN.contains(&name)).then(|| SimOption {
            takes_value: action.takes_values(),
            repeats: matches!(action, ArgAction::Append),
            is_file: argument.get_value_hint() == ValueHint::AnyPath,
            name: name.to_owned(),
        })
    };
    command.get_arguments().filter_map(option).collect()
}

/// The arguments of `mkns sim`, alone.
#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct Line {
    #[command(flatten)]
    sim: Sim,
}

/// Command lines, of which those of one network come after each other.
#[derive(Debug, Default)]
pub struct Lines {
    last: Option<(String, Plan)>,
}

impl Lines {
    /// Seconds that `sim WORDS` takes, about.
    ///
    /// # Errors
    /// With what `mkns sim` would say.
    pub fn seconds(&mut self, words: &[String]) -> Result<f64, Box<Diagnostic>> {
        let line = Line::try_parse_from(words.iter().skip(1)).map_err(|error| {
            let text = error.to_string();
            let fact = text.lines().next().unwrap_or("");
            let fact = fact.trim_start_matches("error: ");
            let remedy = "`mkns sim --help` lists options and values";
            Box::new(Diagnostic::new(Code::NotStudyFile, fact, remedy))
        })?;
        line.sim.expected_seconds(&mut self.last).map_err(|error| {
            let mut found = error.diagnostics.into_iter();
            let other = || Diagnostic::new(Code::NotStudyFile, "the run is refused", "correct it");
            Box::new(found.next().unwrap_or_else(other))
        })
    }
}
