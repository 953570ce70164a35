//! The folder of a network that runs: how the command line names it, and why it cannot be used.

use std::path::PathBuf;

use super::CommandError;
use mkns_diag::Code;
use mkns_live::LiveError;

/// The folder of `live:FOLDER`.
pub fn live_folder(text: &str) -> Result<PathBuf, String> {
    let folder = text.strip_prefix("live:").filter(|name| !name.is_empty());
    folder.map(PathBuf::from).ok_or_else(|| {
        "it has to be live: and the folder of `mkns live --sockets`, such as live:/tmp/net"
            .to_owned()
    })
}

/// Why there are no sockets.
pub fn refused(error: LiveError) -> CommandError {
    let fact = error.to_string();
    match error {
        LiveError::System { .. } => {
            let remedy =
                "name a folder in which you may make files, or one with a network that runs";
            CommandError::new(Code::SocketsUnusable, fact, remedy)
        }
        LiveError::NoWindow(_) => {
            let remedy = "start that network with `mkns live --in-band BLOCK`";
            CommandError::new(Code::SocketsUnusable, fact, remedy)
        }
        LiveError::SecondManager(_) => {
            let remedy = "end the manager that is running: two would undo each other's writes";
            CommandError::new(Code::SocketsUnusable, fact, remedy)
        }
        LiveError::InUse(_) => {
            CommandError::new(Code::SocketsUnusable, fact, "name another folder")
        }
        LiveError::LongName { .. } => {
            CommandError::new(Code::OutOfRange, fact, "name a folder with a shorter path")
        }
        LiveError::TooManyHosts { .. } => {
            let remedy = "run a smaller network, or raise the limit with `ulimit -Hn`";
            CommandError::new(Code::OutOfRange, fact, remedy)
        }
    }
}
