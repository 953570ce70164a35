//! A machine that powered up empty gets its keys, peers, addresses and tables, over its own cables.

use std::fmt;

use mkns_contract::address::MANAGEMENT;
use mkns_design::{Plan, serial_link};
use mkns_routing::{self as routing, Routing};
use mkns_topology::{BlockId, Faults};
use serde::Serialize;

use super::discovery::Discovery;
use super::messenger::InBandError;
use super::registers::InBandRegisters;
use crate::configuration::block_configuration;
use crate::links::failed_parts;
use crate::{Manager, ManagerError, Registers};

/// What a bring-up did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BringUp {
    /// Blocks that have all that they need.
    pub blocks: usize,
    /// Those of them that had no number.
    #[serde(skip)]
    pub numbered: usize,
    /// Parts of the plan that are not there; routes avoid them.
    pub missing: Vec<String>,
    /// Registers written.
    pub writes: usize,
    /// Messages that it took.
    pub messages: u64,
    #[serde(skip)]
    pub faults: Faults,
}

/// Why a machine is not brought up.
#[derive(Debug)]
pub enum BringUpError<E> {
    Manager(ManagerError<E>),
    /// Something is not as planned; blocks that had no number have none, and nothing else was written.
    Differs(Box<Discovery>),
}

impl<E> From<ManagerError<E>> for BringUpError<E> {
    fn from(error: ManagerError<E>) -> Self {
        Self::Manager(error)
    }
}

impl<R: Registers<Error: fmt::Display>> InBandRegisters<'_, R> {
    /// Finds the machine, compares it with the plan, and writes all that its blocks need; the manager of what it has
    /// become.
    ///
    /// # Errors
    /// When the machine is not as planned, or stops answering.
    pub fn bring_up(
        &mut self,
        plan: &Plan,
    ) -> Result<(Manager, BringUp), BringUpError<InBandError<R::Error>>> {
        let before = self.messenger.counts.messages;
        let found = self.found_as_planned(plan)?;
        let index = plan.network.index();
        let faults = failed_parts(&plan.network, &index, &found.readings);
        let routes = routing::build(&plan.spec, &plan.network, &faults);
        let routes = routes.map_err(ManagerError::NoRoutes)?;
        let mut writes = 0;
        for &block in &found.reached {
            if self.messenger.key != 0 {
                let is_set = self.set_key(block).map_err(ManagerError::from)?;
                accepted(is_set, plan, block, MANAGEMENT)?;
            }
            for (address, value) in block_configuration(plan, &index, block, &routes) {
                let is_written = self.write(block, address, value);
                accepted(
                    is_written.map_err(ManagerError::from)?,
                    plan,
                    block,
                    address,
                )?;
                writes += 1;
            }
        }
        self.expect_rest(plan);
        self.arm().map_err(ManagerError::from)?;
        let missing = found.unreached(plan);
        let known = Plan {
            faults: faults.clone(),
            ..plan.clone()
        };
        let done = BringUp {
            blocks: found.reached.len(),
            numbered: found.numbered.len(),
            missing: found.missing,
            writes,
            messages: self.messenger.counts.messages - before,
            faults,
        };
        let manager = Manager::of_brought_up(&known, routes, &missing, found.readings);
        Ok((manager, done))
    }

    /// Finds a machine that runs with these routes, in which the faults of the plan have failed, and compares it with the
    /// plan; its manager. Only notices are written.
    ///
    /// # Errors
    /// As for [`Self::bring_up`].
    pub fn take_over(
        &mut self,
        plan: &Plan,
        in_use: Routing,
    ) -> Result<Manager, BringUpError<InBandError<R::Error>>> {
        let found = self.found_as_planned(plan)?;
        self.expect_rest(plan);
        self.messenger.assume_keys(plan.network.block_ids());
        for &block in &found.reached {
            self.messenger.notices.expect(block);
        }
        self.arm().map_err(ManagerError::from)?;
        let missing = found.unreached(plan);
        Ok(Manager::of_brought_up(
            plan,
            in_use,
            &missing,
            found.readings,
        ))
    }

    fn found_as_planned(
        &mut self,
        plan: &Plan,
    ) -> Result<Discovery, BringUpError<InBandError<R::Error>>> {
        let found = self.discover(plan)?;
        match found.wrong.is_empty() {
            true => Ok(found),
            false => {
                self.take_numbers_back(plan, &found)?;
                Err(BringUpError::Differs(Box::new(found)))
            }
        }
    }

    /// Cables that are not there may come: then EXPECTED_PEER has made sure that they are the planned ones, and a block
    /// is compared before anything is written to it.
    fn expect_rest(&mut self, plan: &Plan) {
        let map = &mut self.messenger.map;
        for cable in &plan.network.cables {
            for (end, peer) in [(cable.a, cable.b), (cable.b, cable.a)] {
                let is_serial = serial_link(&plan.spec, cable).is_some();
                if is_serial && map.peer(end).is_none() {
                    map.join(end, peer);
                    map.set_up(end, false);
                }
            }
        }
    }
}

/// An error for a write that a block refuses or does not answer.
fn accepted<E>(
    is_done: bool,
    plan: &Plan,
    block: BlockId,
    address: u32,
) -> Result<(), ManagerError<E>> {
    match is_done {
        true => Ok(()),
        false => Err(ManagerError::Refused {
            block: plan.network.block(block).name.clone(),
            address,
        }),
    }
}

impl fmt::Display for BringUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (blocks, writes, messages) = (self.blocks, self.writes, self.messages);
        write!(
            f,
            "{blocks} blocks brought up with {writes} writes and {messages} messages"
        )?;
        match self.missing.is_empty() {
            true => Ok(()),
            false => write!(f, "; missing: {}", self.missing.join(", ")),
        }
    }
}
