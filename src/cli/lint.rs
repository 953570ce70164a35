//! `mkns lint`: generated Verilog through Verilator, Icarus Verilog and Yosys, and its wiring through slang.

use std::path::{Path, PathBuf};

use clap::Args;

use super::spec_arguments::{Settings, SpecArguments};
use super::{Command, CommandError, Context, Format};
use mkns_design::{self as design, Plan};
use mkns_diag::{Code, Diagnostic, Exit};
use mkns_rtl as rtl;
use mkns_rtl::lint::{Lint as Outcome, LintRun, Verdict, compare_wiring, lint};
use mkns_scratch::Scratch;

/// Check generated Verilog with Verilator, Icarus Verilog, Yosys and slang
#[derive(Debug, Args)]
pub struct Lint {
    /// A SPEC, or a folder that `mkns generate` wrote
    #[arg(value_name = "SPEC|DIR")]
    spec: String,
    #[command(flatten)]
    settings: Settings,
    /// Have Yosys read the whole network as well, not only its parts; takes minutes
    #[arg(long)]
    synthesis: bool,
}

impl Command for Lint {
    fn run(&self, context: &Context) -> Result<(), CommandError> {
        let folder = PathBuf::from(&self.spec);
        let outcome = match folder.is_dir() {
            true => {
                self.settings
                    .refused("the RTL has already been generated")?;
                self.lint_folder(&folder, None, context)?
            }
            false => self.lint_spec(&self.settings.of(&self.spec), context)?,
        };
        let Some((exit, found)) = verdict(&outcome.reports) else {
            return match context.format() {
                Format::Text => skipped(&outcome, context),
                _ => context.result("", &outcome),
            };
        };
        let mut verdict = context.verdict(exit, summary(&outcome), &outcome);
        verdict.diagnostics.extend(found);
        Err(verdict)
    }
}

impl Lint {
    /// In text, results are printed as they come.
    fn lint_folder(
        &self,
        folder: &Path,
        plan: Option<&Plan>,
        context: &Context,
    ) -> Result<Outcome, CommandError> {
        let print = |report: &LintRun| {
            if context.format() == Format::Text {
                // A reader that has gone away does not stop the check.
                let _ = context.document(text(report));
            }
        };
        let mut outcome = lint(folder, self.synthesis, &print)?;
        if verdict(&outcome.reports).is_none() {
            let known = plan
                .is_none()
                .then(|| rtl::plan_of_folder(folder))
                .flatten();
            compare_wiring(folder, plan.or(known.as_ref()), &mut outcome)?;
        }
        Ok(outcome)
    }

    /// Generates into a folder of its own that goes away afterwards.
    fn lint_spec(&self, spec: &SpecArguments, context: &Context) -> Result<Outcome, CommandError> {
        let spec = spec.parse()?;
        let plan = design::build(&spec)?;
        let files = rtl::render_output(&plan)?;
        let temporary =
            Scratch::new("lint").map_err(CommandError::io("make a temporary folder"))?;
        let folder = temporary.path().join(&spec.name);
        rtl::write(&files, &folder)?;
        self.lint_folder(&folder, Some(&plan), context)
    }
}

/// The line of a run, and its complaints below.
fn text(report: &LintRun) -> String {
    let (tool, top) = (report.tool.name(), &report.top);
    let (word, output) = match &report.verdict {
        Verdict::Ok => ("ok", ""),
        Verdict::Missing => ("missing", ""),
        Verdict::Failed { output } => ("failed", output.as_str()),
    };
    let time = match report.known {
        true => "passed before".to_owned(),
        false => format!("{:.1} s", report.seconds),
    };
    let mut lines = vec![format!("{word:7}  {tool:9}  {top}  {time}")];
    lines.extend(output.lines().map(|line| format!("    {line}")));
    lines.join("\n")
}

/// What was not checked, after everything else.
fn skipped(outcome: &Outcome, context: &Context) -> Result<(), CommandError> {
    if outcome.wiring {
        context.document(
            "ok       slang      wiring, tables and parameters of the network match the plan",
        )?;
    }
    let mut lines = outcome.skipped.iter();
    lines.try_for_each(|why| context.document(format_args!("skipped  {why}")))
}

/// The last lines of a check that did not pass: what was not checked, and how many runs were well.
fn summary(outcome: &Outcome) -> String {
    let skipped = outcome
        .skipped
        .iter()
        .map(|why| format!("skipped  {why}\n"));
    let reports = &outcome.reports;
    let is_well = |report: &&LintRun| report.verdict == Verdict::Ok;
    let well = reports.iter().filter(is_well).count();
    skipped.collect::<String>() + &format!("{well} of {} runs passed", reports.len())
}

/// What is wrong, if anything; a complaint weighs more than a missing tool.
fn verdict(reports: &[LintRun]) -> Option<(Exit, Vec<Diagnostic>)> {
    let failed = |report: &LintRun| matches!(report.verdict, Verdict::Failed { .. });
    if reports.iter().any(failed) {
        return Some((Exit::ToolFailed, Vec::new()));
    }
    let mut missing: Vec<_> = (reports.iter())
        .filter(|report| report.verdict == Verdict::Missing)
        .map(|report| report.tool)
        .collect();
    missing.dedup();
    if missing.is_empty() {
        return None;
    }
    let diagnostic = |tool: rtl::lint::Tool| {
        Diagnostic::new(Code::LintToolMissing, tool.absence(), tool.remedy())
    };
    let diagnostics = missing.into_iter().map(diagnostic).collect();
    Some((Exit::ToolMissing, diagnostics))
}
