//! Slurm's own programs.

use std::fmt;
use std::io;
use std::process::Command;

/// Why Slurm could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SlurmError {
    /// A program of Slurm is not installed.
    Missing(String),
    /// It refuses or does not answer; what it says.
    Refused(String),
    /// Files of the submission.
    Files(String),
}

impl fmt::Display for SlurmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(program) => write!(f, "there is no `{program}` here"),
            Self::Refused(said) => write!(f, "{said}"),
            Self::Files(said) => write!(f, "a file of the submission cannot be used: {said}"),
        }
    }
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
