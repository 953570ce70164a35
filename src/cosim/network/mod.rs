//! Lockstep of a whole network: one instance per block, wired over packed words, every output of
//! every block compared in every cycle, and a scoreboard from host to host.

mod control_traffic;
mod crew;
mod disturbance;
mod flows;
mod hosts;
mod identity;
mod offered_packets;
mod packet_source;
mod pin_network;
mod replay;
mod running;
mod scoreboard;
mod setup;
pub(super) mod single_model;
mod wiring;

use serde::Serialize;

use mkns_design::Plan;
use mkns_design::RouteSource;
use mkns_topology::BlockId;

use super::device::Device;
use super::judge::{Judge, Sides};
use super::lockstep::Group;
use super::mismatch::Failure;
use super::stimulus::Traffic;
pub(super) use crew::{Share, shares};
pub use disturbance::{Disturbance, Disturbed};
pub use offered_packets::{OfferedPackets, SHORTEST_PAYLOAD, SentPacket};
pub use pin_network::LockstepNetwork;
pub use replay::Replay;
use running::RunningNetwork;
pub use scoreboard::Totals;
use single_model::SingleModel;
pub(super) use wiring::Place;

/// The two sides of the blocks of one module.
pub struct Pair {
    pub rtl: Box<dyn Device>,
    /// Without it nothing is compared (for measuring speed).
    pub golden: Option<Box<dyn Device>>,
}

/// What a run of a network is asked to do.
#[derive(Debug, Clone)]
pub struct NetworkRun {
    pub traffic: Traffic,
    /// Flits that each host offers in a thousand cycles.
    pub load: u32,
    /// Cycles of traffic; setting up and emptying come on top.
    pub cycles: u64,
    pub seed: u64,
    pub disturbance: Disturbance,
    pub judge: Judge,
    /// Threads that the blocks are dealt out to; results do not depend on it.
    pub threads: usize,
}

/// What a run without a failure did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NetworkSummary {
    pub traffic: Traffic,
    /// Flits that each host offers per cycle.
    pub load: f64,
    pub seed: u64,
    pub blocks: usize,
    /// All cycles, with setting up and emptying.
    pub cycles: u64,
    #[serde(flatten)]
    pub totals: Totals,
    /// Flits that crossed cables.
    pub cable_flits: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disturbed: Option<Disturbed>,
}

impl NetworkRun {
    /// Flits that each host offers per cycle.
    pub(super) fn load_fraction(&self) -> f64 {
        f64::from(self.load) / 1000.0
    }

    /// Where golden models take their routes from: arithmetic shows errors in tables, but knows no
    /// alternates, which control traffic writes.
    pub(super) fn routes(&self) -> RouteSource {
        match self.disturbance.control_traffic {
            true => RouteSource::Tables,
            false => RouteSource::Arithmetic,
        }
    }

    /// How the two sides of its blocks are made.
    pub(super) fn sides(&self) -> Sides {
        Sides {
            seed: self.seed,
            routes: self.routes(),
            judge: self.judge,
            threads: self.threads,
        }
    }

    /// Runs a plan; `devices` makes the two sides for the blocks of a module.
    pub fn run(
        &self,
        plan: &Plan,
        devices: &mut dyn FnMut(usize, &[BlockId]) -> Pair,
        watch: &mut dyn FnMut(u64),
    ) -> Result<NetworkSummary, Box<Failure>> {
        self.run_with(plan, &OfferedPackets::Random, devices, watch)
    }

    /// The same with packets of a given offered.
    pub fn run_with(
        &self,
        plan: &Plan,
        offered: &OfferedPackets,
        devices: &mut dyn FnMut(usize, &[BlockId]) -> Pair,
        watch: &mut dyn FnMut(u64),
    ) -> Result<NetworkSummary, Box<Failure>> {
        RunningNetwork::configured(plan, self.threads, devices)?.exercise(self, offered, watch)
    }

    /// Runs a plan whose blocks are all in one model, with the tables that it starts with.
    pub(super) fn run_single_model(
        &self,
        plan: &Plan,
        single: &mut SingleModel,
        watch: &mut dyn FnMut(u64),
    ) -> Result<NetworkSummary, Box<Failure>> {
        let mut group =
            |module: usize, blocks: &[BlockId]| Group::given(&plan.modules[module], blocks.len());
        let shares = shares(plan, 1);
        let mut network = RunningNetwork::new(plan, shares, &mut group, Some(single));
        network.reset()?;
        network.exercise(self, &OfferedPackets::Random, watch)
    }
}
