//! A program that is connected to a host's socket: what it is being sent.

use std::collections::VecDeque;

use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{SendFlags, send};

/// Bytes of a message, as long as packets are shorter.
const MESSAGE_BYTES: usize = 16 << 10;
/// Bytes that wait for a program which does not read; whole packets beyond them are dropped.
const MOST_PENDING: usize = 1 << 20;

/// Whole packets that are sent as one message.
#[derive(Debug, Default)]
struct Message {
    bytes: Vec<u8>,
    packets: u64,
}

/// The connection to a program.
#[derive(Debug)]
pub struct Client {
    pub socket: OwnedFd,
    pending: VecDeque<Message>,
    pending_bytes: usize,
    /// It is not read for now.
    pub is_paused: bool,
    /// What the epoll instance watches of it; nothing where it does not know it.
    watched: EventFlags,
}

impl Client {
    pub fn new(socket: OwnedFd, greeting: Vec<u8>) -> Self {
        let pending_bytes = greeting.len();
        let greeting = Message {
            bytes: greeting,
            packets: 0,
        };
        Self {
            socket,
            pending: VecDeque::from([greeting]),
            pending_bytes,
            is_paused: false,
            watched: EventFlags::empty(),
        }
    }

    /// Whether the program has closed its socket, while what it sent can still be read.
    pub fn has_gone(&self) -> bool {
        let mut sockets = [PollFd::new(&self.socket, PollFlags::empty())];
        let now = Timespec::default();
        let seen = poll(&mut sockets, Some(&now));
        seen.is_ok() && sockets[0].revents().contains(PollFlags::HUP)
    }

    /// Queues a packet; false when the program is too far behind.
    pub fn queue(&mut self, header: u64, payload: &[u8]) -> bool {
        let length = size_of::<u64>() + payload.len();
        if self.pending_bytes + length > MOST_PENDING {
            return false;
        }
        // The first message may be the greeting, which stands alone.
        let last = self.pending.back_mut();
        let open =
            last.filter(|last| last.packets > 0 && last.bytes.len() + length <= MESSAGE_BYTES);
        let message = match open {
            Some(message) => message,
            None => {
                self.pending.push_back(Message::default());
                self.pending.back_mut().expect("it was just added")
            }
        };
        message.bytes.extend(header.to_le_bytes());
        message.bytes.extend(payload);
        message.packets += 1;
        self.pending_bytes += length;
        true
    }

    /// Sends what the socket takes; false when the program has gone.
    pub fn flush(&mut self) -> bool {
        while let Some(message) = self.pending.front() {
            match send(
                &self.socket,
                &message.bytes,
                SendFlags::NOSIGNAL | SendFlags::DONTWAIT,
            ) {
                Ok(_) => {
                    self.pending_bytes -= message.bytes.len();
                    self.pending.pop_front();
                }
                Err(Errno::AGAIN | Errno::NOBUFS | Errno::INTR) => return true,
                Err(_) => return false,
            }
        }
        true
    }

    /// Packets that wait to be sent to it.
    pub fn pending_packets(&self) -> u64 {
        self.pending.iter().map(|message| message.packets).sum()
    }

    /// Watches what is of interest now; nothing at all while it is paused and nothing waits, because the end of a
    /// connection would wake the thread again and again.
    pub fn watch(&mut self, epoll: &OwnedFd, token: u64) -> rustix::io::Result<()> {
        let mut wanted = EventFlags::empty();
        wanted.set(EventFlags::IN, !self.is_paused);
        wanted.set(EventFlags::OUT, !self.pending.is_empty());
        if wanted == self.watched {
            return Ok(());
        }
        let (data, socket) = (EventData::new_u64(token), &self.socket);
        match (self.watched.is_empty(), wanted.is_empty()) {
            (true, _) => epoll::add(epoll, socket, data, wanted)?,
            (false, true) => epoll::delete(epoll, socket)?,
            (false, false) => epoll::modify(epoll, socket, data, wanted)?,
        }
        self.watched = wanted;
        Ok(())
    }
}
