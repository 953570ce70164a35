//! A network under lockstep whose hosts are outside this program, until they end the run.

use super::RunningNetwork;
use super::in_band::RunManager;
use crate::mismatch::Failure;
use crate::network::flows::Tolerance;
use crate::network::live::{LiveFaults, LiveReport};
use crate::network::outside_hosts::OutsideOnPins;
use mkns_simulation::live::OutsideReport;
use mkns_traffic::{OutsideHosts, OutsideTotals};

impl RunningNetwork<'_> {
    /// Runs until the hosts stop it and all that was sent has arrived or is lost; then counters have to agree.
    pub fn serve_outside(
        mut self,
        hosts: &mut dyn OutsideHosts,
        live: &LiveFaults,
    ) -> Result<OutsideReport, Box<Failure>> {
        let start = self.cycle;
        let mut hosts = OutsideOnPins::new(self.plan, &self.places, hosts, &mut self.groups);
        let managed = live.managed.as_ref();
        let mut manager =
            managed.map(|in_use| RunManager::at_control_ports(self.plan, in_use.clone()));
        self.fail(live);
        // Nothing may be lost before something fails.
        self.board.tolerance = Tolerance::Exact;
        let mut report = LiveReport::default();
        if let Some(manager) = &mut manager {
            self.identify(&mut manager.manager, &mut hosts)?;
        }
        while !hosts.has_stopped {
            match &mut manager {
                Some(manager) => {
                    self.manage(manager, &mut hosts, (start, &mut report))?;
                }
                None => self.traffic(&mut hosts, true)?,
            }
        }
        self.settle(&mut hosts)?;
        report.history.failures = self.failures_seen();
        if self.plan.spec.block.control_port {
            self.read_back()?;
        }
        hosts.conclude();
        let totals = self.board.totals();
        Ok(OutsideReport {
            cycles: self.cycle - start,
            totals: OutsideTotals {
                sent: totals.packets_sent,
                received: totals.packets_received,
                bad: self.board.bad,
                lost: self.board.lost(),
                withdrawn: hosts.withdrawn,
            },
            history: report.history,
        })
    }
}
