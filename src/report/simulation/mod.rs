//! Results of `mkns sim` as text and JSON; its CSV form, remarks and units are in files of their own.

use std::fmt::Write as _;

use serde::Serialize;

use mkns_simulation::measure::Summary;

mod columns;
mod records;
mod remarks;
mod trace_use;
mod units;

use columns::cycles;
pub use records::{flows_csv, links_csv};
pub use trace_use::TraceUse;
pub use units::{ByClock, PointByClock, Units};

/// A simulation of one network at one or several loads.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Simulation {
    pub spec: String,
    pub traffic: String,
    pub injection: String,
    /// Shortest and longest packet.
    pub packet_flits: (u32, u32),
    pub blocks: usize,
    pub hosts: usize,
    /// Ordered pairs of hosts, those with themselves too, that failed parts leave without a route. What hosts create for
    /// them counts as offered and never as accepted.
    pub pairs_without_route: u64,
    pub seed: u64,
    /// How much of a trace was simulated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trace: Option<TraceUse>,
    /// The one point of a simulation at one load, beside the other fields.
    #[serde(flatten)]
    pub single: Option<Summary>,
    pub points: Vec<Summary>,
    /// What the network delivers at most, of several loads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub saturation: Option<SaturationFigure>,
    /// Loads and latencies in Gb/s and ns, where a clock is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<ByClock>,
}

/// Where a sweep ends.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SaturationFigure {
    /// Greatest load that was delivered, flits per host and cycle.
    pub throughput: f64,
    /// Least load, flits created per host and cycle, of which not all was delivered; none where all was, and the network
    /// may deliver more.
    pub saturated_load: Option<f64>,
}

impl SaturationFigure {
    /// Of several loads; a single one says nothing of the next.
    fn of(points: &[Summary]) -> Option<Self> {
        let accepted = points.iter().map(|point| point.accepted_load);
        let saturated = points.iter().filter(|point| point.saturated);
        let saturated = saturated.map(|point| point.offered_load);
        (points.len() > 1).then(|| Self {
            throughput: accepted.fold(0.0, f64::max),
            saturated_load: saturated.reduce(f64::min),
        })
    }
}

impl Simulation {
    /// The results at all loads; what was simulated is to be filled in.
    pub fn of(points: Vec<Summary>, clock_mhz: Option<f64>, flit_bits: u32) -> Self {
        let units = clock_mhz.map(|clock_mhz| Units {
            clock_mhz,
            flit_bits,
        });
        Self {
            single: (points.len() == 1).then(|| points[0].clone()),
            saturation: SaturationFigure::of(&points),
            clock: units.map(|units| ByClock {
                points: points.iter().map(|point| units.point(point)).collect(),
                units,
            }),
            points,
            ..Self::default()
        }
    }

    /// One line for each load.
    pub fn table(&self) -> String {
        let flits = packet_length(self.packet_flits);
        let mut text = format!(
            "{}: {} blocks, {} hosts; {} traffic, {} injection, packets of {flits} flits, seed {}\n\
             loads in flits per host and cycle, latencies in cycles\n\
             offered  accepted   latency mean         p50     p99     max   hops  packets\n",
            self.spec, self.blocks, self.hosts, self.traffic, self.injection, self.seed,
        );
        for point in &self.points {
            let confidence = point.confidence.as_ref();
            let spread = confidence.map_or_else(String::new, |confidence| {
                format!("±{:.2}", confidence.latency_mean)
            });
            let _ = writeln!(
                text,
                "{:7.4}  {:8.4}  {:>8.2} {spread:<8} {:>6} {:>7} {:>7} {:>6.3} {:>8}{}",
                point.offered_load,
                point.accepted_load,
                point.latency_mean,
                cycles(point.latency_p50),
                cycles(point.latency_p99),
                point.latency_max,
                point.hops_mean,
                point.packets,
                if point.saturated { "  saturated" } else { "" }
            );
        }
        let clock = self.clock.as_ref().map_or_else(String::new, ByClock::text);
        text + &self.saturation_text() + &self.remarks() + &clock
    }

    /// What the numbers leave out.
    fn remarks(&self) -> String {
        let trace = self.trace.map(|trace| format!("{trace}\n"));
        let lost = remarks::lost(&self.points);
        let choices = remarks::choices(&self.points);
        let lines = [
            trace,
            self.unrouted_text(),
            lost,
            self.to_self_text(),
            choices,
        ];
        let points = self.points.iter().filter_map(remarks::doubts);
        lines.into_iter().flatten().chain(points).collect()
    }

    /// The pairs without a route, where there are some.
    pub fn unrouted_text(&self) -> Option<String> {
        remarks::unrouted(&self.points, self.pairs_without_route, self.hosts)
    }

    /// What goes back to the hosts that send it, where something does.
    pub fn to_self_text(&self) -> Option<String> {
        remarks::to_self(&self.points)
    }

    fn saturation_text(&self) -> String {
        match self.saturation {
            None => String::new(),
            Some(SaturationFigure {
                throughput,
                saturated_load: Some(load),
            }) => format!(
                "saturation: {throughput:.3} delivered at most, saturated from {load:.3} on\n"
            ),
            Some(SaturationFigure { throughput, .. }) => {
                let what = match self.pairs_without_route {
                    0 => "all that was offered",
                    _ => "all that has a route",
                };
                format!("saturation: above {throughput:.3}, {what} is delivered\n")
            }
        }
    }

    /// The table, and how fast it was made.
    pub fn text(&self) -> String {
        let mut text = self.table();
        for point in &self.points {
            let _ = writeln!(
                text,
                "load {:.3}: {:.4} to {:.4} accepted per host, {:.2} million router-cycles per second, set up in {:.2} s, \
                 {:.0} bytes of state and {:.0} of buffers per router, {} cycles of warm-up",
                point.offered_load,
                point.accepted_load_least,
                point.accepted_load_most,
                point.router_cycles_per_second / 1e6,
                point.set_up_seconds,
                point.state_bytes_per_router,
                point.buffer_bytes_per_router,
                point.warm_up_cycles,
            );
        }
        text
    }

    /// One line for each load, with a head.
    pub fn csv(&self) -> String {
        columns::csv(&self.points, self.clock.as_ref(), self.pairs_without_route)
    }
}

/// Words for the flits of the shortest and the longest packet.
pub fn packet_length((shortest, longest): (u32, u32)) -> String {
    if shortest == longest {
        shortest.to_string()
    } else {
        format!("{shortest} to {longest}")
    }
}
