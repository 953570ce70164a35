//! What a mutation score or a coverage that did not come about is to the shell: exit code, diagnostic,
//! remedy.

use super::rtl_folder::{build_error, refused};
use super::simulator_error::simulator_error;
use super::{CommandError, Context};
use mkns_campaign::{ScoringError, YosysError};
use mkns_cosim::SessionError;
use mkns_diag::{Code, Exit};
use mkns_rtl::RtlSources;

/// The diagnostic and exit code; a block that fails as it is has its failure printed.
pub fn score_error(context: &Context, error: &ScoringError) -> CommandError {
    match error {
        ScoringError::Yosys(error) => yosys_error(error),
        ScoringError::Session(SessionError::Simulator(error)) => simulator_error(error),
        ScoringError::Session(SessionError::Failed(failure)) => {
            let text = format!("the block fails as it is\n{failure}");
            context.verdict(Exit::Diverged, text, failure)
        }
    }
}

/// The failure of a score of RTL that may be changed by hand: what a tool refuses is told at its place.
pub fn rtl_score_error(
    context: &Context,
    sources: &RtlSources,
    error: &ScoringError,
) -> CommandError {
    let told = match error {
        ScoringError::Yosys(error) => refused(sources, "yosys", &error.to_string()),
        ScoringError::Session(SessionError::Simulator(error)) => Some(build_error(sources, error)),
        ScoringError::Session(SessionError::Failed(_)) => None,
    };
    told.unwrap_or_else(|| score_error(context, error))
}

fn yosys_error(error: &YosysError) -> CommandError {
    let (code, remedy) = match error {
        YosysError::Missing => (Code::LintToolMissing, "run `mkns setup`, which installs it"),
        YosysError::Failed(_) => (Code::NoMutants, "if `mkns lint` passes, this is a bug"),
        YosysError::Io(_) => (
            Code::InputOutput,
            "check the free space of the temporary folder",
        ),
    };
    CommandError::new(code, error.to_string(), remedy)
}
