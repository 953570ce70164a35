//! `mkns cabling`: the plan of all cables in racks, and a machine's cabling against it.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::spec_arguments::SpecArguments;
use super::{Command, CommandError, Context, Format, format, output_path};
use mkns_cabling::{FloorPlan, Hall, Plan, check, racks_svg, read_back, read_floor_plan};
use mkns_diag::{Code, Diagnostic, Exit, Place};
use mkns_report::write_whole;
use mkns_topology as topology;
use mkns_topology::Network;

/// Print which cable goes where, rack by rack, or check a machine's cabling against it
#[derive(Debug, Args)]
pub struct Cabling {
    #[command(flatten)]
    spec: SpecArguments,
    /// Floor plan (TOML): rows, racks, pitches, lengths of cables (docs/reference/cabling.md)
    #[arg(long, value_name = "FILE.toml")]
    floor: Option<PathBuf>,
    /// Picture of the racks to write
    #[arg(long, value_name = "FILE.svg")]
    svg: Option<PathBuf>,
    /// Who sees whom in the machine, port by port (CSV or JSON): name wrong, missing and dead cables and the least
    /// set of moves that mends them
    #[arg(long, value_name = "READ_BACK")]
    check: Option<PathBuf>,
}

impl Command for Cabling {
    fn formats() -> &'static [Format] {
        format::LINES
    }

    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let spec = self.spec.parse()?;
        let floor = floor_plan(self.floor.as_ref())?;
        let network = topology::build(&spec);
        let hall = Hall::new(&spec, &network, floor)?;
        match &self.check {
            None => self.plan(&network, &hall, context),
            Some(path) => self.compare(path, &network, &hall, context),
        }
    }
}

/// The floor plan of a file, or the one that holds without any.
pub fn floor_plan(path: Option<&PathBuf>) -> Result<FloorPlan, CommandError> {
    let Some(path) = path else {
        return Ok(FloorPlan::default());
    };
    let text = text_of(path, Code::NotFloorPlan, "a floor plan")?;
    Ok(read_floor_plan(&path.display().to_string(), &text)?)
}

impl Cabling {
    fn plan(&self, network: &Network, hall: &Hall, context: &Context) -> Result<(), CommandError> {
        output_path::files([("--svg", self.svg.as_ref())])?;
        let plan = Plan::new(network, hall);
        if let Some(path) = &self.svg {
            write_whole(path, racks_svg(network, hall, &plan))
                .map_err(|error| CommandError::io(&format!("write {}", path.display()), &error))?;
            context.summary(format_args!("wrote {}", path.display()));
        }
        match context.format() {
            Format::Csv => context.document(plan.to_csv()),
            Format::Text | Format::C => context.document(plan.to_text()),
            Format::Json => context.result("", &plan),
        }
    }

    fn compare(
        &self,
        path: &Path,
        network: &Network,
        hall: &Hall,
        context: &Context,
    ) -> Result<(), CommandError> {
        if self.svg.is_some() {
            return Err(CommandError::no_effect("--svg", "beside `--check`"));
        }
        if context.format() == Format::Csv {
            let fact = "`--format csv`: the result of a check is not lines of numbers";
            return Err(CommandError::new(
                Code::FormatNotOffered,
                fact,
                "use text or json",
            ));
        }
        let text = text_of(path, Code::NotReadBack, "a read-back")?;
        let found = read_back(&path.display().to_string(), &text, network)?;
        let outcome = check(network, hall, &found);
        match outcome.passed {
            true => context.result(outcome.to_text(), &outcome),
            false => Err(context.verdict(Exit::CheckFailed, outcome.to_text(), &outcome)),
        }
    }
}

/// The text of a file; `what` it should be is for the message.
fn text_of(path: &Path, code: Code, what: &str) -> Result<String, CommandError> {
    fs::read_to_string(path).map_err(|error| {
        let fact = format!("cannot read the file: {error}");
        let remedy = format!("give the path of {what}; see docs/reference/cabling.md");
        let place = Place::file(&path.display().to_string());
        Diagnostic::new(code, fact, remedy).at(place).into()
    })
}
