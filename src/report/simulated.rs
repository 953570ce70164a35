//! Networks beside each other: what they cost and what they do under traffic.

use serde::Serialize;

use crate::simulation::{Simulation, packet_length};
use mkns_spec::NetworkSpec;
use mkns_topology::formulas::Quantity;
use mkns_topology::metrics;

/// Networks of 160 hosts, two a node, of ten-port blocks.
pub const DEFAULT_NETWORKS: [&str; 4] = [
    "MKNS(2,8x10,2,1)",
    "KNS(8x10,2)",
    "torus(4x4x5,2)",
    "fat_tree(5x4x4,2)",
];

/// All networks, simulated at the same loads.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    pub traffic: String,
    /// Shortest and longest packet.
    pub packet_flits: (u32, u32),
    pub networks: Vec<SimulatedNetwork>,
}

/// One network.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SimulatedNetwork {
    pub network: String,
    /// Hosts.
    pub hosts: usize,
    /// Ordered pairs of hosts that failed parts leave without a route: their load is offered and never accepted.
    pub pairs_without_route: u64,
    /// The part of the offered load at the least load that goes back to its sender.
    pub share_to_self: f64,
    pub adapter_blocks: u64,
    pub switch_blocks: u64,
    /// Network ports of all blocks, used or not.
    pub ports: u64,
    pub cables: u64,
    /// Logic cells of all blocks on an ECP5 as Yosys counts them (LUT4 + 2·CCU2C + 4·DPR16X4), where
    /// they were synthesised.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comb: Option<u64>,
    /// The least load that was simulated, flits created per host and cycle, and latencies there, cycles.
    pub least_load: f64,
    pub latency_mean: f64,
    pub latency_p99: f64,
    /// Blocks on the way of a packet.
    pub hops_mean: f64,
    /// Greatest load that the network delivered, flits per host and cycle.
    pub throughput: f64,
    /// Half widths of 95 % confidence intervals, with several seeds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_mean_95: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throughput_95: Option<f64>,
    /// Hosts created more than that; otherwise the network may deliver still more.
    pub saturated: bool,
    /// Latency in ns and throughput in Gb/s per host, where a clock is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency_mean_ns: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub throughput_gbps: Option<f64>,
}

impl SimulatedNetwork {
    /// Of a simulation with at least one load, and the logic cells where they are known.
    pub fn new(spec: &NetworkSpec, simulation: &Simulation, comb: Option<u64>) -> Self {
        let count = |quantity| metrics::measured(spec, quantity).value;
        let points = &simulation.points;
        let by_throughput = points
            .iter()
            .max_by(|a, b| a.accepted_load.total_cmp(&b.accepted_load));
        let best = by_throughput.expect("a simulation has a point");
        let least = &points[0];
        let units = simulation.clock.as_ref().map(|clock| clock.units);
        Self {
            network: simulation.spec.clone(),
            hosts: simulation.hosts,
            pairs_without_route: simulation.pairs_without_route,
            share_to_self: least.load_to_self / least.offered_load,
            adapter_blocks: count(Quantity::AdapterBlocks),
            switch_blocks: count(Quantity::SwitchBlocks),
            ports: count(Quantity::Ports),
            cables: count(Quantity::Cables),
            comb,
            least_load: least.offered_load,
            latency_mean: least.latency_mean,
            latency_p99: least.latency_p99,
            hops_mean: least.hops_mean,
            throughput: best.accepted_load,
            latency_mean_95: least.confidence.map(|half| half.latency_mean),
            throughput_95: best.confidence.map(|half| half.accepted_load),
            saturated: points.iter().any(|point| point.saturated),
            latency_mean_ns: units.map(|units| units.nanoseconds(least.latency_mean)),
            throughput_gbps: units.map(|units| units.gbps(best.accepted_load)),
        }
    }

    /// Columns that a clock adds.
    fn by_clock(&self) -> String {
        match (self.latency_mean_ns, self.throughput_gbps) {
            (Some(latency), Some(throughput)) => format!("{latency:>12.1}{throughput:>10.2}"),
            _ => String::new(),
        }
    }

