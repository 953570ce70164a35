//! One run of a network whose hosts are outside this program, until they end it.

use serde::Serialize;

use super::error::{LiveError, gives_up};
use super::experiment::PATIENCE;
use super::outside::OutsideTraffic;
use super::running::Running;
use crate::fabric::{Fabric, Stepping};
use crate::measure::with_keys;
use crate::switch_core::KeySet;
use mkns_design::{Plan, RouteSource};
use mkns_manage::{History, InBandReport, Manager};
use mkns_routing::Routing;
use mkns_topology::Part;
use mkns_traffic::{EXCHANGE_CYCLES, OutsideHosts, OutsideTotals, Traffic};

/// What is run.
#[derive(Debug, Clone, Copy)]
pub struct OutsideRun<'a> {
    pub plan: &'a Plan,
    /// What fails for good, and in which cycle; more may fail when hosts ask for it.
    pub failures: &'a [(Part, u64)],
    /// With a manager: the routes that blocks hold in the beginning.
    pub managed: Option<&'a Routing>,
}

/// What was seen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OutsideReport {
    pub cycles: u64,
    #[serde(flatten)]
    pub totals: OutsideTotals,
    #[serde(flatten)]
    pub history: History,
    /// Of a manager over the cables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_band: Option<InBandReport>,
}

impl OutsideRun<'_> {
    /// Runs until the hosts stop it and all that was sent has arrived or is lost.
    ///
    /// # Errors
    /// When the manager gives up, or packets wait for each other for ever.
    pub fn run(&self, hosts: &mut dyn OutsideHosts) -> Result<OutsideReport, LiveError> {
        with_keys!(self.plan, K => self.run_with::<K>(hosts))
    }

    fn run_with<K: KeySet>(
        &self,
        hosts: &mut dyn OutsideHosts,
    ) -> Result<OutsideReport, LiveError> {
        let (plan, nothing) = (self.plan, Traffic::uniform(0.0, 1, 0));
        let mut fabric =
            Fabric::<K>::new(plan, RouteSource::Tables, &nothing, Stepping::in_parts(1));
        fabric.number_packets();
        for (number, cable) in (0..).zip(&plan.network.cables) {
            if !plan.faults.cable_works(&plan.network, number) {
                fabric.cut(cable);
            }
        }
        let mut running = Running::new(plan, fabric, self.failures, &|_| {});
        let flit_bits = plan.spec.block.flit_bits;
        running.attach(OutsideTraffic::new(hosts, plan.hosts(), flit_bits));
        let mut manager = self
            .managed
            .map(|in_use| Manager::new(plan, in_use.clone()));
        if let Some(manager) = &mut manager {
            manager.identify(&mut running).map_err(gives_up)?;
        }
        while !running.has_stopped() {
            match &mut manager {
                None => running.wait_until(running.cycle() + EXCHANGE_CYCLES),
                Some(manager) => {
                    if let Some(repair) = manager.round(&mut running).map_err(gives_up)? {
                        running.repaired(repair);
                    }
                }
            }
        }
        if !running.settle(PATIENCE) {
            return Err(LiveError::NoRest);
        }
        let totals = running.conclude_outside();
        Ok(OutsideReport {
            cycles: running.cycle(),
            totals,
            history: running.history,
            in_band: None,
        })
    }
}
