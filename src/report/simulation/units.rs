//! Results of a simulation in nanoseconds and Gb/s, where a clock is given.

use std::fmt::Write as _;

use mkns_simulation::measure::Summary;
use serde::Serialize;

/// Results in ns and Gb/s.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ByClock {
    #[serde(flatten)]
    pub units: Units,
    /// In the order of the loads.
    pub points: Vec<PointByClock>,
}

/// What makes cycles nanoseconds, and flits per host and cycle Gb/s.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Units {
    pub clock_mhz: f64,
    pub flit_bits: u32,
}

/// One load: headers count, as they do in flits.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PointByClock {
    pub offered_gbps: f64,
    pub accepted_gbps: f64,
    pub latency_mean_ns: f64,
    pub latency_p50_ns: f64,
    pub latency_p99_ns: f64,
    pub latency_max_ns: f64,
}

impl Units {
    pub fn nanoseconds(&self, cycles: f64) -> f64 {
        cycles * 1e3 / self.clock_mhz
    }

    /// Gb/s of a host that sends or takes this many flits per cycle.
    pub fn gbps(&self, load: f64) -> f64 {
        load * f64::from(self.flit_bits) * self.clock_mhz / 1e3
    }

    pub(super) fn point(&self, point: &Summary) -> PointByClock {
        PointByClock {
            offered_gbps: self.gbps(point.offered_load),
            accepted_gbps: self.gbps(point.accepted_load),
            latency_mean_ns: self.nanoseconds(point.latency_mean),
            latency_p50_ns: self.nanoseconds(point.latency_p50),
            latency_p99_ns: self.nanoseconds(point.latency_p99),
            latency_max_ns: self.nanoseconds(point.latency_max as f64),
        }
    }
}

impl ByClock {
    /// The table in Gb/s and ns.
    pub(super) fn text(&self) -> String {
        let Self { units, points } = self;
        let mut text = format!(
            "at {} MHz, flits of {} bits: loads in Gb/s per host, latencies in ns\n\
             offered  accepted   latency mean         p50     p99     max\n",
            units.clock_mhz, units.flit_bits
        );
        for point in points {
            let _ = writeln!(
                text,
                "{:7.2}  {:8.2}  {:>8.1}          {:>6.0} {:>7.0} {:>7.0}",
                point.offered_gbps,
                point.accepted_gbps,
                point.latency_mean_ns,
                point.latency_p50_ns,
                point.latency_p99_ns,
                point.latency_max_ns,
            );
        }
        text
    }
}
