//! Sums over the measured cycles of a simulation.

use std::collections::BTreeMap;

use super::latencies::Latencies;
use super::point::FlowRecord;

/// Sums over the measured cycles.
#[derive(Debug, Default)]
pub struct Window {
    pub latencies: Latencies,
    pub delivered_flits: u64,
    pub created_flits: u64,
    pub arrived_packets: u64,
    pub blocks: u64,
    flows: BTreeMap<(u32, u32), Flow>,
    /// By block and port.
    pub link_flits: Vec<Vec<u32>>,
}

#[derive(Debug, Default)]
struct Flow {
    packets: u64,
    flits: u64,
    latency_sum: u64,
    latency_min: u64,
    latency_max: u64,
}

impl Flow {
    fn add(&mut self, latency: u64, flits: u32) {
        self.latency_min = if self.packets == 0 {
            latency
        } else {
            self.latency_min.min(latency)
        };
        self.latency_max = self.latency_max.max(latency);
        self.packets += 1;
        self.flits += u64::from(flits);
        self.latency_sum += latency;
    }
}

impl Window {
    /// Counts a packet of a flow, by source and destination.
    pub fn add_to_flow(&mut self, flow: (u32, u32), latency: u64, flits: u32) {
        self.flows.entry(flow).or_default().add(latency, flits);
    }

    pub fn flow_records(&self) -> Vec<FlowRecord> {
        let record = |(&(source, destination), flow): (&(u32, u32), &Flow)| FlowRecord {
            source,
            destination,
            packets: flow.packets,
            flits: flow.flits,
            latency_mean: flow.latency_sum as f64 / flow.packets as f64,
            latency_min: flow.latency_min,
            latency_max: flow.latency_max,
        };
        self.flows.iter().map(record).collect()
    }
}
