//! Event counters of the core ports (section 4, COUNTERS).

/// What the core counts on a port. The value is the number of its (first) counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum Event {
    /// A flit; the next counter counts packets.
    Received = 0,
    /// A flit; the next counter counts packets.
    Sent = 2,
    StallCycle = 4,
    NoRoute = 5,
    UTurn = 6,
    LinkDown = 7,
    LinkDownAtOutput = 8,
}

/// Counters of a core port.
pub const CORE_PORT_COUNTERS: usize = 9;

/// Why a header is dropped; the value is its bit in ERRORS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum DropCause {
    NoRoute,
    UTurn,
    LinkDown,
    LinkDownAtOutput,
}

impl DropCause {
    fn event(self) -> Event {
        match self {
            DropCause::NoRoute => Event::NoRoute,
            DropCause::UTurn => Event::UTurn,
            DropCause::LinkDown => Event::LinkDown,
            DropCause::LinkDownAtOutput => Event::LinkDownAtOutput,
        }
    }
}

/// All counters of a core; without `COUNTERS` they stay 0.
#[derive(Debug, Clone)]
pub struct Counters {
    /// By port; empty without `COUNTERS`.
    values: Box<[[u32; CORE_PORT_COUNTERS]]>,
    /// Packets dropped, whatever the cause, with or without `COUNTERS`; modulo 2³².
    dropped: u32,
}

impl Counters {
    pub fn new(enabled: bool, ports: usize, start: u32) -> Counters {
        Counters {
            values: vec![[start; CORE_PORT_COUNTERS]; if enabled { ports } else { 0 }].into(),
            dropped: 0,
        }
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&*self.values)
    }

    #[inline]
    pub fn count(&mut self, port: usize, event: Event) {
        if let Some(values) = self.values.get_mut(port) {
            let value = &mut values[event as usize];
            *value = value.wrapping_add(1);
        }
    }

    /// [`Event::Received`] or [`Event::Sent`] of a flit, and of a packet when it is the last.
    #[inline]
    pub fn count_flit(&mut self, port: usize, event: Event, last: bool) {
        if let Some(values) = self.values.get_mut(port) {
            let [flits, packets] = [event as usize, event as usize + 1];
            values[flits] = values[flits].wrapping_add(1);
            values[packets] = values[packets].wrapping_add(u32::from(last));
        }
    }

    pub fn count_drop(&mut self, port: usize, cause: DropCause) {
        self.count(port, cause.event());
        self.dropped = self.dropped.wrapping_add(1);
    }

    /// Packets dropped since the model was made.
    pub fn dropped(&self) -> u32 {
        self.dropped
    }
}
