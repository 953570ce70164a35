//! Registered arbitration: what outputs grant in one cycle, inputs accept in the next (section 1.8).
//!
//! A popped flit is read at once but removed from its queue only in the next cycle, after everything
//! that compares fill levels: so levels are as late as the section says.

use super::counters::Event;
use super::crowded_first::CrowdedFirst;
use super::key_set::KeySet;
use super::shape::MAX_PORTS;
use super::state::{NONE, Output};
use super::{CoreShape, SwitchCore, bits};
use crate::flit::{Flit, FlitSink};

/// State that only registered arbitration has.
#[derive(Debug, Clone)]
pub(super) struct Registered<K> {
    /// `grant[o]`: [`NONE`] or a key.
    grants: Box<[u8]>,
    /// Key popped for each output in the last cycle, or [`NONE`].
    popped: Box<[u8]>,
    /// Outputs with a grant; outputs for which a flit was popped in the last cycle.
    granted: u32,
    popped_outputs: u32,
    /// *held* of the last cycle, by output, and whether any key is.
    held: Box<[K]>,
    holds: bool,
    /// `link_up` of the last cycle.
    was_up: u32,
    crowded_first: CrowdedFirst,
}

/// What banks made of the grants of a cycle.
struct Acceptance {
    /// Inputs whose bank has a flow, by bank.
    reserved: [u32; MAX_PORTS],
    /// Outputs accepted; outputs that lost.
    accepted: u32,
    lost: u32,
}

impl<K: KeySet> Registered<K> {
    /// After reset; none for a core without the option.
    pub fn of(shape: &CoreShape) -> Option<Box<Self>> {
        shape.registered_arbitration.then(|| {
            Box::new(Registered {
                grants: vec![NONE; shape.ports].into(),
                popped: vec![NONE; shape.ports].into(),
                granted: 0,
                popped_outputs: 0,
                held: vec![K::EMPTY; shape.ports].into(),
                holds: false,
                was_up: 0,
                crowded_first: CrowdedFirst::new(shape.ports),
            })
        })
    }

    /// Whether nothing changes in a cycle with this `link_up`, unless a flit comes.
    pub fn is_at_rest(&self, link_up: u32) -> bool {
        self.granted | self.popped_outputs == 0 && !self.holds && self.was_up == link_up
    }

    fn was_up(&self, output: usize) -> bool {
        self.was_up >> output & 1 == 1
    }

    /// `grant[o]`.
    pub fn grant(&self, output: usize) -> Option<usize> {
        Some(usize::from(self.grants[output])).filter(|&key| key != usize::from(NONE))
    }

    fn set_grant(&mut self, output: usize, key: Option<usize>) {
        self.grants[output] = key.map_or(NONE, |key| key as u8);
        self.granted = self.granted & !(1 << output) | u32::from(key.is_some()) << output;
    }

    fn set_popped(&mut self, output: usize, key: Option<usize>) {
        self.popped[output] = key.map_or(NONE, |key| key as u8);
        self.popped_outputs =
            self.popped_outputs & !(1 << output) | u32::from(key.is_some()) << output;
    }
}

impl<F: Flit, K: KeySet> SwitchCore<F, K> {
    /// The rules of the section for all outputs. `pushed`: inputs whose flit left stage 1 in this
    /// cycle for a queue.
    pub(super) fn allocate_registered(&mut self, pushed: u32, sink: &mut impl FlitSink<F>) {
        let Some(mut state) = self.registered.take() else {
            return;
        };
        let stalling = self.requested;
        self.remove_popped(&state);
        let banks = self.accept_grants(&state);
        let concerned = self.requested | self.flows | state.granted | state.popped_outputs;
        let mut popped = 0;
        for output in bits(concerned) {
            let flow = self.outputs[output].flow;
            let own = match flow {
                NONE => state.grant(output),
                flow => Some(usize::from(flow)),
            };
            let preferred = match flow {
                NONE => None,
                _ => state.crowded_first.preferred_inputs(output),
            };
            let candidate = self.candidate(output, own, preferred, &state, &banks);
            let accepted = banks.accepted >> output & 1 == 1;
            let lost = banks.lost >> output & 1 == 1;
            let ready = own.is_some_and(|key| self.is_ready(output, key, pushed));
            let retry = lost && ready && own.is_some_and(|key| self.oldest_is_last(output, key));
            let tried = own.filter(|_| ready && (flow != NONE || accepted));
            let pop = tried.filter(|&key| {
                self.may_leave(
                    output,
                    key,
                    state.held[output].has(key),
                    state.was_up(output),
                )
            });
            match pop {
                Some(key) => {
                    let up = state.was_up(output) && self.link_is_up(output);
                    self.send_oldest(output, key, up, sink);
                }
                None => {
                    self.outputs[output].flow = NONE;
                    self.flows &= !(1 << output);
                }
            }
            popped |= u32::from(pop.is_some()) << output;
            state.set_popped(output, pop);
            let next = if self.outputs[output].flow != NONE {
                None
            } else if retry {
                own
            } else if candidate.is_some() {
                candidate
            } else {
                own.filter(|_| pop.is_some() || !accepted)
            };
            if flow != NONE && self.outputs[output].flow == NONE {
                state.crowded_first.end_flow(output, preferred.is_some());
            }
            let is_granted = !retry && preferred.is_none() && next == candidate;
            if let Some(key) = candidate.filter(|_| is_granted) {
                // As in 1.6: a pointer past the last port of a channel goes on with the next one.
                self.grant_pointers[output] = key as u8 + 1;
            }
            state.set_grant(output, next);
        }
        for output in bits(stalling & !popped) {
            self.counters.count(output, Event::StallCycle);
        }
        state.crowded_first.end_cycle();
        self.remember_held(&mut state);
        if state.was_up != self.link_up {
            self.discard_begun_packets(!self.link_up & self.shape.all_ports());
            state.was_up = self.link_up;
        }
        self.registered = Some(state);
    }

