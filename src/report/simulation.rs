//! Results of `mkns sim` as text, JSON and CSV.

use std::fmt::Write as _;

use serde::Serialize;

use mkns_simulation::measure::{Confidence, Point, Summary};
use mkns_topology::{End, Network};

/// A simulation of one network at one or several loads.
#[derive(Debug, Clone, PartialEq, Serialize)]
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

impl Simulation {
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
        let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
        let mut text = names.join(",") + "\n";
        for point in &self.points {
            let values: Vec<String> = COLUMNS.iter().map(|(_, value)| value(point)).collect();
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
