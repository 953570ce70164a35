//! Lockstep of a whole network: one instance per block, wired over packed words, every output of
//! every block compared in every cycle, and a scoreboard from host to host.

mod attached_hosts;
mod control_traffic;
mod fault_plan;
mod flood;
mod flows;
mod group_slot;
mod host_pins;
mod hosts;
mod live;
mod network_cables;
mod outside_hosts;
mod packet_identity;
mod plugs;
mod protocol_violation;
mod run;
mod running;
mod scoreboard;
mod serial_cables;
mod serial_report;
mod setup;
pub(super) mod single_model;
mod thread_choice;
mod worker_pool;

use mkns_design::Plan;
use mkns_topology::BlockId;

use super::lockstep::Group;
use super::mismatch::Failure;
pub use fault_plan::{FaultPlan, FaultReport};
pub use flood::{FloodReport, MessageFlood};
pub(super) use group_slot::GroupSlot;
pub use live::{LiveFaults, LiveReport, PlannedFailure};
pub use plugs::{CableFaultPlan, Swapped, Unplugged};
pub use run::{NetworkRun, NetworkSummary, Pair};
pub(super) use running::RunningNetwork;
pub use scoreboard::Totals;
pub use serial_report::{LinkDown, SerialReport};
use single_model::SingleModel;
pub(super) use worker_pool::{Partition, partitions};

impl NetworkRun {
    /// Runs a plan; `devices` makes the two sides for the blocks of a module.
    pub fn run(
        &self,
        plan: &Plan,
        devices: &mut dyn FnMut(usize, &[BlockId]) -> Pair,
        watch: &mut dyn FnMut(u64),
    ) -> Result<NetworkSummary, Box<Failure>> {
        let is_in_band = self
            .live
            .as_ref()
            .is_some_and(|live| live.in_band.is_some());
        let network = match is_in_band {
            true => RunningNetwork::powered_up(plan, self.threads, devices)?,
            false => RunningNetwork::configured(plan, self.threads, devices)?,
        };
        match &self.live {
            None => network.exercise(self, watch),
            Some(live) => network.exercise_live(self, live, watch),
        }
    }

    /// Runs a managed plan, whose tables are written through the control ports, while hosts send management messages.
    pub fn run_flooded(
        &self,
        plan: &Plan,
        flood: &MessageFlood,
        devices: &mut dyn FnMut(usize, &[BlockId]) -> Pair,
        watch: &mut dyn FnMut(u64),
    ) -> Result<(NetworkSummary, FloodReport), Box<Failure>> {
        let network = RunningNetwork::configured(plan, self.threads, devices)?;
        network.exercise_flooded(self, flood, watch)
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
        let partitions = partitions(plan, 1);
        let mut network = RunningNetwork::new(plan, partitions, &mut group, Some(single));
        network.reset()?;
        network.raise_links()?;
        network.exercise(self, watch)
    }
}
