//! Section 4: the counters of a core port.

/// Counters by their number on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    RxFlits = 0,
    RxPackets = 1,
    TxFlits = 2,
    TxPackets = 3,
    Stalls = 4,
    NoRoute = 5,
    UTurn = 6,
    LinkDown = 7,
    LinkDownAtOutput = 8,
}

/// Counters of a core port.
pub const CORE_COUNTERS: usize = 9;

/// Their values.
#[derive(Debug, Clone)]
pub struct PortCounters([u32; CORE_COUNTERS]);

impl PortCounters {
    pub fn new(start: u32) -> Self {
        Self([start; CORE_COUNTERS])
    }

    pub fn count(&mut self, counter: Counter) {
        let value = &mut self.0[counter as usize];
        *value = value.wrapping_add(1);
    }

    /// A flit came in, and with its last one a packet.
    pub fn count_received(&mut self, is_last: bool) {
        self.count(Counter::RxFlits);
        if is_last {
            self.count(Counter::RxPackets);
        }
    }

    /// A flit was sent, and with its last one a packet.
    pub fn count_sent(&mut self, is_last: bool) {
        self.count(Counter::TxFlits);
        if is_last {
            self.count(Counter::TxPackets);
        }
    }

    pub fn value(&self, c: usize) -> u32 {
        self.0[c]
    }
}
