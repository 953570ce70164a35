//! What hosts send: where packets go, when they are created, how long they are. `sim`, `cosim` and `bench` share the
//! patterns.
//!
//! In a simulation each host ([`Source`]) has a stream of random numbers of its own, so that the traffic depends on the
//! seed alone and not on the order in which hosts are asked. The hosts of a lockstep ([`HostPackets`]) draw payloads to
//! the byte, and what they sent can be listed and sent again. Only [`SourceOnPins`] knows pins.

mod addresses;
mod created;
mod destinations;
mod failures;
mod host_packets;
mod injection;
mod lengths;
mod numbers;
mod offered_packets;
mod outside;
mod partners;
mod pattern;
mod source;
mod source_on_pins;
mod trace;

pub use addresses::Addresses;
pub use created::Created;
pub use destinations::Destinations;
pub use host_packets::{Demand, HostPackets};
pub use injection::{Injection, PlannedPacket};
pub use lengths::Lengths;
pub use offered_packets::{OfferedPackets, SHORTEST_PAYLOAD, SentPacket};
pub use outside::{
    ControlAccess, EXCHANGE_CYCLES, NetworkSide, OutsideHosts, OutsidePacket, OutsideTotals,
    Requests,
};
pub use pattern::{HOT_SHARE, Pattern};
pub use source::{OfferedBeat, Packet, Source};
pub use source_on_pins::{ReceivedPacket, SourceOnPins};
pub use trace::{PlannedTraffic, TraceError, parse_trace};

use std::sync::Arc;

use injection::Clock;
use mkns_design::Plan;
use mkns_topology::HostAttachment;

/// All that decides the traffic of a network.
#[derive(Debug, Clone, PartialEq)]
pub struct Traffic {
    pub pattern: Pattern,
    pub injection: Injection,
    pub lengths: Lengths,
    /// Flits that a host creates per cycle, 0…1.
    pub load: f64,
    pub seed: u64,
    /// Packets of each host under [`Pattern::Trace`].
    pub plan: PlannedTraffic,
}

impl Traffic {
    /// Whether what hosts receive decides what hosts send.
    pub fn reacts(&self) -> bool {
        matches!(self.injection, Injection::Window { .. } | Injection::Driven)
            || matches!(self.pattern, Pattern::Broadcast { .. })
    }

    /// Random traffic to all hosts.
    pub fn uniform(load: f64, flits: u32, seed: u64) -> Traffic {
        Traffic {
            pattern: Pattern::Uniform,
            injection: Injection::Random,
            lengths: Lengths::Fixed(flits),
            load,
            seed,
            plan: PlannedTraffic::default(),
        }
    }
}

/// What all hosts of a network share.
#[derive(Debug, Clone)]
pub struct Shared {
    pub addresses: Arc<Addresses>,
    pub destinations: Destinations,
}

impl Traffic {
    /// The hosts of a plan at their pins, and what they share; the pattern suits the plan.
    pub fn hosts(&self, plan: &Plan) -> (Vec<SourceOnPins>, Shared) {
        let shared = self.shared(plan);
        let host = |&at: &HostAttachment| SourceOnPins::new(at, self.source(at.host, &shared));
        let hosts = plan.network.hosts.iter().map(host).collect();
        (hosts, shared)
    }

    /// What the hosts of a plan share, which the pattern suits.
    pub fn shared(&self, plan: &Plan) -> Shared {
        assert!(self.pattern.suits(plan), "a pattern of reachable hosts");
        Shared {
            addresses: Arc::new(Addresses::new(plan)),
            destinations: self.pattern.prepare(plan, self.seed),
        }
    }

    pub fn source(&self, host: u32, shared: &Shared) -> Source {
        let shared = (shared.destinations.clone(), Arc::clone(&shared.addresses));
        Source::new(host, self.seed, self.clock(host), self.lengths, shared)
    }

    fn clock(&self, host: u32) -> Clock {
        match (&self.injection, self.pattern) {
            (_, Pattern::Trace) => {
                let plan = self.plan.get(host as usize);
                Clock::planned_packets(plan.cloned().unwrap_or_default())
            }
            (_, Pattern::Broadcast { root }) if root != host => Clock::silent(),
            (injection, _) => Clock::new(injection, self.load, self.lengths.mean()),
        }
    }
}
