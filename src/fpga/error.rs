//! Why a flow ended early, and how that is told.

use std::io;
use std::path::PathBuf;

use super::Program;
use mkns_diag::{Code, Diagnostic, Place};

/// The failure of a flow.
#[derive(Debug, thiserror::Error)]
pub enum FlowError {
    /// The program is not installed.
    #[error("{}", program.absence())]
    Missing { program: Program },
    /// The program ended with an error.
    #[error("{} failed: {summary}", program.name())]
    Failed {
        program: Program,
        summary: String,
        log: PathBuf,
    },
    /// The program was stopped.
    #[error("{} was stopped after {seconds} s", program.name())]
    TimeLimit { program: Program, seconds: u64 },
    /// The program's output is not what this version of mkns reads.
    #[error("cannot read what {} wrote: {what}", program.name())]
    Unreadable { program: Program, what: String },
    /// The routed design is slower than its clock.
    #[error("timing is not met: {achieved:.2} MHz where {wanted:.2} MHz are needed")]
    Timing { achieved: f64, wanted: f64 },
    /// A file or folder cannot be used.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

impl FlowError {
    /// Code, fact and remedy.
    pub fn diagnostic(&self) -> Diagnostic {
        let (code, remedy) = match self {
            Self::Missing { program } => (Code::FlowProgramMissing, program.remedy().to_owned()),
            Self::Failed { .. } => (
                Code::FlowProgramFailed,
                "read the log; if the sources are as generated, this is a bug".to_owned(),
            ),
            Self::TimeLimit { .. } => (
                Code::FlowTimeLimit,
                "give more minutes with `--time-limit`, or a smaller block".to_owned(),
            ),
            Self::Unreadable { .. } => (
                Code::FlowOutputNotUnderstood,
                "use the versions that `mkns setup` installs".to_owned(),
            ),
            Self::Timing { .. } => (
                Code::TimingNotMet,
                "try another `--seed`, a smaller block, or one with more pipeline registers"
                    .to_owned(),
            ),
            Self::Io { .. } => (
                Code::FlowFilesUnusable,
                "check that you may write there and that disk is free".to_owned(),
            ),
        };
        let diagnostic = Diagnostic::new(code, self.to_string(), remedy);
        match self {
            Self::Failed { log, .. } => diagnostic.at(Place::file(log)),
            _ => diagnostic,
        }
    }
}
