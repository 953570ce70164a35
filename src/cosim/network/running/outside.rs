//! A network under lockstep whose hosts are outside this program, until they end the run.

use super::RunningNetwork;
use super::control_ports::ControlPorts;
use super::in_band::RunManager;
use crate::mismatch::Failure;
use crate::network::flows::Tolerance;
use crate::network::live::{LiveFaults, LiveReport};
use crate::network::outside_hosts::OutsideOnPins;
use mkns_manage::Registers;
use mkns_simulation::live::OutsideReport;
use mkns_topology::BlockId;
use mkns_traffic::{OutsideHosts, OutsideTotals};

impl RunningNetwork<'_> {
    /// Runs until the hosts stop it and all that was sent has arrived or is lost; then counters have to agree.
    pub fn serve_outside(
        mut self,
        hosts: &mut dyn OutsideHosts,
        live: &LiveFaults,
    ) -> Result<OutsideReport, Box<Failure>> {
        let start = self.cycle;
        let window = hosts.window();
        let mut hosts = OutsideOnPins::new(self.plan, &self.places, hosts, &mut self.groups);
        self.fail(&LiveFaults {
            in_band: live.in_band.or(window),
            ..live.clone()
        });
        if window.is_some() {
            // Hosts may send before anybody has written tables.
            self.board.tolerance = Tolerance::LossesAndDetours;
        }
        let mut report = LiveReport::default();
        let mut manager = self.manager_of(live, &mut hosts)?;
        while !hosts.has_stopped {
            match &mut manager {
                Some(manager) => {
                    self.manage(manager, &mut hosts, (start, &mut report))?;
                }
                None => self.traffic(&mut hosts, true)?,
            }
            if let Some(block) = window {
                self.access(block, &mut hosts)?;
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
            in_band: manager.as_ref().and_then(RunManager::in_band_report),
        })
    }

    /// The run's own manager, which knows all blocks; none without one.
    fn manager_of(
        &mut self,
        live: &LiveFaults,
        hosts: &mut OutsideOnPins,
    ) -> Result<Option<RunManager>, Box<Failure>> {
        if let Some(from) = live.in_band {
            return self.bring_up(from, hosts).map(Some);
        }
        let Some(in_use) = &live.managed else {
            return Ok(None);
        };
        let mut manager = RunManager::at_control_ports(self.plan, in_use.clone());
        self.identify(&mut manager.manager, hosts)?;
        Ok(Some(manager))
    }

    /// Carries out what a manager outside asks of the control port of its block.
    fn access(&mut self, block: BlockId, hosts: &mut OutsideOnPins) -> Result<(), Box<Failure>> {
        while let Some(access) = hosts.next_access() {
            let mut port = ControlPorts {
                network: self,
                hosts,
                sending: true,
            };
            let value = match access.value {
                None => port.read(block, access.address)?,
                Some(value) => {
                    let is_written = port.write(block, access.address, value)?;
                    is_written.then_some(value)
                }
            };
            hosts.answer(value);
        }
        Ok(())
    }
}
