//! Event counters of the core ports (section 4, COUNTERS).

use super::CoreShape;

/// Counters of a core port, in the order of their addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(usize)]
pub enum CorePortCounter {
    RxFlits,
    RxPackets,
    TxFlits,
    TxPackets,
    StallCycles,
    NoRoute,
    UTurn,
    LinkDown,
    LinkDownAtOutput,
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
    fn counter(self) -> CorePortCounter {
        match self {
            DropCause::NoRoute => CorePortCounter::NoRoute,
            DropCause::UTurn => CorePortCounter::UTurn,
            DropCause::LinkDown => CorePortCounter::LinkDown,
            DropCause::LinkDownAtOutput => CorePortCounter::LinkDownAtOutput,
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
    pub fn new(shape: &CoreShape) -> Counters {
        Counters {
            enabled: shape.counters,
            values: vec![[0; CORE_PORT_COUNTERS]; shape.ports],
        }
    }

    pub fn reset(&mut self) {
        self.values.fill([0; CORE_PORT_COUNTERS]);
    }

    pub fn read(&self, port: usize, counter: usize) -> u32 {
        self.values[port][counter]
    }

    #[inline]
    pub fn count(&mut self, port: usize, counter: CorePortCounter) {
        if self.enabled {
            let value = &mut self.values[port][counter as usize];
            *value = value.wrapping_add(1);
        }
    }

    /// A flit, and a packet when it is its last: two neighbouring counters.
    #[inline]
    pub fn count_flit(&mut self, port: usize, flits: CorePortCounter, last: bool) {
        if self.enabled {
            let values = &mut self.values[port];
            values[flits as usize] = values[flits as usize].wrapping_add(1);
            values[flits as usize + 1] = values[flits as usize + 1].wrapping_add(u32::from(last));
        }
    }

    pub fn count_drop(&mut self, port: usize, cause: DropCause) {
        self.count(port, cause.counter());
    }
}
