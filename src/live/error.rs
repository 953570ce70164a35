//! Why sockets cannot be served.

use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The system refused something.
    #[error("cannot {action}: {cause}")]
    System { action: String, cause: io::Error },
    /// Somebody serves these sockets already.
    #[error("{} is in use: another `mkns live` answers there", .0.display())]
    InUse(PathBuf),
    /// It offers no control port.
    #[error("the network at {} offers no control port to a manager", .0.display())]
    NoWindow(PathBuf),
    /// Somebody manages it already.
    #[error("the network at {} is in use by another `mkns manage`", .0.display())]
    SecondManager(PathBuf),
    /// More sockets than a process may have.
    #[error("{hosts} hosts need {needed} open files, and this process may have {most}")]
    TooManyHosts { hosts: u32, needed: u64, most: u64 },
    /// A name that is too long for a socket.
    #[error("{} is {length} bytes long, and the name of a socket has 107 at most", path.display())]
    LongName { path: PathBuf, length: usize },
}

impl LiveError {
    pub(crate) fn system<E: Into<io::Error>>(action: impl Into<String>) -> impl FnOnce(E) -> Self {
        let action = action.into();
        move |cause| Self::System {
            action,
            cause: cause.into(),
        }
    }
}
