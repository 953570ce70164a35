//! Sums over the measured cycles of a simulation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::batches::Batches;
use super::latencies::Latencies;
use super::point::FlowRecord;
use crate::choices::Choices;
use crate::ranks::RankCommunicator;
use mkns_traffic::Created;

/// Sums over the measured cycles.
#[derive(Debug, Default)]
pub struct Window {
    pub latencies: Latencies,
    pub delivered_flits: u64,
    pub created: Created,
    /// What was created in the whole run, and packets of it that had not arrived at its end.
    pub run: Created,
    pub open_packets: u64,
    /// Packets that blocks dropped in the measured cycles and in the whole run.
    pub lost_packets: u64,
    pub lost_in_run: u64,
    /// What headers took in adaptive blocks.
    pub choices: Choices,
    /// Those that had not arrived before the measured cycles.
    pub open_before: u64,
    /// Cycle after the last delivery.
    pub last_delivery: u64,
    pub batches: Batches,
    /// The fewest and the most flits of a host that arrived, of those hosts that created some.
    pub accepted: (u64, u64),
    pub arrived_packets: u64,
    pub blocks: u64,
    flows: BTreeMap<(u32, u32), Flow>,
    /// By block and port.
    pub link_flits: BTreeMap<u32, Vec<u32>>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
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
    /// Sums over all ranks, on every rank; not of flows and links.
    pub fn sum(&mut self, ranks: &dyn RankCommunicator) {
        self.latencies.sum(ranks);
        for created in [&mut self.created, &mut self.run] {
            sum_each(ranks, created.numbers());
        }
        let numbers = [
            &mut self.delivered_flits,
            &mut self.arrived_packets,
            &mut self.blocks,
            &mut self.open_packets,
            &mut self.open_before,
            &mut self.lost_packets,
            &mut self.lost_in_run,
            &mut self.choices.adaptive,
            &mut self.choices.escape,
            &mut self.choices.detours,
        ];
        sum_each(ranks, numbers);
        self.last_delivery = ranks.greatest(self.last_delivery);
        self.batches.sum(ranks);
        let (least, most) = self.accepted;
        let least = u64::MAX - ranks.greatest(u64::MAX - least);
        let most = ranks.greatest(most);
        self.accepted = (if least == u64::MAX { 0 } else { least }, most);
    }

    /// Flows and links of all ranks, on rank 0; no others see either.
    pub fn gather(&mut self, ranks: &dyn RankCommunicator) {
        let own = serde_json::to_vec(&(&self.link_flits, self.flows.iter().collect::<Vec<_>>()));
        let all = ranks.gather(own.expect("numbers in lists"));
        (self.flows, self.link_flits) = Default::default();
        for theirs in all {
            type Theirs = (BTreeMap<u32, Vec<u32>>, Vec<((u32, u32), Flow)>);
            let theirs: Theirs =
                serde_json::from_slice(&theirs).expect("what another rank has written");
            self.link_flits.extend(theirs.0);
            // A flow is on the rank of its source alone.
            self.flows.extend(theirs.1);
        }
    }

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

/// Makes each number its sum over all ranks.
fn sum_each<const N: usize>(ranks: &dyn RankCommunicator, numbers: [&mut u64; N]) {
    let mut sums = numbers.each_ref().map(|number| **number);
    ranks.sum(&mut sums);
    for (number, sum) in numbers.into_iter().zip(sums) {
        *number = sum;
    }
}
