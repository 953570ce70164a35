//! The thread that reads and writes the sockets.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;
use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};
use rustix::fd::OwnedFd;
use rustix::io::Errno;
use rustix::net::{RecvFlags, SocketFlags, accept_with, recv};

use crate::LiveError;
use crate::clients::Client;
use crate::control::Control;
use crate::directory::HostDirectory;
use crate::folder::SocketFolder;
use crate::mailbox::Mailbox;
use crate::token::Token;
use crate::totals::SocketTotals;
use mkns_host::{PortCounters, wire};
use mkns_topology::{BlockId, Network};

/// Bytes of the longest message of a host.
const MOST_MESSAGE: usize = 64 << 10;
/// Messages that are read of a host at a time.
const MESSAGES_AT_A_TIME: u32 = 4;
/// Events that are handled at a time.
const EVENTS: usize = 256;
/// How often is looked whether the run is to end.
const GLANCE: Duration = Duration::from_millis(20);
/// Programs that do not read the last packets in this time do not get them.
const LAST_PATIENCE: Duration = Duration::from_secs(2);

/// All that the thread has.
pub struct SocketThread {
    pub folder: SocketFolder,
    pub directory: HostDirectory,
    /// Names the parts that are to fail.
    pub network: Network,
    /// The block whose control port is offered.
    pub window: Option<BlockId>,
    pub mailbox: Arc<Mailbox>,
    /// Set when the run is to end.
    pub stop: Arc<AtomicBool>,
    /// Set when the network has ended, and all that arrived is in the mailbox.
    pub has_ended: Arc<AtomicBool>,
    pub epoll: OwnedFd,
    pub clients: Vec<Option<Client>>,
    /// Of each host, a program that is served once all messages of the one before it are taken.
    next: Vec<Option<OwnedFd>>,
    pub controls: Vec<Control>,
    /// Hosts whose socket is not read, because they have sent more than the network takes.
    paused: Vec<u32>,
    pub totals: SocketTotals,
    /// Of each host.
    pub counters: Vec<PortCounters>,
    /// Of the longest message.
    buffer: Vec<u8>,
}

impl SocketThread {
    pub fn new(
        (folder, directory): (SocketFolder, HostDirectory),
        (network, window): (Network, Option<BlockId>),
        mailbox: Arc<Mailbox>,
        (stop, has_ended): (Arc<AtomicBool>, Arc<AtomicBool>),
    ) -> Result<Self, LiveError> {
        let failed = || LiveError::system("watch the sockets");
        let epoll = epoll::create(CreateFlags::CLOEXEC).map_err(failed())?;
        let watch = |socket: &OwnedFd, token: Token| {
            let data = EventData::new_u64(token.pack());
            epoll::add(&epoll, socket, data, EventFlags::IN).map_err(failed())
        };
        watch(mailbox.wakened(), Token::Wake)?;
        watch(&folder.control, Token::ControlListener)?;
        for (host, socket) in (0..).zip(&folder.hosts) {
            watch(socket, Token::HostListener(host))?;
        }
        Ok(Self {
            clients: folder.hosts.iter().map(|_| None).collect(),
            next: folder.hosts.iter().map(|_| None).collect(),
            controls: Vec::new(),
            paused: Vec::new(),
            totals: SocketTotals::default(),
            counters: vec![PortCounters::default(); folder.hosts.len()],
            buffer: Vec::with_capacity(MOST_MESSAGE),
            epoll,
            folder,
            directory,
            network,
            window,
            mailbox,
            stop,
            has_ended,
        })
    }

    /// Serves until the network has ended and everybody has their packets.
    pub fn run(mut self) -> SocketTotals {
        let mut until = None;
        let glance = Timespec::try_from(GLANCE).ok();
        loop {
            let mut events = Vec::with_capacity(EVENTS);
            match epoll::wait(&self.epoll, spare_capacity(&mut events), glance.as_ref()) {
                Ok(_) | Err(Errno::INTR) => {}
                // Nothing can be served without it: the run ends.
                Err(_) => self.stop.store(true, Ordering::Relaxed),
            }
            for event in &events {
                self.handle(Token::unpack(event.data.u64()));
            }
            self.resume();
            self.answer_accesses();
            let has_ended = self.has_ended.load(Ordering::Acquire);
            self.deliver();
            if self.stop.load(Ordering::Relaxed) {
                self.mailbox.put(|incoming| incoming.stop = true);
            }
            if has_ended {
                let until = *until.get_or_insert_with(|| Instant::now() + LAST_PATIENCE);
                if self.pending_packets() == 0 || Instant::now() > until {
                    self.totals.not_read += self.pending_packets();
                    return self.totals;
                }
            }
        }
    }

    fn pending_packets(&self) -> u64 {
        let clients = self.clients.iter().flatten();
        clients.map(Client::pending_packets).sum()
    }

