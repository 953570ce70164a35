//! `mkns lint`: generated Verilog through Verilator, Icarus Verilog and Yosys.

use std::path::{Path, PathBuf};

use clap::Args;

use super::spec_arguments::{Settings, SpecArguments};
use super::{Command, CommandError, Context, Exit};
use mkns_design as design;
use mkns_diag::Diagnostic;
use mkns_rtl as rtl;
use mkns_rtl::lint::{Lint as Outcome, Report, Verdict, lint};

/// Check generated Verilog with Verilator, Icarus Verilog and Yosys
#[derive(Debug, Args)]
pub struct Lint {
    /// SPEC, or a folder that `mkns generate` wrote
    #[arg(value_name = "SPEC|DIR")]
    spec: String,
    #[command(flatten)]
    settings: Settings,
}

impl Command for Lint {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let folder = PathBuf::from(&self.spec);
        let outcome = match folder.is_dir() {
            true => {
                self.settings.refused("the RTL is generated already")?;
                lint(&folder)?
            }
            false => lint_spec(&self.settings.of(&self.spec))?,
        };
        context.result(text(&outcome), &outcome)?;
        verdict(&outcome.reports)
    }
}

/// Generates into a folder of its own that goes away afterwards.
fn lint_spec(spec: &SpecArguments) -> Result<Outcome, CommandError> {
    let spec = spec.parse()?;
    let plan = design::build(&spec)?;
    let files = rtl::render_output(&plan)?;
    let temporary = mkns_scratch::Scratch::new("lint");
    let temporary =
        temporary.map_err(|error| CommandError::io("make a temporary folder", &error))?;
    let folder: &Path = &temporary.path().join(&spec.name);
    rtl::write(&files, folder)?;
    Ok(lint(folder)?)
}

/// A line a run; complaints below theirs.
fn text(outcome: &Outcome) -> String {
    let mut lines = Vec::new();
    for Report {
        tool,
        top,
        verdict,
        seconds,
    } in &outcome.reports
    {
        let (word, output) = match verdict {
            Verdict::Ok => ("ok", ""),
            Verdict::Missing => ("missing", ""),
            Verdict::Failed { output } => ("failed", output.as_str()),
        };
        lines.push(format!(
            "{word:7}  {:9}  {top}  {seconds:.1} s",
            tool.name()
        ));
        lines.extend(output.lines().map(|line| format!("    {line}")));
    }
    lines.extend(outcome.skipped.iter().map(|why| format!("skipped  {why}")));
    lines.join("\n")
}

/// A complaint weighs more than a missing tool.
fn verdict(reports: &[Report]) -> Result<(), CommandError> {
    let failed = |report: &Report| matches!(report.verdict, Verdict::Failed { .. });
    if reports.iter().any(failed) {
        return Err(CommandError::new(Exit::ToolFailed, Vec::new()));
    }
    let mut missing: Vec<_> = (reports.iter())
        .filter(|report| report.verdict == Verdict::Missing)
        .map(|report| report.tool)
        .collect();
    missing.dedup();
    if missing.is_empty() {
        return Ok(());
    }
    let diagnostic = |tool: rtl::lint::Tool| {
        Diagnostic::new(
            "E0506",
            format!("{} is not installed", tool.name()),
            tool.remedy(),
        )
    };
    let diagnostics: Vec<_> = missing.into_iter().map(diagnostic).collect();
    Err(CommandError::new(Exit::ToolMissing, diagnostics))
}
