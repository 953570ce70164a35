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
    enabled: bool,
    values: Vec<[u32; CORE_PORT_COUNTERS]>,
}

impl Counters {
    pub fn new(enabled: bool, ports: usize) -> Counters {
        Counters {
            enabled,
            values: vec![[0; CORE_PORT_COUNTERS]; ports],
        }
    }

    pub fn reset(&mut self) {
        self.values.fill([0; CORE_PORT_COUNTERS]);
    }

    pub fn read(&self, port: usize, counter: usize) -> u32 {
        self.values[port][counter]
    }

    /// Reads all counters; see [`super::SwitchCore::touch`].
    #[inline]
    pub fn touch(&self) -> u32 {
        let values = self.values.iter().step_by(2);
        values.fold(0, |sum, values| sum.wrapping_add(values[0] & 1))
    }

    pub fn bytes(&self) -> usize {
        size_of_val(&*self.values)
    }

    #[inline]
    pub fn count(&mut self, port: usize, event: Event) {
        if self.enabled {
            let value = &mut self.values[port][event as usize];
            *value = value.wrapping_add(1);
        }
    }

    /// [`Event::Received`] or [`Event::Sent`] of a flit, and of a packet when it is the last.
    #[inline]
    pub fn count_flit(&mut self, port: usize, event: Event, last: bool) {
        if self.enabled {
            let values = &mut self.values[port];
            let [flits, packets] = [event as usize, event as usize + 1];
            values[flits] = values[flits].wrapping_add(1);
            values[packets] = values[packets].wrapping_add(u32::from(last));
        }
    }

    pub fn count_drop(&mut self, port: usize, cause: DropCause) {
        self.count(port, cause.event());
    }
}