    /// Inputs with crowded queues, from the queue lengths at the start of the cycle.
    pub(super) fn find_crowded_queues(&mut self) {
        let Some(state) = &mut self.registered else {
            return;
        };
        let crowded = &mut state.crowded_first.crowded;
        crowded.fill(0);
        for key in self.full.keys() {
            let (input, channel) = (K::port_of(key), K::channel_of(key));
            for (output, inputs) in crowded.iter_mut().enumerate() {
                let length = self.queues.length_of(input, channel, output);
                *inputs |= u32::from(length >= self.shape.full_mark()) << input;
            }
        }
    }

    /// The flits popped in the last cycle leave their queues.
    fn remove_popped(&mut self, state: &Registered<K>) {
        for output in bits(state.popped_outputs) {
            let key = usize::from(state.popped[output]);
            let queue = self
                .queues
                .queue(K::port_of(key), K::channel_of(key), output);
            self.take_oldest(output, key, queue);
        }
    }

    /// Rule 1.
    fn accept_grants(&mut self, state: &Registered<K>) -> Acceptance {
        let mut banks = Acceptance {
            reserved: [0; MAX_PORTS],
            accepted: 0,
            lost: 0,
        };
        for output in bits(self.flows) {
            let input = K::port_of(usize::from(self.outputs[output].flow));
            banks.reserved[self.shape.bank_of(output)] |= 1 << input;
        }
        for bank in 0..self.shape.banks {
            // Outputs that grant each input.
            let mut granting = [0u32; MAX_PORTS];
            for output in bits(state.granted & self.shape.bank_outputs(bank)) {
                let input = K::port_of(usize::from(state.grants[output]));
                if banks.reserved[bank] >> input & 1 == 0 {
                    granting[input] |= 1 << output;
                }
            }
            for (input, &outputs) in granting.iter().enumerate().filter(|(_, set)| **set != 0) {
                let accepted = 1 << self.accept(bank, input, outputs);
                banks.accepted |= accepted;
                banks.lost |= outputs & !accepted;
            }
        }
        banks
    }

    /// Rule 3, and the first candidate at or after the grant pointer. `own`: k. `preferred`: the only
    /// inputs to ask, if not all of them.
    fn candidate(
        &self,
        output: usize,
        own: Option<usize>,
        preferred: Option<u32>,
        state: &Registered<K>,
        banks: &Acceptance,
    ) -> Option<usize> {
        let Output { requests, flow, .. } = self.outputs[output];
        let grant_pointer = self.grant_pointers[output];
        let mut busy = banks.reserved[self.shape.bank_of(output)];
        if flow != NONE {
            busy &= !(1 << K::port_of(usize::from(flow)));
        }
        busy |= preferred.map_or(0, |inputs| !inputs & self.shape.all_ports());
        let mut wanted = requests & !self.shape.keys_of_inputs::<K>(busy);
        own.iter().for_each(|&key| wanted.remove(key));
        let down = !state.was_up(output);
        let mut candidates = K::EMPTY;
        for channel in 0..self.shape.channels {
            let members = wanted & self.members(output, channel);
            let channel = &self.output_channels[K::key(output, channel)];
            let is_locked = channel.lock != NONE;
            if is_locked && (down || channel.discard || channel.credit >= 1) {
                candidates |= members & K::of(usize::from(channel.lock));
            }
            let admits_headers = !is_locked || channel.lock == flow;
            if admits_headers && (down || channel.credit >= self.shape.header_need) {
                candidates |= members & !state.held[output];
            }
        }
        (!candidates.is_empty()).then(|| candidates.first_at_or_after(usize::from(grant_pointer)))
    }

    /// Whether the queue of a key holds a flit besides one that was pushed in this cycle.
    fn is_ready(&self, output: usize, key: usize, pushed: u32) -> bool {
        let input = K::port_of(key);
        let stage1 = &self.stages[input];
        let is_new = pushed >> input & 1 == 1
            && usize::from(stage1.destination) == output
            && usize::from(stage1.key) == key;
        let length = self.queues.length_of(input, K::channel_of(key), output);
        length > u16::from(is_new)
    }

    fn oldest_is_last(&self, output: usize, key: usize) -> bool {
        let queue = self
            .queues
            .queue(K::port_of(key), K::channel_of(key), output);
        self.queues.oldest(queue, K::channel_of(key)).tag().last
    }

    /// The oldest flit of a key's queue leaves; it stays in the queue until the next cycle.
    fn send_oldest(&mut self, output: usize, key: usize, up: bool, sink: &mut impl FlitSink<F>) {
        let queue = self
            .queues
            .queue(K::port_of(key), K::channel_of(key), output);
        let place = K::key(output, self.outgoing_channel(output, key));
        let state = &mut self.outputs[output];
        (state.flow_place, state.flow_queue) = (place as u8, queue);
        let flit = self.queues.oldest(queue, K::channel_of(key));
        self.leave(output, key, place, flit, up, sink);
    }

    /// *held* of this cycle, for the next.
    fn remember_held(&self, state: &mut Registered<K>) {
        let holds = !self.held.is_empty();
        if holds || state.holds {
            for (output, held) in state.held.iter_mut().enumerate() {
                *held = self.held_from(output);
            }
        }
        state.holds = holds;
    }
}
