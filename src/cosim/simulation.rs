//! RTL and golden model of a whole network in lockstep, driven by whoever drives the hosts' pins: the traffic of
//! `mkns sim`, whose packets then leave in the same cycles, and the loads of `mkns verify-nonblocking`.
//!
//! Every output of every block is compared in every cycle. After the first failure nothing moves any
//! more, so the driver need not look before its end.

use mkns_design::Plan;
use mkns_golden::NetworkOnPins;
use mkns_topology::BlockId;

use super::golden_devices::LockstepConfig;
use super::mismatch::Failure;
use super::models::Models;
use super::network::RunningNetwork;
use super::session::{Pairs, RunListener, SessionError, libraries};

/// A network of pairs, configured and without packets.
pub struct LockstepNetwork<'a> {
    network: RunningNetwork<'a>,
    failure: Option<Box<Failure>>,
}

/// A whole network of pairs, ready to be driven; the registers of the RTL power up from `seed`.
pub fn lockstep_network<'a>(
    plan: &'a Plan,
    models: &Models,
    seed: u64,
    listener: &dyn RunListener,
) -> Result<LockstepNetwork<'a>, SessionError> {
    let libraries = libraries(plan, models, listener)?;
    let mut pairs = Pairs::new(plan, &libraries, LockstepConfig::computed(seed))?;
    let mut devices = |_, blocks: &[BlockId]| pairs.take(blocks);
    let network = RunningNetwork::configured(plan, 1, &mut devices);
    Ok(LockstepNetwork {
        network: network.map_err(SessionError::Failed)?,
        failure: None,
    })
}

impl LockstepNetwork<'_> {
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
