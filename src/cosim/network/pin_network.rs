//! RTL and golden model of a whole network in lockstep, driven by whoever drives the hosts' pins.
//!
//! Every output of every block is compared in every cycle. After the first failure nothing moves any
//! more, so the driver need not look before its end.

use mkns_design::Plan;
use mkns_golden::NetworkOnPins;
use mkns_topology::BlockId;

use super::{Failure, Pair, RunningNetwork};

/// A network of pairs, configured and without packets.
pub struct LockstepNetwork<'a> {
    network: RunningNetwork<'a>,
    failure: Option<Box<Failure>>,
}

impl<'a> LockstepNetwork<'a> {
    /// Resets and configures a network; `devices` makes the two sides for the blocks of a module.
    pub fn new(
        plan: &'a Plan,
        devices: &mut dyn FnMut(usize, &[BlockId]) -> Pair,
    ) -> Result<Self, Box<Failure>> {
        let network = RunningNetwork::configured(plan, 1, devices)?;
        Ok(Self {
            network,
            failure: None,
        })
    }

    /// Cycles since the start, or what went wrong first.
    pub fn finish(self) -> Result<u64, Box<Failure>> {
        match self.failure {
            None => Ok(self.network.cycle),
            Some(failure) => Err(failure),
        }
    }
}

impl NetworkOnPins for LockstepNetwork<'_> {
    fn inputs_mut(&mut self, block: BlockId) -> &mut [u64] {
        let at = self.network.places[block.0 as usize];
        self.network.groups[at.group].inputs_of(at.instance)
    }

    fn outputs(&self, block: BlockId) -> &[u64] {
        let at = self.network.places[block.0 as usize];
        self.network.groups[at.group].outputs_of(at.instance)
    }

    fn step(&mut self) {
        if self.failure.is_none() {
            let moved = self.network.step().and_then(|()| self.network.transfer());
            self.failure = moved.err();
        }
    }
}
