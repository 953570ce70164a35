//! Commands to a running network: one message each, and one message as the answer.

use std::path::Path;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, SocketAddrUnix, connect, recv, send};

use crate::LiveError;
use crate::folder::{control_socket, new_socket};

/// Bytes of the longest command or answer.
pub const LONGEST: usize = 4096;
/// An answer takes no longer than this.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a network can be asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiveCommand {
    /// `fail PART`: the part fails now, for good.
    Fail(String),
    /// `counters HOST`: the packets of a host.
    Counters(u32),
    /// `status`: how it goes.
    Status,
    /// `stop`: the run ends.
    Stop,
}

impl LiveCommand {
    /// None where the words are no command.
    pub fn of(words: &str) -> Option<Self> {
        match words.trim().split_once(' ') {
            Some(("fail", part)) => Some(Self::Fail(part.trim().to_owned())),
            Some(("counters", host)) => host.trim().parse().ok().map(Self::Counters),
            None if words.trim() == "status" => Some(Self::Status),
            None if words.trim() == "stop" => Some(Self::Stop),
            _ => None,
        }
    }
}

/// Sends a command to the network with this folder; its answer.
///
/// # Errors
/// When nobody answers there.
pub fn ask(folder: &Path, command: &str) -> Result<String, LiveError> {
    let path = control_socket(folder);
    let failed = || LiveError::system(format!("ask the network at {}", path.display()));
    let address = SocketAddrUnix::new(&path).map_err(failed())?;
    let socket = new_socket().map_err(failed())?;
    connect(&socket, &address).map_err(failed())?;
    send(&socket, command.as_bytes(), SendFlags::NOSIGNAL).map_err(failed())?;
    let patience = Timespec::try_from(PATIENCE).ok();
    let mut sockets = [PollFd::new(&socket, PollFlags::IN)];
    if poll(&mut sockets, patience.as_ref()).map_err(failed())? == 0 {
        return Err(failed()(Errno::TIMEDOUT));
    }
    let mut answer = vec![0; LONGEST];
    let (length, _) = recv(&socket, &mut answer[..], RecvFlags::empty()).map_err(failed())?;
    Ok(String::from_utf8_lossy(&answer[..length]).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_words() {
        assert_eq!(
            LiveCommand::of("fail kb_y2"),
            Some(LiveCommand::Fail("kb_y2".to_owned()))
        );
        assert_eq!(
            LiveCommand::of("counters 12"),
            Some(LiveCommand::Counters(12))
        );
        assert_eq!(LiveCommand::of("counters all"), None);
        assert_eq!(LiveCommand::of("status\n"), Some(LiveCommand::Status));
        assert_eq!(LiveCommand::of("stop"), Some(LiveCommand::Stop));
        assert_eq!(LiveCommand::of("fail"), None);
        assert_eq!(LiveCommand::of("stop now"), None);
    }
}
