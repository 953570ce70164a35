//! What hosts saw between two changes of a network.

use serde::Serialize;

use crate::measure::Latencies;
use mkns_traffic::Created;

/// Whether routes avoid all that has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Nothing has failed.
    Whole,
    /// Routes lead to parts that have failed.
    Failed,
    /// They avoid all failed parts.
    LedRound,
    /// They avoid all failed parts, and some pairs of hosts that work have no route.
    PairsCut,
}

/// Cycles from one change to the next.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FailurePeriod {
    /// First cycle, and the one after the last.
    pub from: u64,
    pub to: u64,
    pub state: State,
    /// Hosts whose blocks and ports work.
    pub hosts: usize,
    /// Pairs of working hosts that have no route; not known while routes lead to parts that have failed.
    pub pairs_without_route: Option<u64>,
    /// Flits created per working host and cycle, and the part of them without a route, which is not sent.
    pub offered_load: f64,
    pub load_without_route: f64,
    /// Flits delivered per working host and cycle.
    pub accepted_load: f64,
    /// Cycles from the creation of a packet to its last beat at the host, over the packets delivered.
    pub latency_mean: f64,
    pub latency_p99: u64,
    /// Blocks on the way of a packet.
    pub hops_mean: f64,
    /// Packets delivered.
    pub packets: u64,
    /// Packets that hosts began to send, and how many of these never arrived whole, marked bad or not at all.
    pub sent: u64,
    pub lost: u64,
}

/// The sums of a period that goes on.
#[derive(Debug, Default)]
pub struct Sums {
    pub latencies: Latencies,
    pub flits: u64,
    pub created: Created,
    /// Last flits that reached hosts, and the blocks that they passed.
    pub arrived: u64,
    pub blocks: u64,
}

impl Sums {
    /// The period from `from` to `to`; what was sent is known later.
    pub fn period(
        &self,
        (from, to): (u64, u64),
        state: State,
        hosts: usize,
        cut: u64,
    ) -> FailurePeriod {
        let host_cycles = (hosts as u64 * (to - from)).max(1) as f64;
        FailurePeriod {
            from,
            to,
            state,
            hosts,
            pairs_without_route: (state != State::Failed).then_some(cut),
            offered_load: self.created.flits as f64 / host_cycles,
            load_without_route: self.created.flits_without_route as f64 / host_cycles,
            accepted_load: self.flits as f64 / host_cycles,
            latency_mean: self.latencies.mean(),
            latency_p99: self.latencies.percentile(0.99),
            hops_mean: self.blocks as f64 / self.arrived.max(1) as f64,
            packets: self.latencies.packets(),
            sent: 0,
            lost: 0,
        }
    }
}
