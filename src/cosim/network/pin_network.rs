//! RTL and golden model of a whole network in lockstep, driven by whoever drives the hosts' pins.
//!
//! Every output of every block is compared in every cycle. After the first failure nothing moves any
//! more, so the driver need not look before its end.

use mkns_design::{Device, Plan};
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

/// Its hosts' side: instance n is block n, of as many as there are words for, all of one module.
impl Device for LockstepNetwork<'_> {
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        if self.failure.is_some() {
            return;
        }
        let RunningNetwork { places, groups, .. } = &mut self.network;
        let pins = groups[places[0].group].pins.clone();
        for (at, words) in places.iter().zip(inputs.chunks_exact(pins.input_words)) {
            let to = groups[at.group].inputs_of(at.instance);
            pins.copy_inputs_beside_links(words, to);
        }
        let moved = self.network.step().and_then(|()| self.network.transfer());
        self.failure = moved.err();
        let RunningNetwork { places, groups, .. } = &self.network;
        for (at, words) in (places.iter()).zip(outputs.chunks_exact_mut(pins.output_words)) {
            words.copy_from_slice(groups[at.group].outputs_of(at.instance));
        }
    }
}
