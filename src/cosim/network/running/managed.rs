//! A manager of a network under lockstep: when it looks, and what comes of it.

use super::control_ports::ControlPorts;
use super::in_band::{RunManager, Stop};
use super::{DRAIN, RunningNetwork};
use crate::mismatch::{Failure, FailureKind};
use crate::network::attached_hosts::AttachedHosts;
use crate::network::live::LiveReport;
use mkns_manage::{FailureSeen, Manager, ManagerError};

impl RunningNetwork<'_> {
    /// One look of the manager at the network, and what it does then; whether anything had changed.
    pub(super) fn manage(
        &mut self,
        manager: &mut RunManager,
        hosts: &mut dyn AttachedHosts,
        (start, report): (u64, &mut LiveReport),
    ) -> Result<bool, Box<Failure>> {
        let ports = ControlPorts {
            network: self,
            hosts,
            sending: true,
        };
        let repair = match manager.round(ports) {
            Ok(None) => return Ok(false),
            Ok(Some(repair)) => repair,
            Err(Stop::Failure(failure)) => return Err(failure),
            Err(Stop::GivesUp(words)) => return Err(self.unmanaged(&words)),
        };
        hosts.serve(repair.served.clone());
        report.history.failures = self.failures_seen();
        report.history.repaired(self.cycle - start, repair);
        Ok(true)
    }

    /// Looks at every block before traffic: all have to be those of the plan.
    pub(super) fn identify(
        &mut self,
        manager: &mut Manager,
        hosts: &mut dyn AttachedHosts,
    ) -> Result<(), Box<Failure>> {
        let mut ports = ControlPorts {
            network: self,
            hosts,
            sending: false,
        };
        let patience = ports.network.cycle + DRAIN;
        match manager.identify(&mut ports) {
            Ok(silent) => {
                debug_assert!(silent.is_empty() && self.cycle < patience);
                Ok(())
            }
            Err(ManagerError::Registers(failure)) => Err(failure),
            Err(error) => Err(self.unmanaged(&error.to_string())),
        }
    }

    /// The parts that have failed so far, by name.
    pub(super) fn failures_seen(&self) -> Vec<FailureSeen> {
        let planned = self
            .fault_injector
            .iter()
            .filter_map(|all| all.planned.as_ref());
        let failed = planned.flat_map(|planned| &planned.failed);
        let seen = failed.map(|failure| FailureSeen {
            part: failure.part.name(&self.plan.network),
            cycle: failure.cycle,
        });
        seen.collect()
    }

    pub(super) fn unmanaged(&self, words: &str) -> Box<Failure> {
        let note = format!("the manager gives up: {words}");
        self.failure(FailureKind::Contract, 0, note)
    }
}
