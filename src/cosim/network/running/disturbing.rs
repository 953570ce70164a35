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
            losses: CableLosses::new(self.plan),
            active: true,
        });
        self.board.tolerate(match (link_faults, control_traffic) {
            (false, _) => Tolerance::Exact,
            (true, false) => Tolerance::Losses,
            (true, true) => Tolerance::LossesAndDetours,
        });
    }

    /// Changes cables and begins control accesses at the start of a cycle.
    pub(super) fn drive_disturbance(&mut self) {
        let Some(disturber) = &mut self.disturber else {
            return;
        };
        if let Some(faults) = &mut disturber.cables {
            for change in faults.step(self.cycle, disturber.active) {
                let cable = &self.plan.network.cables[change.cable];
                let cut = self.wiring.set_cable_up(cable, change.up, &mut self.groups);
                disturber.losses.change(cable, change.up, cut);
                if let Some(single) = &mut self.single {
                    single.set_cable_up(change.cable, cable, change.up);
                }
            }
            disturber.losses.arrive(self.wiring.arrivals());
        }
        if let Some(control) = &mut disturber.control {
            if disturber.active {
                control.step(self.plan, &mut self.masters);
            }
            self.masters.drive(&self.places, &mut self.groups);
        }
    }

    pub(super) fn observe_control_traffic(&mut self) {
        if (self.disturber.as_ref()).is_some_and(|disturber| disturber.control.is_some()) {
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
        self.board.write_off();
        Ok(())
    }

    /// What the disturbances did.
    pub(super) fn disturbed(&self) -> Option<Disturbed> {
        let disturber = self.disturber.as_ref()?;
        let (cables, control) = (&disturber.cables, &disturber.control);
        Some(Disturbed {
            cable_failures: cables.as_ref().map_or(0, CableFaults::failures),
            packets_lost: self.board.lost(),
            packets_bad: self.board.bad(),
            control_operations: control.as_ref().map_or(0, ControlTraffic::operations),
        })
    }
}
