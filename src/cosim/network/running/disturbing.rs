//! A network under disturbances: cables change and control ports are used at the start of a cycle,
//! and in the end all is repaired and comes to rest.

use super::disturber::Disturber;
use super::{DRAIN, RunningNetwork};
use crate::mismatch::{Failure, FailureKind};
use crate::network::NetworkRun;
use crate::network::control_traffic::ControlTraffic;
use crate::network::disturbance::{CableFaults, CableLosses, Disturbance, Disturbed};
use crate::network::flows::Tolerance;
use crate::network::hosts::NetworkHosts;
use crate::network::live::{LiveFaults, PlannedFailures};
use crate::network::setup::Readings;

/// Cycles without a flit on any wire after which a network whose packets may be lost counts as empty:
/// longer than any host pauses.
const SILENCE: u64 = 300;

impl RunningNetwork<'_> {
    /// From now on cables fail and control ports are used, as the run asks.
    pub(super) fn disturb(&mut self, run: &NetworkRun) {
        let Disturbance {
            link_faults,
            control_traffic,
        } = run.disturbance;
        self.disturber = Some(Disturber {
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
        self.board.tolerate(match (losses, control_traffic) {
            (false, _) => Tolerance::Exact,
            (true, false) => Tolerance::Losses,
            (true, true) => Tolerance::LossesAndDetours,
        });
    }

    /// From now on parts fail when they are due.
    pub(super) fn fail(&mut self, live: &LiveFaults) {
        let planned = PlannedFailures::new(self.plan, &live.failures, self.cycle);
        self.disturber = Some(Disturber {
            cables: None,
            control: None,
            plugs: None,
            planned: Some(planned),
            managed: live.managed.is_some(),
            silenced: Vec::new(),
            losses: CableLosses::new(self.plan),
            active: true,
        });
        self.board.tolerate(Tolerance::Losses);
    }

    /// Changes cables and begins control accesses at the start of a cycle.
    pub(super) fn drive_disturbance(&mut self) {
        let Some(disturber) = &mut self.disturber else {
            return;
        };
        let mut changes = match &mut disturber.cables {
            Some(faults) => faults.step(self.cycle, disturber.active),
            None => Vec::new(),
        };
        if let Some(planned) = &mut disturber.planned {
            let (failing, silenced) = planned.step(&self.plan.network, self.cycle);
            changes.extend(failing);
            disturber.silenced = silenced;
        }
        if let Some((plan, start)) = &disturber.plugs {
            for change in plan.changes(self.cycle - start) {
                self.wiring.move_plug(&self.plan.network, change);
            }
        }
        if disturber.cables.is_some() || disturber.planned.is_some() {
            for change in changes {
                let cable = &self.plan.network.cables[change.cable];
                let cut = self.wiring.set_cable_up(cable, change.up, &mut self.groups);
                disturber.losses.change(cable, change.up, cut);
                if let Some(single) = &mut self.single {
                    single.set_cable_up(change.cable, cable, change.up);
                }
            }
            disturber.losses.arrive(self.wiring.arrivals());
        }
        if let (Some(control), true) = (&mut disturber.control, disturber.active) {
            control.step(self.plan, &mut self.masters);
        }
        if disturber.control.is_some() || disturber.managed {
            self.masters.drive(&self.places, &mut self.groups);
        }
    }

    pub(super) fn observe_control_traffic(&mut self) {
        let uses = |disturber: &Disturber| disturber.control.is_some() || disturber.managed;
        if self.disturber.as_ref().is_some_and(uses) {
            // What was read under traffic is compared, and not added up.
            let mut passing = Readings::default();
            self.masters
                .observe(&self.places, &self.groups, &mut passing);
        }
    }

    /// Ends the disturbances and waits until nothing moves; then what is missing is lost.
    pub(super) fn settle(&mut self, hosts: &mut NetworkHosts) -> Result<(), Box<Failure>> {
        let patience = self.cycle + DRAIN;
        let mut silent = 0;
        while silent < SILENCE {
            if let Some(disturber) = &mut self.disturber {
                disturber.active = false;
            }
            self.traffic(hosts, false)?;
            let repaired =
                |disturber: &Disturber| disturber.cables.as_ref().is_none_or(CableFaults::all_up);
            let rest = hosts.all_idle()
                && self.wiring.is_quiet()
                && self.wiring.serial.are_up(|cable| self.stays_down(cable))
                && self.masters.idle()
                && self.disturber.as_ref().is_none_or(repaired);
            let home = self.wiring.credits_in_use() == 0;
            silent = if rest && home { silent + 1 } else { 0 };
            if self.cycle > patience {
                let missing = self.wiring.credits_in_use();
                let note = format!(
                    "the network does not come to rest after its cables are repaired; {missing} \
                     credits are not at home"
                );
                return Err(self.failure(FailureKind::Scoreboard, 0, note));
            }
        }
        self.abandon_failed_cables();
        self.wiring.serial.conclude();
        self.board.write_off();
        Ok(())
    }

    /// Whether the run leaves a serial cable down.
    fn stays_down(&self, cable: u32) -> bool {
        let plugs = self.disturber.as_ref().and_then(|all| all.plugs.as_ref());
        plugs.is_some_and(|(plan, _)| !plan.ends_joined(cable))
    }

    /// Packets that stand begun on cables that stay down: their rest was dropped by the sender, and what crossed has
    /// an end of its own.
    fn abandon_failed_cables(&mut self) {
        let Some(disturber) = &mut self.disturber else {
            return;
        };
        let planned = disturber.planned.iter();
        for number in planned.flat_map(PlannedFailures::cables_down) {
            let cable = &self.plan.network.cables[number];
            let cut = self.wiring.abandon(cable, &self.groups);
            disturber.losses.abandon(cut);
        }
    }

    /// What the disturbances did.
    pub(super) fn disturbed(&self) -> Option<Disturbed> {
        let disturber = self.disturber.as_ref()?;
        let (cables, control) = (&disturber.cables, &disturber.control);
        Some(Disturbed {
            cable_failures: match &disturber.planned {
                Some(planned) => planned.cables_down().count() as u64,
                None => {
                    let plugs = disturber.plugs.as_ref();
                    let moved = plugs.map_or(0, |(plan, _)| plan.cables_moved());
                    moved + cables.as_ref().map_or(0, CableFaults::failures)
                }
            },
            packets_lost: self.board.lost(),
            packets_bad: self.board.bad(),
            control_operations: control.as_ref().map_or(0, ControlTraffic::operations),
        })
    }
}
