//! What mutation scores and coverage have in common: how they run blocks, scripts for Yosys in a folder
//! of their own, and why a study ends without a result.
//!
//! Knows nothing of what the scripts say.

use std::fs;
use std::path::Path;
use std::process::Command;

use mkns_cosim::{SessionError, modules_of};
use mkns_design::{BlockModule, ModuleKind, Plan};
use mkns_diag::tools::{no_yosys, yosys};
use mkns_scratch::{last_lines, run};

/// Why Yosys gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum YosysError {
    #[error("{}", no_yosys())]
    Missing,
    /// Yosys did not end well; its last lines.
    #[error("yosys failed:\n{0}")]
    Failed(String),
    #[error("cannot work in a temporary folder: {0}")]
    Io(#[from] std::io::Error),
}

/// Why a study of a block ended without a result.
#[derive(Debug)]
pub enum ScoringError {
    Yosys(YosysError),
    /// The block as it is does not pass, or a model could not be built.
    Session(SessionError),
}

impl From<YosysError> for ScoringError {
    fn from(error: YosysError) -> Self {
        Self::Yosys(error)
    }
}

impl From<SessionError> for ScoringError {
    fn from(error: SessionError) -> Self {
        Self::Session(error)
    }
}

impl From<mkns_sim::Error> for ScoringError {
    fn from(error: mkns_sim::Error) -> Self {
        Self::Session(error.into())
    }
}

/// Value of event counters after a reset in studies: after four events they overflow, so that all their
/// bits move in every run.
const COUNTER_START: u32 = u32::MAX - 3;

/// The block modules of a kind as studies run them, with their names in reports.
pub fn scored_modules(plan: &Plan, kind: ModuleKind) -> Vec<(String, BlockModule)> {
    let mut modules = modules_of(plan, kind);
    for (_, module) in &mut modules {
        module.parameters.counter_start = COUNTER_START;
    }
    modules
}

/// Writes sources (file name and text) into the folder; returns the commands that read them, set the
/// parameters of `top` and flatten it.
pub fn flattening(
    folder: &Path,
    sources: &[(String, String)],
    top: &str,
    parameters: &[(String, String)],
) -> Result<String, YosysError> {
    for (name, text) in sources {
        fs::write(folder.join(name), text)?;
    }
    let names: Vec<&str> = sources.iter().map(|(name, _)| name.as_str()).collect();
    let settings: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!("-set {name} {value}"))
        .collect();
    Ok(format!(
        "read_verilog {}\nchparam {} {top}\nhierarchy -check -top {top}\nproc\nflatten\n",
        names.join(" "),
        settings.join(" "),
    ))
}

/// Runs a script in the folder; an error holds the last lines of what Yosys said.
pub fn run_yosys(folder: &Path, name: &str, script: &str) -> Result<(), YosysError> {
    let program = yosys().ok_or(YosysError::Missing)?;
    let file = format!("{name}.ys");
    fs::write(folder.join(&file), script)?;
    let mut command = Command::new(program);
    command.current_dir(folder).env("TMPDIR", folder);
    let ended = run(command.args(["-q", "-s", &file]))?;
    match ended.status.success() {
        true => Ok(()),
        false => Err(YosysError::Failed(last_lines(&ended.complaints, 10))),
    }
}
