//! A manager at the control ports of a network under lockstep: each of its accesses takes the cycles that AXI4-Lite
//! takes, while hosts send.

use super::in_band::{RunManager, Stop};
use super::{DRAIN, RunningNetwork};
use crate::mismatch::{Failure, FailureKind};
use crate::network::attached_hosts::AttachedHosts;
use crate::network::live::LiveReport;
use crate::stimulus::Write;
use mkns_manage::{FailureSeen, Manager, ManagerError, Registers};
use mkns_topology::BlockId;

/// The control ports of a network with its hosts.
pub(super) struct ControlPorts<'a, 'b> {
    pub network: &'a mut RunningNetwork<'b>,
    pub hosts: &'a mut dyn AttachedHosts,
    /// Hosts may begin packets.
    pub sending: bool,
}

impl Registers for ControlPorts<'_, '_> {
    type Error = Box<Failure>;

    fn read(&mut self, block: BlockId, address: u32) -> Result<Option<u32>, Self::Error> {
        self.network.masters.answer = None;
        self.network.masters.of(block.0 as usize).read(address);
        loop {
            self.network.traffic(self.hosts, self.sending)?;
            if let Some(answer) = self.network.masters.answer.take() {
                return Ok((answer.response == 0).then_some(answer.data));
            }
        }
    }

    fn write(&mut self, block: BlockId, address: u32, value: u32) -> Result<bool, Self::Error> {
        let number = block.0 as usize;
        let master = self.network.masters.of(number);
        let refused = master.refused_writes;
        master.write(Write::new(address, value));
        while !self.network.masters.of(number).idle() {
            self.network.traffic(self.hosts, self.sending)?;
        }
        Ok(self.network.masters.of(number).refused_writes == refused)
    }

    fn hold_hosts(&mut self, stop: bool) -> Result<bool, Self::Error> {
        self.sending = !stop;
        Ok(true)
    }
}

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
