//! Slurm's own programs.

use std::io;
use std::process::Command;

/// Why Slurm could not be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SlurmError {
    /// A program of Slurm is not installed.
    #[error("there is no `{0}` here")]
    Missing(String),
    /// It refuses or does not answer; what it says.
    #[error("{0}")]
    Refused(String),
    /// A file of the submission says what mkns does not write.
    #[error("{0}")]
    Foreign(String),
    /// Files of the submission.
    #[error("a file of the submission cannot be used: {0}")]
    Files(String),
}

/// What a program prints.
pub fn run(program: &str, arguments: &[String]) -> Result<String, SlurmError> {
    let mut command = Command::new(program);
    command.args(arguments);
    let ended = mkns_scratch::run(&mut command).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => SlurmError::Missing(program.to_owned()),
        _ => SlurmError::Refused(format!("cannot start {program}: {error}")),
    })?;
    if ended.status.success() {
        return Ok(ended.output);
    }
    let said = ended.complaints.trim();
    Err(SlurmError::Refused(format!("{program}: {said}")))
}