    fn handle(&mut self, token: Token) {
        match token {
            Token::Wake => self.mailbox.is_awake(),
            Token::ControlListener => self.accept_control(),
            Token::Control(number) => self.obey(number),
            Token::HostListener(host) => self.accept(host),
            Token::Host(host) => {
                self.read(host);
                self.write(host);
            }
        }
    }

    /// A program connects to a host; while another one is connected, it is turned away. One that has gone may have left
    /// messages, and its end is seen behind them.
    fn accept(&mut self, host: u32) {
        let listener = &self.folder.hosts[host as usize];
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let Ok(socket) = accept_with(listener, flags) else {
            return;
        };
        while self.clients[host as usize]
            .as_ref()
            .is_some_and(|client| client.has_gone() && !client.is_paused)
        {
            self.read(host);
        }
        match &self.clients[host as usize] {
            None => self.admit(host, socket),
            // What it sent has to be taken first.
            Some(client) if client.has_gone() => {
                self.next[host as usize].get_or_insert(socket);
            }
            Some(_) => {}
        }
    }

    fn admit(&mut self, host: u32, socket: OwnedFd) {
        let greeting = self.directory.information(host).greeting();
        self.clients[host as usize] = Some(Client::new(socket, greeting));
        self.write(host);
    }

    /// Takes packets of a host.
    fn read(&mut self, host: u32) {
        for _ in 0..MESSAGES_AT_A_TIME {
            let Some(client) = &mut self.clients[host as usize] else {
                return;
            };
            if client.is_paused {
                return;
            }
            if !self.mailbox.has_room(host) {
                client.is_paused = true;
                self.paused.push(host);
                break;
            }
            self.buffer.clear();
            match recv(
                &client.socket,
                spare_capacity(&mut self.buffer),
                RecvFlags::DONTWAIT | RecvFlags::TRUNC,
            ) {
                Ok((_, 0)) => return self.disconnect(host),
                Ok((_, length)) => self.take_message(host, length),
                Err(Errno::AGAIN | Errno::INTR) => break,
                Err(_) => return self.disconnect(host),
            }
        }
        self.watch(host);
    }

    /// The packets of a message, which is in the buffer as far as it fits.
    fn take_message(&mut self, host: u32, length: usize) {
        let mut rest = match length <= self.buffer.len() {
            true => &self.buffer[..],
            false => &[],
        };
        let mut refused = u32::from(rest.is_empty());
        let mut packets = Vec::new();
        while !rest.is_empty() {
            let Ok((header, payload, after)) = wire::split(rest) else {
                refused += 1;
                break;
            };
            match self.directory.packet(host, &header, payload) {
                Some(packet) => packets.push(packet),
                None => refused += 1,
            }
            rest = after;
        }
        self.totals.refused += u64::from(refused);
        let count = packets.len() as u32;
        self.counters[host as usize].add_sent(count, refused);
        if !packets.is_empty() {
            self.mailbox.has_read(host, count);
            self.mailbox
                .put(|incoming| incoming.packets.append(&mut packets));
        }
    }

    /// Reads hosts again that may send more.
    fn resume(&mut self) {
        let mut index = 0;
        while let Some(&host) = self.paused.get(index) {
            if !self.mailbox.has_room(host) {
                index += 1;
                continue;
            }
            self.paused.swap_remove(index);
            if let Some(client) = &mut self.clients[host as usize] {
                client.is_paused = false;
            }
            self.watch(host);
        }
    }

    /// Hands hosts what has arrived.
    fn deliver(&mut self) {
        let mut touched = Vec::new();
        for packet in self.mailbox.take_outgoing() {
            let host = packet.destination;
            let header = self.directory.arriving_header(&packet);
            let client = self.clients[host as usize].as_mut();
            let queued = client.map(|client| client.queue(header, &packet.payload));
            match queued {
                None => self.totals.nobody_there += 1,
                Some(true) => touched.push(host),
                Some(false) => self.totals.not_read += 1,
            }
            self.counters[host as usize].add_received(queued == Some(true));
        }
        touched.sort_unstable();
        touched.dedup();
        touched.into_iter().for_each(|host| self.write(host));
    }

    fn write(&mut self, host: u32) {
        match self.clients[host as usize].as_mut().map(Client::flush) {
            Some(true) => self.watch(host),
            Some(false) => self.disconnect(host),
            None => {}
        }
    }

    fn watch(&mut self, host: u32) {
        if let Some(client) = &mut self.clients[host as usize]
            && client.watch(&self.epoll, Token::Host(host).pack()).is_err()
        {
            self.disconnect(host);
        }
    }

    fn disconnect(&mut self, host: u32) {
        if let Some(client) = self.clients[host as usize].take() {
            let unread = client.pending_packets();
            self.totals.not_read += unread;
            self.counters[host as usize].add_dropped(unread as u32);
            self.paused.retain(|&paused| paused != host);
        }
        if let Some(socket) = self.next[host as usize].take() {
            self.admit(host, socket);
        }
    }
}
