//! One run of a network from its first packet to its last credit: traffic, perhaps under
//! injected faults, then silence, then a look at the counters.

use super::in_band::RunManager;
use super::{DRAIN, RunningNetwork};
use crate::mismatch::Failure;
use crate::network::attached_hosts::AttachedHosts;
use crate::network::hosts::NetworkHosts;
use crate::network::live::{LiveFaults, LiveReport};
use crate::network::{NetworkRun, NetworkSummary};
use mkns_routing::Routing;
use mkns_traffic::Demand;

/// Cycles of silence after the last packet before the credits are counted.
const QUIET: u64 = 64;

impl RunningNetwork<'_> {
    /// Traffic, emptying, and a look at the counters.
    pub fn exercise(
        mut self,
        run: &NetworkRun,
        watch: &mut dyn FnMut(u64),
    ) -> Result<NetworkSummary, Box<Failure>> {
        let start = self.cycle;
        let mut hosts = self.hosts(run);
        let has_faults = run.fault_plan.any() || run.cables.moves_plugs();
        if has_faults {
            self.inject_faults(run);
        }
        let end = start + run.cycles;
        while self.cycle < end {
            self.traffic(&mut hosts, true)?;
            if self.cycle.is_multiple_of(1024) {
                watch(self.cycle - start);
            }
        }
        if has_faults {
            self.settle(&mut hosts)?;
            // All is well again: what is sent now arrives.
            let more = match run.cables.all_end_joined(&self.plan.network) {
                true => run.cycles / 4,
                false => 0,
            };
            let end = self.cycle + more;
            while self.cycle < end {
                self.traffic(&mut hosts, true)?;
            }
        }
        self.conclude(run, &mut hosts)
    }

    /// Traffic while parts fail for good. A manager reroutes around them; after that and an empty network all
    /// that is sent has to arrive.
    pub fn exercise_live(
        mut self,
        run: &NetworkRun,
        live: &LiveFaults,
        watch: &mut dyn FnMut(u64),
    ) -> Result<NetworkSummary, Box<Failure>> {
        let mut hosts = self.hosts(run);
        let mut report = LiveReport::default();
        let mut manager = match (live.in_band, &live.managed) {
            (Some(from), _) => {
                // Control ports are driven as in a run with failures, of which there are none yet.
                self.fail(&LiveFaults {
                    failures: Vec::new(),
                    ..live.clone()
                });
                let manager = self.bring_up(from, &mut hosts)?;
                hosts = self.hosts_from_now(run);
                Some(manager)
            }
            (None, in_use) => {
                let new =
                    |in_use: &Routing| RunManager::at_control_ports(self.plan, in_use.clone());
                in_use.as_ref().map(new)
            }
        };
        let start = self.cycle;
        self.fail(live);
        if let (Some(manager), None) = (&mut manager, live.in_band) {
            self.identify(&mut manager.manager, &mut hosts)?;
        }
        let end = start + run.cycles;
        while self.cycle < end {
            match &mut manager {
                Some(manager) => {
                    self.manage(manager, &mut hosts, (start, &mut report))?;
                }
                None => self.traffic(&mut hosts, true)?,
            }
            watch(self.cycle - start);
        }
        if let Some(manager) = &mut manager {
            while self.manage(manager, &mut hosts, (start, &mut report))? {}
        }
        self.settle(&mut hosts)?;
        report.history.failures = self.failures_seen();
        report.in_band = manager.as_ref().and_then(RunManager::in_band_report);
        if manager.is_some() {
            let (begun, sent) = (self.cycle, self.board.totals().packets_sent);
            while self.cycle < begun + run.cycles / 4 {
                self.traffic(&mut hosts, true)?;
            }
            report.exact_cycles = self.cycle - begun;
            report.exact_packets = self.board.totals().packets_sent - sent;
        }
        let mut summary = self.conclude(run, &mut hosts)?;
        summary.live = Some(report);
        Ok(summary)
    }

    /// The hosts of a run whose traffic starts now, and its errors on serial cables.
    pub(super) fn hosts(&mut self, run: &NetworkRun) -> NetworkHosts {
        let serial = &mut self.cables.serial;
        serial.set_errors(self.plan, run.cables.bit_error_rate, run.seed);
        self.hosts_from_now(run)
    }

    fn hosts_from_now(&mut self, run: &NetworkRun) -> NetworkHosts {
        let demand = Demand {
            traffic: run.traffic,
            load: run.load,
            seed: run.seed,
            start: self.cycle,
            offered: &run.offered,
        };
        NetworkHosts::new(self.plan, &self.places, demand, &mut self.groups)
    }

    /// Emptying, and a look at the counters.
    pub(super) fn conclude(
        &mut self,
        run: &NetworkRun,
        hosts: &mut dyn AttachedHosts,
    ) -> Result<NetworkSummary, Box<Failure>> {
        self.empty(hosts)?;
        if self.plan.spec.block.control_port {
            self.read_back()?;
        }
        Ok(NetworkSummary {
            traffic: run.traffic,
            load: run.load_fraction(),
            seed: run.seed,
            blocks: self.plan.instances.len(),
            cycles: self.cycle,
            totals: self.board.totals(),
            cable_flits: self.cables.flits(),
            fault_report: self.fault_report(),
            live: None,
            serial: self.serial_report()?,
        })
    }

    /// Runs without new packets until everything has arrived and every credit is at home.
    fn empty(&mut self, hosts: &mut dyn AttachedHosts) -> Result<(), Box<Failure>> {
        let patience = self.cycle + DRAIN;
        let mut quiet = 0;
        while quiet < QUIET {
            self.traffic(hosts, false)?;
            let rest = hosts.all_idle() && self.board.flows.missing() == 0;
            let home = self.cables.credits_in_use() == 0;
            quiet = if rest && home { quiet + 1 } else { 0 };
            if self.cycle > patience {
                return Err(self.lost());
            }
        }
        Ok(())
    }
}
