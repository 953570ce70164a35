//! Results of `mkns sim` as text, JSON and CSV.

use std::fmt::{self, Write as _};

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

    /// Gb/s of a host that sends or takes this many flits per cycle.
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

const COLUMNS: [Column; 23] = [
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
    ("load_without_route", |point| {
        format!("{:.6}", point.load_without_route)
    }),
    ("load_to_self", |point| format!("{:.6}", point.load_to_self)),
    ("accepted_load_least", |point| {
        format!("{:.6}", point.accepted_load_least)
    }),
    ("accepted_load_most", |point| {
        format!("{:.6}", point.accepted_load_most)
    }),
    ("settled", |point| point.settled.to_string()),
    ("short", |point| point.short.to_string()),
    ("packets_lost", |point| point.packets_lost.to_string()),
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
        text + &self.saturation_text() + &self.remarks() + &self.clock_text()
    }

    /// What the numbers leave out.
    fn remarks(&self) -> String {
        let trace = self.trace.map(|trace| format!("{trace}\n"));
        let lines = [
            trace,
            self.unrouted_text(),
            self.lost_text(),
            self.to_self_text(),
        ];
        let points = self.points.iter().filter_map(window_text);
        lines.into_iter().flatten().chain(points).collect()
    }

    /// The pairs without a route, where there are some.
    pub fn unrouted_text(&self) -> Option<String> {
        let pairs = self.pairs_without_route;
        let share = share(&self.points, |point| point.load_without_route);
        (pairs > 0).then(|| {
            format!(
                "{pairs} of {} pairs of hosts have no route: {share} of the offered load is for them and never accepted\n",
                (self.hosts as u64).pow(2)
            )
        })
    }

    /// The packets that blocks dropped, where there are some.
    fn lost_text(&self) -> Option<String> {
        let lost: u64 = self.points.iter().map(|point| point.packets_lost).sum();
        (lost > 0).then(|| format!("{lost} packets were lost: blocks dropped them on the way\n"))
    }

    /// What goes back to the hosts that send it, where something does.
    pub fn to_self_text(&self) -> Option<String> {
        let some = self.points.iter().any(|point| point.load_to_self > 0.0);
        let share = share(&self.points, |point| point.load_to_self);
        some.then(|| format!("{share} of the offered load goes back to the host that sends it\n"))
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
        let names = COLUMNS.iter().map(|(name, _)| *name);
        let by_clock = self.clock.as_ref().map_or(&[][..], |clock| &clock.points);
        let clock_names = CLOCK_COLUMNS.iter().map(|(name, _)| *name);
        let clock_names = clock_names.filter(|_| self.clock.is_some());
        let names = names.chain(["pairs_without_route"]);
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
            let values = values.chain([self.pairs_without_route.to_string()]);
            let values: Vec<String> = values.chain(clocked).collect();
            text += &(values.join(",") + "\n");
        }
        text
    }
}

/// A share of what was offered at all loads, in per cent.
fn share(points: &[Summary], of: fn(&Summary) -> f64) -> String {
    let offered: f64 = points.iter().map(|point| point.offered_load).sum();
    let part: f64 = points.iter().map(of).sum();
    format!("{:.1} %", 100.0 * part / offered.max(f64::MIN_POSITIVE))
}

/// What makes the numbers of a load doubtful.
fn window_text(point: &Summary) -> Option<String> {
    let (load, warm_up, cycles) = (point.offered_load, point.warm_up_cycles, point.cycles);
    let latency = point.latency_mean;
    let warm_up = (!point.settled && !point.saturated).then(|| {
        format!("load {load:.3}: the warm-up of {warm_up} cycles is too short, latencies had not settled\n")
    });
    let short = point.short.then(|| {
        format!(
            "load {load:.3}: {cycles} measured cycles are too few for a latency of {latency:.0}: raise `--cycles`\n"
        )
    });
    let text = [warm_up, short].into_iter().flatten().collect::<String>();
    (!text.is_empty()).then_some(text)
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

/// The load of a line, none where no load decides what is sent.
fn load_cell(load: Option<f64>) -> String {
    load.map_or_else(String::new, |load| format!("{load:.4}"))
}

/// What every flow saw; points with their load and seed.
pub fn flows_csv(points: impl Iterator<Item = (Option<f64>, u64, Point)>) -> String {
    let mut text = String::from(
        "load,seed,source,destination,packets,flits,latency_mean,latency_min,latency_max\n",
    );
    for (load, seed, point) in points {
        let load = load_cell(load);
        for flow in &point.flows {
            let _ = writeln!(
                text,
                "{load},{seed},{},{},{},{},{:.3},{},{}",
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
pub fn links_csv(
    network: &Network,
    points: impl Iterator<Item = (Option<f64>, u64, Point)>,
) -> String {
    let mut text = String::from("load,seed,from,from_port,to,to_port,dimension,link_load\n");
    let name = |end: End| &network.block(end.block).name;
    for (load, seed, point) in points {
        let load = load_cell(load);
        for link in &point.links {
            let _ = writeln!(
                text,
                "{load},{seed},{},{},{},{},{},{:.6}",
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
