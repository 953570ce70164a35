//! One run: a network, its traffic, the parts that fail, and perhaps a manager.

use serde::Serialize;

use super::error::{LiveError, gives_up};
use super::managed::{CableManager, IdleNetwork};
use super::period::FailurePeriod;
use super::running::{Running, Totals};
use crate::fabric::{Fabric, Stepping};
use crate::measure::{WarmUp, warm_up_on, with_keys};
use crate::ranks::SingleRank;
use crate::switch_core::KeySet;
use mkns_design::{Plan, RouteSource};
use mkns_manage::{History, InBandReport, Manager, RouteChange};
use mkns_routing::Routing;
use mkns_topology::{BlockId, Part};
use mkns_traffic::Traffic;

/// Cycles within which a network comes to rest when hosts have stopped.
pub const PATIENCE: u64 = 1_000_000;

/// What to simulate.
#[derive(Debug, Clone)]
pub struct LiveExperiment<'a> {
    pub plan: &'a Plan,
    /// That does not wait for packets: none of [`Traffic::reacts`].
    pub traffic: Traffic,
    /// Before the first cycle that counts.
    pub warm_up: WarmUp,
    pub cycles: u64,
    /// Parts of the network that threads step side by side; has no effect on results.
    pub parts: usize,
    /// What fails for good, and in which cycle.
    pub failures: &'a [(Part, u64)],
    /// With a manager: the routes that blocks hold in the beginning.
    pub managed: Option<&'a Routing>,
    /// Blocks power up empty, and the manager brings them up and repairs them from this block through the cables.
    pub in_band: Option<BlockId>,
}

/// What was seen. Cycles are counted from the end of the warm-up.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LiveReport {
    #[serde(flatten)]
    pub history: History,
    #[serde(flatten)]
    pub totals: Totals,
    pub periods: Vec<FailurePeriod>,
    pub warm_up_cycles: u64,
    /// Whether latencies settled in it.
    pub settled: bool,
    /// Of a manager over the cables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_band: Option<InBandReport>,
}

impl LiveExperiment<'_> {
    /// Runs it and tells `watch` again and again how many more cycles are done.
    ///
    /// # Errors
    /// When the manager gives up, or packets wait for each other for ever.
    pub fn run(&self, watch: &dyn Fn(u64)) -> Result<LiveReport, LiveError> {
        assert!(
            !self.traffic.reacts(),
            "hosts do not wait for packets that may be lost"
        );
        with_keys!(self.plan, K => self.run_with::<K>(watch))
    }

    fn run_with<K: KeySet>(&self, watch: &dyn Fn(u64)) -> Result<LiveReport, LiveError> {
        let stepping = Stepping::in_parts(self.parts);
        let mut fabric = Fabric::<K>::new(self.plan, RouteSource::Tables, &self.traffic, stepping);
        fabric.number_packets();
        for (number, cable) in (0..).zip(&self.plan.network.cables) {
            if !self.plan.faults.cable_works(&self.plan.network, number) {
                fabric.cut(cable);
            }
        }
        let mut cable_manager = match self.in_band {
            Some(own) => {
                let mut network = IdleNetwork::powered_up(self.plan, &mut fabric);
                Some(CableManager::bring_up(self.plan, own, &mut network)?)
            }
            None => None,
        };
        let settled = warm_up_on(&SingleRank, &mut fabric, self.warm_up);
        let warm_up_cycles = fabric.now();
        let mut running = Running::new(self.plan, fabric, self.failures, watch);
        match (&mut cable_manager, self.managed) {
            (Some(manager), _) => self.manage(&mut running, |network| manager.round(network))?,
            (None, Some(in_use)) => {
                let mut manager = Manager::new(self.plan, in_use.clone());
                manager.identify(&mut running).map_err(gives_up)?;
                self.manage(&mut running, |network| {
                    manager.round(network).map_err(gives_up)
                })?;
            }
            (None, None) => running.wait_until(self.cycles),
        }
        if !running.settle(PATIENCE) {
            return Err(LiveError::NoRest);
        }
        Ok(LiveReport {
            history: running.history,
            totals: running.totals,
            periods: running.periods,
            warm_up_cycles,
            settled,
            in_band: cable_manager.map(|manager| manager.report),
        })
    }

    /// A manager looks at the network again and again, and once more when all cycles are over.
    fn manage<K: KeySet>(
        &self,
        running: &mut Running<'_, K>,
        mut round: impl FnMut(&mut Running<'_, K>) -> Result<Option<RouteChange>, LiveError>,
    ) -> Result<(), LiveError> {
        loop {
            let is_over = running.cycle() >= self.cycles;
            match round(running)? {
                Some(repair) => running.repaired(repair),
                None if is_over => return Ok(()),
                None => {}
            }
        }
    }
}
