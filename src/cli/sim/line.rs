//! A command line of `mkns sim` that another verb has put together: its options, whether it can run, how long it takes.

use clap::builder::ValueHint;
use clap::{ArgAction, Args, Parser};

use super::Sim;
use crate::CommandError;
use mkns_design::{Plan, Purpose};
use mkns_diag::{Code, Diagnostic};
use mkns_simulation::measure::WarmUp;
use mkns_study::SimOption;

/// Options that say nothing about one run: threads, files that are written, several seeds.
const NOT_OF_A_RUN: [&str; 6] = ["threads", "mpi", "flows", "links", "seeds", "step"];

/// Block-cycles in a second, about, of a processor that does other things too.
const SPEED: f64 = 1.5e6;
/// Cycles of a warm-up that ends by itself, about.
const WARM_UP: u64 = 4_000;

/// Options of one run.
pub fn options() -> Vec<SimOption> {
    let command = Sim::augment_args(clap::Command::new("sim"));
    let option = |argument: &clap::Arg| {
        let name = argument.get_long()?.to_owned();
        let action = argument.get_action();
        (!NOT_OF_A_RUN.contains(&name.as_str())).then(|| SimOption {
            takes_value: action.takes_values(),
            repeats: matches!(action, ArgAction::Append),
            is_file: argument.get_value_hint() == ValueHint::AnyPath,
            name,
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
            let fact = text
                .lines()
                .next()
                .unwrap_or("")
                .trim_start_matches("error: ")
                .to_owned();
            let remedy = "`mkns sim --help` lists options and values";
            Box::new(Diagnostic::new(Code::NotStudyFile, fact, remedy))
        })?;
        self.check(&line.sim).map_err(|error| {
            let mut found = error.diagnostics.into_iter();
            let other = || Diagnostic::new(Code::NotStudyFile, "the run is refused", "correct it");
            Box::new(found.next().unwrap_or_else(other))
        })
    }

    fn check(&mut self, sim: &Sim) -> Result<f64, CommandError> {
        let title = sim.network.title();
        let plan = match self.last.take() {
            Some((last, plan)) if last == title => plan,
            _ => sim.network.plan(Purpose::Simulation)?,
        };
        let (_, plan) = self.last.insert((title, plan));
        sim.ensure_feasible(plan)?;
        sim.planned(plan)?;
        let warm_up = match sim.warm_up() {
            WarmUp::Cycles(cycles) => cycles,
            WarmUp::Automatic => WARM_UP,
        };
        let load: f64 = sim.loads().iter().sum();
        let blocks = plan.instances.len() as f64;
        Ok(0.1 + blocks * (sim.cycles + warm_up) as f64 * (0.3 + load) / SPEED)
    }
}
