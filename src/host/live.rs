//! A host of a network that `mkns live` runs: a Unix socket whose messages are packets.
//!
//! A message holds one packet or several, one behind the other, and never a part of one. The first message comes from
//! the network and says what it is ([`LiveInformation`]).

use std::collections::VecDeque;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketAddrUnix, SocketFlags, SocketType, connect, recv,
    send, socket_with,
};

use crate::{PortCounters, PortError, ReceivedPacket, wire};

/// Bytes of the longest message.
pub const MOST_MESSAGE: usize = 64 << 10;
/// The socket that takes commands stands beside those of the hosts.
pub const CONTROL: &str = "control";
/// Bytes of the longest answer to a command.
const MOST_ANSWER: usize = 4096;
/// What the first message begins with.
const GREETING: &[u8; 8] = b"mkns-1\0\0";

/// What a network says of itself to a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LiveInformation {
    /// Number of this host.
    pub host: u32,
    /// What others write to reach it.
    pub address: u32,
    /// Hosts of the network.
    pub hosts: u32,
    /// Bytes of the longest payload.
    pub longest_payload: u32,
    /// Layers that a header may name.
    pub layers: u32,
}

impl LiveInformation {
    /// The first message to a host.
    pub fn greeting(&self) -> Vec<u8> {
        let numbers = [
            self.host,
            self.address,
            self.hosts,
            self.longest_payload,
            self.layers,
        ];
        let numbers = numbers.iter().flat_map(|number| number.to_le_bytes());
        GREETING.iter().copied().chain(numbers).collect()
    }

    fn of(message: &[u8]) -> Option<Self> {
        let numbers = message.strip_prefix(GREETING)?;
        let mut numbers = numbers.chunks_exact(4).map(|bytes| {
            let bytes: [u8; 4] = bytes.try_into().unwrap_or_default();
            u32::from_le_bytes(bytes)
        });
        Some(Self {
            host: numbers.next()?,
            address: numbers.next()?,
            hosts: numbers.next()?,
            longest_payload: numbers.next()?,
            layers: numbers.next()?,
        })
    }
}

/// The socket, and what has come by it.
#[derive(Debug)]
pub struct LivePort {
    socket: OwnedFd,
    /// The socket for commands.
    control: PathBuf,
    information: LiveInformation,
    received: Mutex<VecDeque<ReceivedPacket>>,
}

/// Until then the greeting or an answer has to be there.
const PATIENCE: Duration = Duration::from_secs(10);

impl LivePort {
    pub fn open(path: &Path) -> Result<Self, PortError> {
        let shown = path.display();
        let mut port = Self {
            socket: connected(path)?,
            control: path.with_file_name(CONTROL),
            information: LiveInformation::default(),
            received: Mutex::default(),
        };
        let greeting = port.message(Some(PATIENCE))?;
        let information = greeting.as_deref().and_then(LiveInformation::of);
        port.information = information.ok_or_else(|| {
            PortError::Damaged(format!("{shown} does not greet as `mkns live` does"))
        })?;
        Ok(port)
    }

    pub fn information(&self) -> LiveInformation {
        self.information
    }

    /// What the network counts of this host, by its command `counters`.
    pub fn counters(&self) -> Result<PortCounters, PortError> {
        let failed = || PortError::system("ask the network for its counters");
        let socket = connected(&self.control)?;
        let question = format!("counters {}", self.information.host);
        send(&socket, question.as_bytes(), SendFlags::NOSIGNAL).map_err(failed())?;
        if !wait(&socket, Some(PATIENCE))? {
            return Err(failed()(Errno::TIMEDOUT));
        }
        let mut answer = vec![0; MOST_ANSWER];
        let (length, _) = recv(&socket, &mut answer[..], RecvFlags::empty()).map_err(failed())?;
        let answer = String::from_utf8_lossy(&answer[..length]);
        PortCounters::of_answer(&answer)
            .ok_or_else(|| PortError::Damaged(format!("`{answer}` is no answer to `{question}`")))
    }

    /// Sends whole packets as one message.
    pub fn send(&self, packets: &[u8]) -> Result<(), PortError> {
        match send(&self.socket, packets, SendFlags::NOSIGNAL) {
            Ok(_) => Ok(()),
            Err(Errno::PIPE | Errno::CONNRESET | Errno::NOTCONN) => Err(PortError::Closed),
            Err(error) => Err(PortError::system("send a packet")(error)),
        }
    }

    pub fn receive(&self, patience: Option<Duration>) -> Result<Option<ReceivedPacket>, PortError> {
        let mut received = self
            .received
            .lock()
            .unwrap_or_else(|held| held.into_inner());
        if received.is_empty() {
            let Some(message) = self.message(patience)? else {
                return Ok(None);
            };
            let mut rest = &message[..];
            while !rest.is_empty() {
                let (packet, after) = wire::split_received(rest)?;
                received.push_back(packet);
                rest = after;
            }
        }
        Ok(received.pop_front())
    }

    /// The next message; none when none comes in time.
    fn message(&self, patience: Option<Duration>) -> Result<Option<Vec<u8>>, PortError> {
        if !wait(&self.socket, patience)? {
            return Ok(None);
        }
        let mut message = vec![0; MOST_MESSAGE];
        match recv(&self.socket, &mut message[..], RecvFlags::empty()) {
            Ok((0, _)) | Err(Errno::CONNRESET) => Err(PortError::Closed),
            Ok((length, _)) => {
                message.truncate(length);
                Ok(Some(message))
            }
            Err(error) => Err(PortError::system("receive a packet")(error)),
        }
    }
}

/// A connection to a socket of the network.
fn connected(path: &Path) -> Result<OwnedFd, PortError> {
    let failed = || PortError::system(format!("connect to {}", path.display()));
    let socket = socket_with(
        AddressFamily::UNIX,
        SocketType::SEQPACKET,
        SocketFlags::CLOEXEC,
        None,
    );
    let socket = socket.map_err(failed())?;
    let address = SocketAddrUnix::new(path).map_err(failed())?;
    connect(&socket, &address).map_err(failed())?;
    Ok(socket)
}

/// Waits until something can be read; false when nothing comes in time. Without a limit it waits for ever.
pub fn wait(socket: &OwnedFd, patience: Option<Duration>) -> Result<bool, PortError> {
    let until = patience.map(|patience| Instant::now() + patience);
    loop {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let left = left.and_then(|left| Timespec::try_from(left).ok());
        let mut sockets = [PollFd::new(socket, PollFlags::IN)];
        match poll(&mut sockets, left.as_ref()) {
            Ok(ready) => return Ok(ready > 0),
            Err(Errno::INTR) => {}
            Err(error) => return Err(PortError::system("wait for a packet")(error)),
        }
    }
}
