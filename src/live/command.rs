//! Commands to a running network: one message each, and one message as the answer.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SendFlags, SocketAddrUnix, connect, recv, send};

use crate::LiveError;
use crate::folder::{control_socket, new_socket};
use mkns_traffic::ControlAccess;

/// Bytes of the longest command or answer.
pub const LONGEST: usize = 4096;
/// Addresses of a control port.
const ADDRESSES: u32 = 1 << 20;
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
    /// `read ADDRESS` or `write ADDRESS VALUE`, hexadecimal: a register of the block whose control port is offered.
    Access(ControlAccess),
    /// `stop`: the run ends.
    Stop,
}

impl LiveCommand {
    /// None where the words are no command.
    pub fn of(words: &str) -> Option<Self> {
        match words.trim().split_once(' ') {
            Some(("fail", part)) => Some(Self::Fail(part.trim().to_owned())),
            Some(("counters", host)) => host.trim().parse().ok().map(Self::Counters),
            Some(("read", address)) => access(address, None),
            Some(("write", words)) => {
                let (address, value) = words.trim().split_once(' ')?;
                access(address, Some(hexadecimal(value)?))
            }
            None if words.trim() == "status" => Some(Self::Status),
            None if words.trim() == "stop" => Some(Self::Stop),
            _ => None,
        }
    }
}

/// An access of a register that there may be.
fn access(address: &str, value: Option<u32>) -> Option<LiveCommand> {
    let address = hexadecimal(address)?;
    let is_possible = address.is_multiple_of(4) && address < ADDRESSES;
    is_possible.then_some(LiveCommand::Access(ControlAccess { address, value }))
}

fn hexadecimal(text: &str) -> Option<u32> {
    let text = text.trim();
    u32::from_str_radix(text.strip_prefix("0x").unwrap_or(text), 16).ok()
}

/// A connection to a running network.
#[derive(Debug)]
pub struct Connection {
    socket: OwnedFd,
    path: PathBuf,
}

impl Connection {
    /// # Errors
    /// When nobody serves there.
    pub fn open(folder: &Path) -> Result<Self, LiveError> {
        let path = control_socket(folder);
        let failed = || LiveError::system(format!("ask the network at {}", path.display()));
        let address = SocketAddrUnix::new(&path).map_err(failed())?;
        let socket = new_socket().map_err(failed())?;
        connect(&socket, &address).map_err(failed())?;
        Ok(Self { socket, path })
    }

    /// Sends a command; the answer.
    ///
    /// # Errors
    /// When nobody answers.
    pub fn ask(&self, command: &str) -> Result<String, LiveError> {
        let failed = || LiveError::system(format!("ask the network at {}", self.path.display()));
        send(&self.socket, command.as_bytes(), SendFlags::NOSIGNAL).map_err(failed())?;
        let patience = Timespec::try_from(PATIENCE).ok();
        let mut sockets = [PollFd::new(&self.socket, PollFlags::IN)];
        if poll(&mut sockets, patience.as_ref()).map_err(failed())? == 0 {
            return Err(failed()(Errno::TIMEDOUT));
        }
        let mut answer = vec![0; LONGEST];
        let received = recv(&self.socket, &mut answer[..], RecvFlags::empty());
        match received.map_err(failed())? {
            (0, _) => Err(failed()(Errno::CONNRESET)),
            (length, _) => Ok(String::from_utf8_lossy(&answer[..length]).into_owned()),
        }
    }
}

/// Sends a command to the network with this folder; its answer.
///
/// # Errors
/// When nobody answers there.
pub fn ask(folder: &Path, command: &str) -> Result<String, LiveError> {
    Connection::open(folder)?.ask(command)
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
        let access = |address, value| Some(LiveCommand::Access(ControlAccess { address, value }));
        assert_eq!(LiveCommand::of("read 7040"), access(0x7040, None));
        assert_eq!(LiveCommand::of("write 0x7040 3"), access(0x7040, Some(3)));
        for words in ["read 7041", "read 100000", "write 7040", "read here"] {
            assert_eq!(LiveCommand::of(words), None, "{words}");
        }
        assert_eq!(LiveCommand::of("stop now"), None);
    }
}
