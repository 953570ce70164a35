//! What a run of a network is asked to do, and what it did.

use serde::Serialize;

use crate::golden_devices::LockstepConfig;
use mkns_design::{Device, RouteSource};
use mkns_traffic::{OfferedPackets, Pattern};

use super::fault_plan::{FaultPlan, FaultReport};
use super::live::{LiveFaults, LiveReport};
use super::plugs::CableFaultPlan;
use super::scoreboard::Totals;
use super::serial_report::SerialReport;

/// The two sides of the blocks of one module.
pub struct Pair {
    pub rtl: Box<dyn Device>,
    /// Without it nothing is compared (for measuring speed).
    pub golden: Option<Box<dyn Device>>,
}

/// What a run of a network is asked to do.
#[derive(Debug, Clone)]
pub struct NetworkRun {
    pub traffic: Pattern,
    /// Flits that each host offers in a thousand cycles.
    pub load: u32,
    /// Cycles of traffic; setting up and emptying come on top.
    pub cycles: u64,
    pub seed: u64,
    pub fault_plan: FaultPlan,
    /// What happens to serial cables.
    pub cables: CableFaultPlan,
    /// The packets that hosts send.
    pub offered: OfferedPackets,
    /// Parts that fail for good, under drawn packets.
    pub live: Option<LiveFaults>,
    /// Threads that the blocks are dealt out to; results do not depend on it.
    pub threads: usize,
}

/// What a run without a failure did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NetworkSummary {
    pub traffic: Pattern,
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
    pub fault_report: Option<FaultReport>,
    /// Parts that failed for good.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<LiveReport>,
    /// Serial cables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial: Option<SerialReport>,
}

impl NetworkRun {
    /// Flits that each host offers per cycle.
    pub fn load_fraction(&self) -> f64 {
        f64::from(self.load) / 1000.0
    }

    /// Where golden models take their routes from: arithmetic shows errors in tables, but knows no
    /// alternates, which control traffic writes, nor the repairs of a manager.
    pub(crate) fn routes(&self) -> RouteSource {
        match self.fault_plan.control_traffic || self.live.is_some() {
            true => RouteSource::Tables,
            false => RouteSource::Arithmetic,
        }
    }

    /// How the two sides of its blocks are made.
    pub fn sides(&self) -> LockstepConfig {
        LockstepConfig {
            seed: self.seed,
            routes: self.routes(),
            threads: self.threads,
        }
    }
}
