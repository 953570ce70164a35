//! What the network's thread and the sockets' thread hand each other.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use rustix::event::{EventfdFlags, eventfd};
use rustix::fd::OwnedFd;

use mkns_topology::Part;
use mkns_traffic::{ControlAccess, OutsidePacket};

/// Packets of a host that may wait to enter the network; its socket is not read while there are as many.
pub const MOST_WAITING: u32 = 64;

/// What has come by the sockets.
#[derive(Debug, Default)]
pub struct Incoming {
    pub packets: Vec<OutsidePacket>,
    pub failing: Vec<Part>,
    /// With the number of the connection that waits for the answer.
    pub accesses: Vec<(u32, ControlAccess)>,
    pub stop: bool,
}

impl Incoming {
    pub fn is_nothing(&self) -> bool {
        let is_asked = !self.failing.is_empty() || !self.accesses.is_empty();
        self.packets.is_empty() && !is_asked && !self.stop
    }
}

/// Shared by the two threads.
#[derive(Debug)]
pub struct Mailbox {
    incoming: Mutex<Incoming>,
    /// Something is incoming.
    comes: Condvar,
    outgoing: Mutex<Vec<OutsidePacket>>,
    /// Answers to accesses, with the numbers of their connections.
    answers: Mutex<Vec<(u32, Option<u32>)>>,
    /// Packets of each host that have been read and have not begun to enter the network.
    waiting: Vec<AtomicU32>,
    /// Wakes the sockets' thread.
    wake: OwnedFd,
    /// Cycles done, for those who ask.
    cycle: AtomicU64,
}

impl Mailbox {
    pub fn new(hosts: u32) -> rustix::io::Result<Self> {
        Ok(Self {
            incoming: Mutex::default(),
            comes: Condvar::new(),
            outgoing: Mutex::default(),
            answers: Mutex::default(),
            waiting: (0..hosts).map(|_| AtomicU32::new(0)).collect(),
            wake: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?,
            cycle: AtomicU64::new(0),
        })
    }

    /// What has come since the last call; when that is nothing, waits for something, but no longer than `patience`.
    pub fn take_incoming(&self, patience: Duration) -> Incoming {
        let mut incoming = lock(&self.incoming);
        if incoming.is_nothing() && !patience.is_zero() {
            let waited = self.comes.wait_timeout(incoming, patience);
            incoming = waited.unwrap_or_else(|held| held.into_inner()).0;
        }
        std::mem::take(&mut incoming)
    }

    /// Changes what is incoming.
    pub fn put(&self, change: impl FnOnce(&mut Incoming)) {
        change(&mut lock(&self.incoming));
        self.comes.notify_one();
    }

    /// Packets that arrived, for their hosts.
    pub fn deliver(&self, packets: Vec<OutsidePacket>) {
        let mut outgoing = lock(&self.outgoing);
        let was_empty = outgoing.is_empty();
        outgoing.extend(packets);
        drop(outgoing);
        if was_empty {
            self.wake();
        }
    }

    pub fn take_outgoing(&self) -> Vec<OutsidePacket> {
        std::mem::take(&mut lock(&self.outgoing))
    }

    /// An access is done.
    pub fn answer(&self, number: u32, value: Option<u32>) {
        lock(&self.answers).push((number, value));
        self.wake();
    }

    pub fn take_answers(&self) -> Vec<(u32, Option<u32>)> {
        std::mem::take(&mut lock(&self.answers))
    }

    /// Packets of a host have been read.
    pub fn has_read(&self, host: u32, packets: u32) {
        self.waiting[host as usize].fetch_add(packets, Ordering::Relaxed);
    }

    /// Packets of a host have begun, or never will; whether its socket is to be read again.
    pub fn have_begun(&self, host: u32, packets: u32) -> bool {
        let before = self.waiting[host as usize].fetch_sub(packets, Ordering::Relaxed);
        before >= MOST_WAITING && before - packets < MOST_WAITING
    }

    /// Whether a host may send more.
    pub fn has_room(&self, host: u32) -> bool {
        self.waiting[host as usize].load(Ordering::Relaxed) < MOST_WAITING
    }

    pub fn set_cycle(&self, cycle: u64) {
        self.cycle.store(cycle, Ordering::Relaxed);
    }

    pub fn cycle(&self) -> u64 {
        self.cycle.load(Ordering::Relaxed)
    }

    pub fn wake(&self) {
        // It fails only when the thread has been woken very often already.
        let _ = rustix::io::write(&self.wake, &1u64.to_ne_bytes());
    }

    /// Readable when the thread has been woken.
    pub fn wakened(&self) -> &OwnedFd {
        &self.wake
    }

    /// The thread is awake.
    pub fn is_awake(&self) {
        let _ = rustix::io::read(&self.wake, &mut [0u8; 8]);
    }
}

/// A thread that panicked leaves nothing half-changed here.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|held| held.into_inner())
}
