//! What can go wrong between RTL text and a running model.

use std::io;
use std::path::{Path, PathBuf};

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An external program is not there.
    #[error("{program} not found ({looked})")]
    ToolMissing { program: String, looked: String },

    /// An external program ran and refused its input. `said`: its first complaint and what follows.
    #[error("{program} failed ({status}); its log is {}\n{said}", log.display())]
    ToolFailed {
        program: String,
        status: String,
        log: PathBuf,
        said: String,
    },

    /// The RTL has not all parameters that are to be set.
    #[error("module `{top}` has no parameter {parameters}, which is to be set")]
    ParameterMissing {
        top: String,
        /// Names in backticks.
        parameters: String,
    },

    /// The port table and the verilated module disagree.
    #[error("port `{port}` of module `{top}`: {fact}")]
    PortMismatch {
        top: String,
        port: String,
        fact: String,
    },

    /// A finished model cannot be loaded.
    #[error("cannot load {}: {fact}", path.display())]
    Load { path: PathBuf, fact: String },

    /// A new instance stopped while its initial blocks ran.
    #[error("an instance of `{top}` stopped at power-up: {fact}")]
    PowerUp { top: String, fact: String },

    /// A waveform or coverage file cannot be written.
    #[error("cannot record to {}: {fact}", path.display())]
    Record { path: PathBuf, fact: String },

    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
}

impl Error {
    /// For `map_err`: says what was attempted on which path.
    pub fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source,
        }
    }
}
