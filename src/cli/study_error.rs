//! What a mutation score or a coverage that did not come about is to the shell: exit code, diagnostic,
//! remedy.

use super::simulator_error::simulator_error;
use super::{CommandError, Context, Exit};
use mkns_cosim::{SessionError, StudyError, YosysError};
use mkns_diag::Diagnostic;

/// The diagnostic and exit code; a block that fails as it is has its failure printed.
pub fn study_error(context: &Context, error: &StudyError) -> CommandError {
    match error {
        StudyError::Yosys(error) => yosys_error(error),
        StudyError::Session(SessionError::Simulator(error)) => simulator_error(error),
        StudyError::Session(SessionError::Failed(failure)) => {
            let text = format!("the block fails as it is\n{failure}");
            context.verdict(Exit::Diverged, text, failure)
        }
    }
}

fn yosys_error(error: &YosysError) -> CommandError {
    let (exit, code, remedy) = match error {
        YosysError::Missing => (
            Exit::ToolMissing,
            "E0506",
            "run `make setup`, which installs it into .tools",
        ),
        YosysError::Failed(_) => (
            Exit::ToolFailed,
            "E0620",
            "if `mkns lint` passes, this is a bug",
        ),
        YosysError::Io(_) => (
            Exit::Unexpected,
            "E0102",
            "check the free space of the temporary folder",
        ),
    };
    CommandError::one(exit, Diagnostic::new(code, error.to_string(), remedy))
}
