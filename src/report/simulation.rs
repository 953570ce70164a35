//! Results of `mkns sim` as text, JSON and CSV.

use std::fmt::Write as _;

use serde::Serialize;

use mkns_simulation::measure::{Confidence, Point, Summary};
use mkns_topology::{End, Network};

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
    pub seed: u64,
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

    /// Gb/s of a host that sends or takes so many flits a cycle.
    pub fn gbps(&self, load: f64) -> f64 {
        load * f64::from(self.flit_bits) * self.clock_mhz / 1e3
    }

    fn point(&self, point: &Summary) -> PointByClock {
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

/// A column of the CSV form.
type Column = (&'static str, fn(&Summary) -> String);

const COLUMNS: [Column; 16] = [
    ("offered_load", |point| format!("{:.6}", point.offered_load)),
    ("accepted_load", |point| {
        format!("{:.6}", point.accepted_load)
    }),
    ("accepted_load_95", |point| half(point, |c| c.accepted_load)),
    ("latency_mean", |point| format!("{:.4}", point.latency_mean)),
    ("latency_mean_95", |point| half(point, |c| c.latency_mean)),
    ("latency_p50", |point| cycles(point.latency_p50)),
    ("latency_p99", |point| cycles(point.latency_p99)),
    ("latency_max", |point| point.latency_max.to_string()),
    ("hops_mean", |point| format!("{:.4}", point.hops_mean)),
    ("hops_mean_95", |point| half(point, |c| c.hops_mean)),
    ("packets", |point| point.packets.to_string()),
    ("warm_up_cycles", |point| point.warm_up_cycles.to_string()),
    ("cycles", |point| point.cycles.to_string()),
    ("seeds", |point| point.seeds.to_string()),
    ("saturated", |point| point.saturated.to_string()),
    ("router_cycles_per_second", |point| {
        format!("{:.0}", point.router_cycles_per_second)
    }),
];

/// Half width of an interval; empty for a single seed.
fn half(point: &Summary, of: fn(&Confidence) -> f64) -> String {
    let confidence = point.confidence.as_ref();
    confidence.map_or_else(String::new, |confidence| format!("{:.6}", of(confidence)))
}

/// A column of the CSV form that only a clock gives.
type ClockColumn = (&'static str, fn(&PointByClock) -> f64);

const CLOCK_COLUMNS: [ClockColumn; 6] = [
    ("offered_gbps", |point| point.offered_gbps),
    ("accepted_gbps", |point| point.accepted_gbps),
    ("latency_mean_ns", |point| point.latency_mean_ns),
    ("latency_p50_ns", |point| point.latency_p50_ns),
    ("latency_p99_ns", |point| point.latency_p99_ns),
    ("latency_max_ns", |point| point.latency_max_ns),
];

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
        text + &self.saturation_text() + &self.clock_text()
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
                format!("saturation: above {throughput:.3}, all that was offered is delivered\n")
            }
        }
    }

    /// The table in Gb/s and ns.
    fn clock_text(&self) -> String {
        let Some(ByClock { units, points }) = &self.clock else {
            return String::new();
        };
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

    /// The table, and how fast it was made.
    pub fn text(&self) -> String {
        let mut text = self.table();
        for point in &self.points {
            let _ = writeln!(
                text,
                "load {:.3}: {:.2} million router-cycles per second, set up in {:.2} s, \
                 {:.0} bytes of state and {:.0} of buffers a router, {} cycles of warm-up",
                point.offered_load,
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
        let names = COLUMNS.iter().map(|(name, _)| *name);
        let by_clock = self.clock.as_ref().map_or(&[][..], |clock| &clock.points);
        let clock_names = CLOCK_COLUMNS.iter().map(|(name, _)| *name);
        let clock_names = clock_names.filter(|_| self.clock.is_some());
        let names: Vec<&str> = names.chain(clock_names).collect();
        let mut text = names.join(",") + "\n";
        for (at, point) in self.points.iter().enumerate() {
            let values = COLUMNS.iter().map(|(_, value)| value(point));
            let clocked = by_clock.get(at).into_iter();
            let clocked = clocked.flat_map(|point| {
                CLOCK_COLUMNS
                    .iter()
                    .map(|(_, value)| format!("{:.4}", value(point)))
            });
            let values: Vec<String> = values.chain(clocked).collect();
            text += &(values.join(",") + "\n");
        }
        text
    }
}

/// A percentile, which over several seeds is a mean: with one digit behind the point if it needs one.
fn cycles(percentile: f64) -> String {
    let rounded = (percentile * 10.0).round() / 10.0;
    rounded.to_string()
}

/// Words for the flits of the shortest and the longest packet.
pub fn packet_length((shortest, longest): (u32, u32)) -> String {
    if shortest == longest {
        shortest.to_string()
    } else {
        format!("{shortest} to {longest}")
    }
}

/// What every flow saw; points with their load and seed.
pub fn flows_csv(points: impl Iterator<Item = (f64, u64, Point)>) -> String {
    let mut text = String::from(
        "load,seed,source,destination,packets,flits,latency_mean,latency_min,latency_max\n",
    );
    for (load, seed, point) in points {
        for flow in &point.flows {
            let _ = writeln!(
                text,
                "{load:.4},{seed},{},{},{},{},{:.3},{},{}",
                flow.source,
                flow.destination,
                flow.packets,
                flow.flits,
                flow.latency_mean,
                flow.latency_min,
                flow.latency_max,
            );
        }
    }
    text
}

/// The load of every link in flits per cycle, both directions of each cable in their order.
pub fn links_csv(network: &Network, points: impl Iterator<Item = (f64, u64, Point)>) -> String {
    let mut text = String::from("load,seed,from,from_port,to,to_port,dimension,link_load\n");
    let name = |end: End| &network.block(end.block).name;
    for (load, seed, point) in points {
        for link in &point.links {
            let _ = writeln!(
                text,
                "{load:.4},{seed},{},{},{},{},{},{:.6}",
                name(link.from),
                link.from.port.0,
                name(link.to),
                link.to.port.0,
                link.dimension,
                link.load,
            );
        }
    }
    text
}
