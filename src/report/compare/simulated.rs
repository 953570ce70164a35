//! Networks beside each other: what they cost and what they do under traffic, which the papers'
//! tables leave out.

use serde::Serialize;

use crate::report::simulation::{Simulation, packet_length};
use crate::spec::NetworkSpec;
use crate::topology::formulas::Quantity;
use crate::topology::metrics;

/// Networks of 160 compute modules, two a node, of ten-port blocks.
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
    pub networks: Vec<Row>,
}

/// One network.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    pub network: String,
    /// Compute modules.
    pub hosts: usize,
    pub adapter_blocks: u64,
    pub switch_blocks: u64,
    /// Network ports of all blocks, used or not.
    pub ports: u64,
    pub cables: u64,
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
}

impl Row {
    /// Of a simulation with at least one load.
    pub fn new(spec: &NetworkSpec, simulation: &Simulation) -> Self {
        let count = |quantity| metrics::measured(spec, quantity).value;
        let points = &simulation.points;
        let by_throughput = points
            .iter()
            .max_by(|a, b| a.accepted_load.total_cmp(&b.accepted_load));
        let best = by_throughput.expect("a simulation has a point");
        let least = &points[0];
        Self {
            network: simulation.spec.clone(),
            hosts: simulation.hosts,
            adapter_blocks: count(Quantity::AdapterBlocks),
            switch_blocks: count(Quantity::SwitchBlocks),
            ports: count(Quantity::Ports),
            cables: count(Quantity::Cables),
            least_load: least.offered_load,
            latency_mean: least.latency_mean,
            latency_p99: least.latency_p99,
            hops_mean: least.hops_mean,
            throughput: best.accepted_load,
            latency_mean_95: least.confidence.map(|half| half.latency_mean),
            throughput_95: best.confidence.map(|half| half.accepted_load),
            saturated: points.iter().any(|point| point.saturated),
        }
    }
}

impl Comparison {
    /// One line a network; there is at least one.
    pub fn to_text(&self) -> String {
        let mut out = format!(
            "{} traffic, packets of {} flits; latencies in cycles at the least load,\n\
             throughput in flits per host and cycle\n\n  \
             {:<22}{:>6}{:>8}{:>9}{:>7}{:>8}{:>10}{:>8}{:>7}  throughput\n",
            self.traffic,
            packet_length(self.packet_flits),
            "network",
            "hosts",
            "blocks",
            "ports",
            "cables",
            "hops",
            "latency",
            "p99",
            "load",
        );
        for row in &self.networks {
            let half = |value: Option<f64>, digits: usize| {
                value.map_or_else(String::new, |value| format!(" ±{value:.digits$}"))
            };
            out += &format!(
                "  {:<22}{:>6}{:>8}{:>9}{:>7}{:>8.3}{:>10.2}{:>8.1}{:>7.3}  {}{:.3}{}{}\n",
                row.network,
                row.hosts,
                row.adapter_blocks + row.switch_blocks,
                row.ports,
                row.cables,
                row.hops_mean,
                row.latency_mean,
                row.latency_p99,
                row.least_load,
                if row.saturated { "" } else { "≥ " },
                row.throughput,
                half(row.throughput_95, 3),
                match row.latency_mean_95 {
                    Some(_) => format!("; latency{}", half(row.latency_mean_95, 2)),
                    None => String::new(),
                },
            );
        }
        out + "\nLUTs of a block, by yosys (minutes): \
               mkns bench --rtl SPEC --block switch|adapter --seeds 0 --no-xilinx\n"
    }
}
