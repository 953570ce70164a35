//! How much of a trace a simulation used.

use std::fmt;

use mkns_simulation::measure::Point;
use serde::Serialize;

/// How much of a trace a simulation used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TraceUse {
    /// Of the file.
    pub packets: u64,
    /// Created before the end, by the file's cycles.
    pub created: u64,
    /// Arrived in the measured cycles.
    pub measured: u64,
    /// Without a route: their hosts do not send them.
    pub without_route: u64,
    /// Created and not arrived at the end.
    pub under_way: u64,
}

impl TraceUse {
    /// Of a trace of this many packets; it is run once.
    pub fn of(packets: u64, point: &Point) -> Self {
        Self {
            packets,
            created: point.created_packets,
            measured: point.packets,
            without_route: point.packets_without_route,
            under_way: point.packets_under_way,
        }
    }

    /// Whether the run ended before the trace did.
    pub fn is_cut(&self) -> bool {
        self.created < self.packets || self.under_way > 0
    }
}

impl fmt::Display for TraceUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            packets,
            created,
            measured,
            without_route,
            under_way,
        } = self;
        write!(
            f,
            "{created} of {packets} packets of the trace, {under_way} under way"
        )?;
        if *without_route > 0 {
            write!(f, ", {without_route} without a route")?;
        }
        match created - without_route - under_way - measured {
            0 => Ok(()),
            before => write!(f, ", {before} arrived before the measured cycles"),
        }
    }
}
