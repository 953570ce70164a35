//! What an interface has done.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

/// Counted while the interface runs, by its two threads.
#[derive(Debug, Default)]
pub struct Counters {
    pub sent: AtomicU64,
    pub received: AtomicU64,
    pub not_carried: AtomicU64,
    pub without_route: AtomicU64,
    pub incomplete: AtomicU64,
    pub refused: AtomicU64,
    pub reopened: AtomicU64,
}

/// The counters at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct CounterValues {
    /// Datagrams that went to the port, and that came from it.
    pub sent: u64,
    pub received: u64,
    /// Datagrams to no host of the network: broadcasts, multicasts and others.
    pub not_carried: u64,
    /// Datagrams to hosts to which no route leads.
    pub without_route: u64,
    /// Datagrams that arrived in part.
    pub incomplete: u64,
    /// Packets that arrived and are no segment, or follow one that is missing.
    pub refused: u64,
    /// How often the port was opened again after it had been closed.
    pub reopened: u64,
}

impl Counters {
    pub fn values(&self) -> CounterValues {
        let value = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        CounterValues {
            sent: value(&self.sent),
            received: value(&self.received),
            not_carried: value(&self.not_carried),
            without_route: value(&self.without_route),
            incomplete: value(&self.incomplete),
            refused: value(&self.refused),
            reopened: value(&self.reopened),
        }
    }
}

/// One more.
pub fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}
