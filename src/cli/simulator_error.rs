//! What a failed build of a model is to the shell: exit code, diagnostic, remedy.

use super::{CommandError, Exit};
use mkns_diag::Diagnostic;

/// The diagnostic and exit code of a failed build.
pub fn simulator_error(error: &mkns_sim::Error) -> CommandError {
    let (exit, code, remedy) = match error {
        mkns_sim::Error::ToolMissing { .. } => (
            Exit::ToolMissing,
            "E0603",
            "run `make setup`, which installs it into .tools",
        ),
        mkns_sim::Error::ToolFailed { .. }
        | mkns_sim::Error::PortMismatch { .. }
        | mkns_sim::Error::ParameterMissing { .. } => (
            Exit::ToolFailed,
            "E0604",
            "read the log; if the RTL is as generated, this is a bug",
        ),
        _ => (
            Exit::Unexpected,
            "E0605",
            "check free disk space and the permissions of ~/.cache/mkns",
        ),
    };
    CommandError::one(exit, Diagnostic::new(code, error.to_string(), remedy))
}
