//! Faults that are injected into a running network.

use crate::network::control_traffic::ControlTraffic;
use crate::network::fault_plan::{CableFaults, CableLosses};
use crate::network::flows::Tolerance;
use crate::network::live::PlannedFailures;
use crate::network::plugs::CableFaultPlan;

/// Injects faults into a running network.
pub struct FaultInjector {
    pub cables: Option<CableFaults>,
    pub control: Option<ControlTraffic>,
    /// What is done to the plugs of serial cables, and the first cycle of traffic.
    pub plugs: Option<(CableFaultPlan, u64)>,
    /// Parts that fail for good.
    pub planned: Option<PlannedFailures>,
    /// A manager uses the control ports.
    pub managed: bool,
    /// Hosts that have fallen silent in this cycle.
    pub silenced: Vec<u32>,
    pub losses: CableLosses,
    /// Faults may begin; otherwise they only end.
    pub active: bool,
}

impl FaultInjector {
    /// What may happen to packets once a part has failed. A repair may move flows while their packets are on the way.
    pub fn tolerance_of_failures(&self) -> Tolerance {
        match self.managed {
            true => Tolerance::LossesAndDetours,
            false => Tolerance::Losses,
        }
    }
}
