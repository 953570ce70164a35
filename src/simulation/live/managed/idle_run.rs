//! A run without traffic: a machine powers up empty, is brought up over its cables, and is repaired when parts fail.

use mkns_design::{Plan, RouteSource};
use mkns_manage::{FailureSeen, History, InBandReport};
use mkns_topology::{BlockId, Part};
use mkns_traffic::Traffic;
use serde::Serialize;

use super::idle_network::IdleNetwork;
use super::manager::CableManager;
use super::timed_blocks::TimedBlocks;
use crate::fabric::{Fabric, Stepping};
use crate::live::error::LiveError;
use crate::measure::with_keys;
use crate::switch_core::KeySet;

/// What is run.
#[derive(Debug, Clone, Copy)]
pub struct IdleRun<'a> {
    pub plan: &'a Plan,
    /// The block whose window the manager has.
    pub from: BlockId,
    /// What fails for good, in cycles counted from the end of the bring-up.
    pub failures: &'a [(Part, u64)],
}

/// What was seen. The cycles of the history are counted from the end of the bring-up.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IdleReport {
    pub in_band: InBandReport,
    #[serde(flatten)]
    pub history: History,
}

impl IdleRun<'_> {
    /// Runs until all has failed that is to fail, and a look at all links finds nothing new.
    ///
    /// # Errors
    /// When the manager gives up.
    pub fn run(&self) -> Result<IdleReport, LiveError> {
        with_keys!(self.plan, K => self.run_with::<K>())
    }

    fn run_with<K: KeySet>(&self) -> Result<IdleReport, LiveError> {
        let (plan, nothing) = (self.plan, Traffic::uniform(0.0, 1, 0));
        let mut fabric =
            Fabric::<K>::new(plan, RouteSource::Tables, &nothing, Stepping::in_parts(1));
        for (number, cable) in (0..).zip(&plan.network.cables) {
            if !plan.faults.cable_works(&plan.network, number) {
                fabric.cut(cable);
            }
        }
        let mut network = IdleNetwork::powered_up(plan, &mut fabric);
        let mut manager = CableManager::bring_up(plan, self.from, &mut network)?;
        network.fail(self.failures);
        let failures = self.failures.iter();
        let mut history = History {
            failures: failures
                .map(|&(part, cycle)| FailureSeen {
                    part: part.name(&plan.network),
                    cycle,
                })
                .collect(),
            ..History::default()
        };
        loop {
            let is_last = network.has_failed();
            match manager.round(&mut network)? {
                Some(repair) => history.repaired(network.clock(), repair),
                None if is_last => break,
                None => {}
            }
        }
        Ok(IdleReport {
            in_band: manager.report,
            history,
        })
    }
}
