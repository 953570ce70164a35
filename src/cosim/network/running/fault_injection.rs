//! A network under injected faults: cables change and control ports are used at the start of a cycle,
//! and in the end all is repaired and comes to rest.

use super::fault_injector::FaultInjector;
use super::{DRAIN, RunningNetwork};
use crate::mismatch::{Failure, FailureKind};
use crate::network::NetworkRun;
use crate::network::attached_hosts::AttachedHosts;
use crate::network::control_traffic::ControlTraffic;
use crate::network::fault_plan::{CableFaults, CableLosses, FaultPlan, FaultReport};
use crate::network::flows::Tolerance;
use crate::network::live::{LiveFaults, PlannedFailures};
use crate::network::setup::Readings;
use mkns_topology::Part;

/// Cycles without a flit on any wire after which a network whose packets may be lost counts as empty:
/// longer than any host pauses.
const SILENCE: u64 = 300;

impl RunningNetwork<'_> {
    /// From now on cables fail and control ports are used, as the run asks.
    pub(super) fn inject_faults(&mut self, run: &NetworkRun) {
        let FaultPlan {
            link_faults,
            control_traffic,
        } = run.fault_plan;
        self.fault_injector = Some(FaultInjector {
            cables: link_faults.then(|| CableFaults::new(self.plan, run.seed)),
            control: control_traffic.then(|| ControlTraffic::new(self.plan, run.seed)),
            plugs: run
                .cables
                .moves_plugs()
                .then(|| (run.cables.clone(), self.cycle)),
            planned: None,
            managed: false,
            silenced: Vec::new(),
            losses: CableLosses::new(self.plan),
            active: true,
        });
        let losses = link_faults || run.cables.moves_plugs();
        self.board.tolerance = match (losses, control_traffic) {
            (false, _) => Tolerance::Exact,
            (true, false) => Tolerance::Losses,
            (true, true) => Tolerance::LossesAndDetours,
        };
    }

    /// From now on parts fail when they are due; until the first one does, nothing may be lost.
    pub(super) fn fail(&mut self, live: &LiveFaults) {
        let planned = PlannedFailures::new(&live.failures, self.cycle);
        self.fault_injector = Some(FaultInjector {
            cables: None,
            control: None,
            plugs: None,
            planned: Some(planned),
            managed: live.managed.is_some() || live.in_band.is_some(),
            silenced: Vec::new(),
            losses: CableLosses::new(self.plan),
            active: true,
        });
    }

    /// These parts fail at the start of this cycle, in a run whose parts may fail.
    pub(super) fn fail_now(&mut self, parts: Vec<Part>) {
        let planned = self
            .fault_injector
            .as_mut()
            .and_then(|all| all.planned.as_mut());
        if let Some(planned) = planned {
            planned.add(parts, self.cycle);
        }
    }

    /// Changes cables and begins control accesses at the start of a cycle.
    pub(super) fn drive_faults(&mut self) {
        let Some(fault_injector) = &mut self.fault_injector else {
            return;
        };
        let mut changes = match &mut fault_injector.cables {
            Some(faults) => faults.step(self.cycle, fault_injector.active),
            None => Vec::new(),
        };
        let tolerance = fault_injector.tolerance_of_failures();
        if let Some(planned) = &mut fault_injector.planned {
            let (failing, silenced) = planned.step(&self.plan.network, self.cycle);
            if !failing.is_empty() {
                self.board.tolerance = tolerance;
            }
            changes.extend(failing);
            fault_injector.silenced = silenced;
        }
        if let Some((plan, start)) = &fault_injector.plugs {
            for change in plan.changes(self.cycle - start) {
                self.cables.move_plug(&self.plan.network, change);
            }
        }
        if fault_injector.cables.is_some() || fault_injector.planned.is_some() {
            for change in changes {
                let cable = &self.plan.network.cables[change.cable];
                let cut = self.cables.set_cable_up(cable, change.up, &mut self.groups);
                fault_injector.losses.change(cable, change.up, cut);
                if let Some(single) = &mut self.single {
                    single.set_cable_up(change.cable, cable, change.up);
                }
            }
            fault_injector.losses.arrive(self.cables.arrivals());
        }
        if let (Some(control), true) = (&mut fault_injector.control, fault_injector.active) {
            control.step(self.plan, &mut self.masters);
        }
        if fault_injector.control.is_some() || fault_injector.managed {
            self.masters.drive(&self.places, &mut self.groups);
        }
    }

    pub(super) fn observe_control_traffic(&mut self) {
        let uses = |fault_injector: &FaultInjector| {
            fault_injector.control.is_some() || fault_injector.managed
        };
        if self.fault_injector.as_ref().is_some_and(uses) {
            // What was read under traffic is compared, and not added up.
            let mut passing = Readings::default();
            self.masters
                .observe(&self.places, &self.groups, &mut passing);
        }
    }

    /// Ends the faults and waits until nothing moves; then what is missing is lost.
    pub(super) fn settle(&mut self, hosts: &mut dyn AttachedHosts) -> Result<(), Box<Failure>> {
        let patience = self.cycle + DRAIN;
        let mut silent = 0;
        while silent < SILENCE {
            if let Some(fault_injector) = &mut self.fault_injector {
                fault_injector.active = false;
            }
            self.traffic(hosts, false)?;
            let repaired = |fault_injector: &FaultInjector| {
                fault_injector
                    .cables
                    .as_ref()
                    .is_none_or(CableFaults::all_up)
            };
            let rest = hosts.all_idle()
                && self.cables.is_quiet()
                && self.cables.serial.are_up(|cable| self.stays_down(cable))
                && self.masters.idle()
                && self.fault_injector.as_ref().is_none_or(repaired);
            let home = self.cables.credits_in_use() == 0;
            silent = if rest && home { silent + 1 } else { 0 };
            if self.cycle > patience {
                let missing = self.cables.credits_in_use();
                let note = format!(
                    "the network does not come to rest after its cables are repaired; {missing} \
                     credits have not returned"
                );
                return Err(self.failure(FailureKind::Scoreboard, 0, note));
            }
        }
        self.abandon_failed_cables();
        self.cables.serial.conclude();
        self.board.write_off();
        Ok(())
    }

    /// Whether the run leaves a serial cable down.
    fn stays_down(&self, cable: u32) -> bool {
        let plugs = self
            .fault_injector
            .as_ref()
            .and_then(|all| all.plugs.as_ref());
        plugs.is_some_and(|(plan, _)| !plan.ends_joined(cable))
    }

    /// Packets that stand begun on cables that stay down: their rest was dropped by the sender, and what crossed has
    /// an end of its own.
    fn abandon_failed_cables(&mut self) {
        let Some(fault_injector) = &mut self.fault_injector else {
            return;
        };
        let planned = fault_injector.planned.iter();
        for number in planned.flat_map(|planned| planned.cables_down(&self.plan.network)) {
            let cable = &self.plan.network.cables[number];
            let cut = self.cables.abandon(cable, &self.groups);
            fault_injector.losses.abandon(cut);
        }
    }

    /// What the faults did.
    pub(super) fn fault_report(&self) -> Option<FaultReport> {
        let fault_injector = self.fault_injector.as_ref()?;
        let (cables, control) = (&fault_injector.cables, &fault_injector.control);
        Some(FaultReport {
            cable_failures: match &fault_injector.planned {
                Some(planned) => planned.cables_down(&self.plan.network).count() as u64,
                None => {
                    let plugs = fault_injector.plugs.as_ref();
                    let moved = plugs.map_or(0, |(plan, _)| plan.cables_moved());
                    moved + cables.as_ref().map_or(0, |faults| faults.failures)
                }
            },
            packets_lost: self.board.lost(),
            packets_bad: self.board.bad,
            control_operations: control.as_ref().map_or(0, |traffic| traffic.operations),
        })
    }
}
