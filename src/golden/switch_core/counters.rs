//! The counters and error bits of a core port (section 4).

use super::state::{Fate, Stage1, SwitchCore};
pub use crate::port_counters::{Counter, PortCounters};
use crate::{CoreEvents, Drop};

/// Why a header is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    NoRoute,
    UTurn,
    LinkDown,
}

/// Bit of ERRORS: a packet was thrown away at an output whose link is down.
pub(super) const ERROR_LINK_DOWN_AT_OUTPUT: u32 = 1 << 3;

impl Cause {
    fn counter(self) -> Counter {
        match self {
            Self::NoRoute => Counter::NoRoute,
            Self::UTurn => Counter::UTurn,
            Self::LinkDown => Counter::LinkDown,
        }
    }

    /// Bit of ERRORS.
    fn error(self) -> u32 {
        match self {
            Self::NoRoute => 1 << 0,
            Self::UTurn => 1 << 1,
            Self::LinkDown => 1 << 2,
        }
    }
}

impl SwitchCore {
    /// Counter c of a port.
    pub fn counter(&self, port: usize, c: usize) -> u32 {
        self.counters[port].value(c)
    }

    /// Counts what is in stage 1: flits that came by the link, and headers that are dropped.
    pub(super) fn count_stage1(&mut self, events: &mut CoreEvents) {
        for (port, stage1) in self.stage1.iter().enumerate() {
            let Some(Stage1 { flit, fate }) = stage1 else {
                continue;
            };
            if matches!(fate, Fate::MadeUpTo(_) | Fate::Lost) {
                continue;
            }
            let counters = &mut self.counters[port];
            counters.count_received(flit.last);
            if let Fate::Dropped(Some(cause)) = fate {
                counters.count(cause.counter());
                events.errors |= cause.error();
                let header = flit.data.low();
                events.first_drop.get_or_insert(Drop { port, header });
            }
        }
    }
}
