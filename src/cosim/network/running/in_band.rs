//! The manager of a run: at the control ports of all blocks, or over the cables from one of them.

use super::RunningNetwork;
use super::control_ports::ControlPorts;
use crate::mismatch::Failure;
use crate::network::attached_hosts::AttachedHosts;
use mkns_design::Plan;
use mkns_manage::{
    BringUpError, InBandError, InBandReport, Manager, ManagerError, Messenger, RouteChange,
};
use mkns_routing::Routing;
use mkns_topology::BlockId;

/// Requester of the manager, and the key that it sets.
const REQUESTER: u16 = 1;
const KEY: u64 = 0x5eed_0f4b_1dea_c0de;

/// A manager, and how it reaches blocks.
pub(super) struct RunManager {
    pub manager: Manager,
    /// None at the control ports.
    over_cables: Option<(Messenger, InBandReport)>,
}

/// Why a manager cannot go on.
pub(super) enum Stop {
    /// The run itself has failed.
    Failure(Box<Failure>),
    GivesUp(String),
}

impl From<ManagerError<Box<Failure>>> for Stop {
    fn from(error: ManagerError<Box<Failure>>) -> Self {
        match error {
            ManagerError::Registers(failure) => Self::Failure(failure),
            other => Self::GivesUp(other.to_string()),
        }
    }
}

impl From<ManagerError<InBandError<Box<Failure>>>> for Stop {
    fn from(error: ManagerError<InBandError<Box<Failure>>>) -> Self {
        match error {
            ManagerError::Registers(InBandError::Port(failure)) => Self::Failure(failure),
            other => Self::GivesUp(other.to_string()),
        }
    }
}

impl RunManager {
    pub fn at_control_ports(plan: &Plan, in_use: Routing) -> Self {
        Self {
            manager: Manager::new(plan, in_use),
            over_cables: None,
        }
    }

    /// One look at all links, and what follows from it.
    pub fn round(&mut self, mut ports: ControlPorts<'_, '_>) -> Result<Option<RouteChange>, Stop> {
        let Some((messenger, report)) = &mut self.over_cables else {
            return Ok(self.manager.round(&mut ports)?);
        };
        let start = ports.network.cycle;
        let change = self.manager.round(&mut messenger.through(&mut ports))?;
        let cycles = ports.network.cycle - start;
        report.note(cycles, change.is_some(), messenger.counts());
        Ok(change)
    }

    /// What it did over the cables, up to its last look at all links.
    pub fn in_band_report(&self) -> Option<InBandReport> {
        let (_, report) = self.over_cables.as_ref()?;
        Some(report.clone())
    }
}

impl RunningNetwork<'_> {
    /// Brings up blocks that are empty, from the window of one of them, whose control port is driven already.
    pub(super) fn bring_up(
        &mut self,
        from: BlockId,
        hosts: &mut dyn AttachedHosts,
    ) -> Result<RunManager, Box<Failure>> {
        let (plan, start) = (self.plan, self.cycle);
        let mut messenger = Messenger::new(from, from, REQUESTER).with_key(KEY);
        let ports = ControlPorts {
            network: self,
            hosts,
            sending: false,
        };
        let (manager, bring_up) = match messenger.through(ports).bring_up(plan) {
            Ok(done) => done,
            Err(BringUpError::Differs(found)) => {
                return Err(self.unmanaged(&found.wrong.join("; ")));
            }
            Err(BringUpError::Manager(error)) => match Stop::from(error) {
                Stop::Failure(failure) => return Err(failure),
                Stop::GivesUp(words) => return Err(self.unmanaged(&words)),
            },
        };
        let name = plan.network.block(from).name.clone();
        let counts = messenger.counts().clone();
        let report = InBandReport::new(name, self.cycle - start, bring_up, counts);
        Ok(RunManager {
            manager,
            over_cables: Some((messenger, report)),
        })
    }
}
