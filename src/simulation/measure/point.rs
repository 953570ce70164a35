//! What a simulation measures at one load with one seed.

use serde::Serialize;

use crate::choices::Choices;
use mkns_topology::End;

/// What was measured with one seed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Point {
    pub offered_load: f64,
    pub accepted_load: f64,
    /// The parts of the offered load that had no route, and that went back to the host that created it.
    pub load_without_route: f64,
    pub load_to_self: f64,
    /// The least and the greatest accepted load of a host, of those that created packets in the measured cycles.
    pub accepted_load_least: f64,
    pub accepted_load_most: f64,
    pub latency_mean: f64,
    pub latency_min: u64,
    pub latency_p50: u64,
    pub latency_p99: u64,
    pub latency_max: u64,
    pub hops_mean: f64,
    /// Packets delivered in the measured cycles.
    pub packets: u64,
    /// Packets created in the whole run, those of them that have no route, and those that had not arrived at its end.
    pub created_packets: u64,
    pub packets_without_route: u64,
    pub packets_under_way: u64,
    /// Packets that blocks dropped in the whole run: an entry of a table leads nowhere, or a link is down.
    pub packets_lost: u64,
    /// What headers took in adaptive blocks in the measured cycles; none where there is no such block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choices: Option<Choices>,
    pub warm_up_cycles: u64,
    pub cycles: u64,
    /// Latencies had settled before the measurement, as far as it shows.
    pub settled: bool,
    /// So few cycles were measured that the packets under way at their end count.
    pub short: bool,
    pub saturated: bool,
    pub router_cycles_per_second: f64,
    /// Seconds to build the model.
    pub set_up_seconds: f64,
    /// Bytes of model state and of buffers for each router, at the end.
    pub state_bytes_per_router: f64,
    pub buffer_bytes_per_router: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flows: Vec<FlowRecord>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<LinkRecord>,
}

/// Packets from one host to another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FlowRecord {
    pub source: u32,
    pub destination: u32,
    pub packets: u64,
    pub flits: u64,
    pub latency_mean: f64,
    pub latency_min: u64,
    pub latency_max: u64,
}

/// One direction of a cable.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LinkRecord {
    pub from: End,
    pub to: End,
    pub dimension: u8,
    /// Flits per cycle.
    pub load: f64,
}