    fn cells(&self) -> [String; 10] {
        let half = |value: Option<f64>, digits: usize| {
            value.map_or_else(String::new, |value| format!(" ±{value:.digits$}"))
        };
        let bound = if self.saturated { "" } else { "≥ " };
        let (latency, throughput) = (half(self.latency_mean_95, 1), half(self.throughput_95, 3));
        [
            self.network.clone(),
            self.hosts.to_string(),
            (self.adapter_blocks + self.switch_blocks).to_string(),
            self.ports.to_string(),
            self.cables.to_string(),
            self.comb.map_or("–".to_owned(), |comb| comb.to_string()),
            format!("{:.3}", self.hops_mean),
            format!("{:.1}{latency}", self.latency_mean),
            format!("{:.0}", self.latency_p99),
            format!("{bound}{:.3}{throughput}", self.throughput),
        ]
    }
}

impl Comparison {
    /// Of simulations of the same traffic, at least one, and their networks.
    pub fn new(simulations: &[Simulation], networks: Vec<SimulatedNetwork>) -> Self {
        Self {
            traffic: simulations[0].traffic.clone(),
            packet_flits: simulations[0].packet_flits,
            networks,
        }
    }

    /// One line per network; there is at least one.
    pub fn to_text(&self) -> String {
        let mut out = format!(
            "{} traffic, packets of {} flits; latencies in cycles at load {:.3},\n\
             throughput in flits per host and cycle\n\n",
            self.traffic,
            packet_length(self.packet_flits),
            self.networks[0].least_load,
        );
        let head = [
            "network",
            "hosts",
            "blocks",
            "ports",
            "cables",
            "COMB",
            "hops",
            "latency",
            "p99",
            "throughput",
        ];
        let names = self.networks.iter().map(|row| row.network.chars().count());
        let first = names.max().unwrap_or(0).max(WIDTHS[0]);
        let has_clock = self
            .networks
            .iter()
            .any(|row| row.latency_mean_ns.is_some());
        let clock_head = if has_clock {
            "  latency ns      Gb/s"
        } else {
            ""
        };
        out += &(line(first, &head.map(str::to_owned)) + clock_head + "\n");
        for row in &self.networks {
            out += &(line(first, &row.cells()) + &row.by_clock() + "\n");
        }
        out += &self.remarks();
        if self.networks.iter().all(|row| row.comb.is_none()) {
            out += "\nCOMB, logic cells of all blocks: --synthesis (Yosys, minutes for each kind of block)\n";
        }
        out
    }

    /// What the numbers leave out.
    fn remarks(&self) -> String {
        let line = |row: &SimulatedNetwork| {
            let cut = (row.pairs_without_route > 0).then(|| {
                let all = (row.hosts as u64).pow(2);
                let pairs = row.pairs_without_route;
                format!(
                    "{pairs} of {all} pairs of hosts have no route and their load is never accepted"
                )
            });
            let own = (row.share_to_self > 0.0).then(|| {
                format!(
                    "{:.1} % of the load goes back to its sender",
                    100.0 * row.share_to_self
                )
            });
            let facts: Vec<String> = [cut, own].into_iter().flatten().collect();
            (!facts.is_empty()).then(|| format!("  {}: {}\n", row.network, facts.join("; ")))
        };
        let lines: String = self.networks.iter().filter_map(line).collect();
        if lines.is_empty() {
            lines
        } else {
            format!("\n{lines}")
        }
    }
}

/// Least widths of the columns of the text; the first is flush left, and wider where names are.
const WIDTHS: [usize; 10] = [22, 6, 7, 7, 7, 9, 7, 12, 6, 15];

fn line(first: usize, cells: &[String; 10]) -> String {
    let first = format!("  {:<first$}", cells[0]);
    let others = cells.iter().zip(WIDTHS).skip(1);
    let others = others.map(|(cell, width)| format!("{cell:>width$}"));
    first + &others.collect::<String>()
}
