//! Allocation: accept, pop, candidates, grant (rules 1 to 4 of section 1.6).
//!
//! A flow that goes on touches nothing that others look at, so those are popped first. What other
//! outputs do is decided from the state at the start of the cycle: each changes its own state alone.

use super::counters::Event;
use super::key_set::KeySet;
use super::state::{NONE, Output};
use super::{SwitchCore, bits};
use crate::flit::{Flit, FlitSink};

/// What the outputs of a bank do to each other in a cycle.
#[derive(Default)]
struct Bank {
    /// Outputs whose grant is accepted; outputs whose grant lost.
    accepted: u32,
    lost: u32,
    /// Inputs that are claimed.
    claimed: u32,
}

impl<F: Flit, K: KeySet> SwitchCore<F, K> {
    /// The rules for all outputs: at most one flit is popped for each.
    #[inline]
    pub(super) fn allocate(&mut self, sink: &mut impl FlitSink<F>) {
        let (requested, flows) = (self.requested, self.flows);
        let overdue = self.watch();
        self.popped_outputs = 0;
        let concerned = requested | flows | self.granted;
        if concerned != 0 {
            for output in bits(flows) {
                self.go_on(output, sink);
            }
            let settling = concerned & !self.popped_outputs;
            if settling != 0 {
                self.settle(settling, flows, sink);
            }
        }
        self.end_watch(overdue);
        if self.shape.counters {
            for output in bits(requested & !self.popped_outputs) {
                self.counters.count(output, Event::StallCycle);
            }
        }
    }

    /// Pops the flit of a flow that goes on after it.
    #[inline(always)]
    fn go_on(&mut self, output: usize, sink: &mut impl FlitSink<F>) {
        let Output { chosen, queue, .. } = self.outputs[output];
        let is_ready = match self.queues.length(queue) {
            0 => false,
            1 => !self.is_in_stage1(output, chosen.into()),
            _ => true,
        };
        if is_ready && !self.queues.oldest_is_last(queue) && self.chosen_may_leave(output) {
            self.pop(output, sink);
        }
    }

    /// The outputs whose flow ends or that have none; `flows`: those with one at the start of the cycle.
    #[inline(never)]
    fn settle(&mut self, settling: u32, flows: u32, sink: &mut impl FlitSink<F>) {
        for number in 0..self.shape.banks {
            let outputs = self.shape.bank_outputs(number);
            if settling & outputs != 0 {
                let bank = self.bank(number, flows & outputs);
                for output in bits(settling & outputs) {
                    self.settle_output(output, &bank, sink);
                }
            }
        }
    }

    /// Rule 1, and who claims. Flows that went on were popped already.
    fn bank(&mut self, number: usize, flows: u32) -> Bank {
        let granted = self.granted & self.shape.bank_outputs(number);
        let mut bank = Bank::default();
        bank.claimed = self.claimed(flows | granted);
        let serving = bits(flows).fold(0u32, |set, output| set | 1 << self.chosen_input(output));
        let mut left = granted;
        while left != 0 {
            let input = self.chosen_input(left.trailing_zeros() as usize);
            let rivals = bits(left).filter(|&output| self.chosen_input(output) == input);
            let rivals = rivals.fold(0, |set, output| set | 1 << output);
            left &= !rivals;
            if serving >> input & 1 == 0 {
                let accepted = 1 << self.accept(number, input, rivals);
                bank.accepted |= accepted;
                bank.lost |= rivals & !accepted;
            }
        }
        bank
    }

    /// Inputs whose bank is claimed by one of its outputs, of which these chose something.
    fn claimed(&self, chosen: u32) -> u32 {
        bits(chosen).fold(0, |claimed, output| {
            let went_on = self.popped_outputs >> output & 1 == 1;
            let claims = went_on || self.oldest_of_chosen(output) == Some(false);
            claimed | u32::from(claims) << self.chosen_input(output)
        })
    }

    fn chosen_input(&self, output: usize) -> usize {
        K::port_of(self.outputs[output].chosen.into())
    }

    /// The output that (input, bank) accepts among those that granted it.
    #[inline]
    fn accept(&mut self, bank: usize, input: usize, granting: u32) -> usize {
        let pointer = &mut self.accept_pointers[bank * self.shape.ports + input];
        let output = u64::from(granting).first_at_or_after(usize::from(*pointer));
        // Output n of the bank is n · B + b, so the one after it is B further; past the last one,
        // the search finds nothing and starts again at the first.
        *pointer = (output + self.shape.banks) as u8;
        output
    }

    /// Rules 2 to 4 for one output.
    fn settle_output(&mut self, output: usize, bank: &Bank, sink: &mut impl FlitSink<F>) {
        let is_flow = self.flows >> output & 1 == 1;
        let accepted = bank.accepted >> output & 1 == 1;
        let lost = bank.lost >> output & 1 == 1;
        let oldest_is_last = self.oldest_of_chosen(output);
        let pops =
            (is_flow || accepted) && oldest_is_last.is_some() && self.chosen_may_leave(output);
        if pops && oldest_is_last == Some(false) {
            self.granted &= !(1 << output);
            self.flows |= 1 << output;
            self.pop(output, sink);
            return;
        }
        let retries = lost && oldest_is_last == Some(true);
        let candidate = if retries {
            None
        } else {
            self.candidate(output, bank.claimed)
        };
        if pops {
            self.pop(output, sink);
        }
        self.flows &= !(1 << output);
        if let Some(key) = candidate {
            // Past the last port of a channel the search goes on with the next channel; the highest
            // key of a set belongs to no port, so the pointer stays a key.
            self.grant_pointers[output] = key as u8 + 1;
            self.choose(output, key);
        } else if accepted && !pops {
            self.outputs[output].chosen = NONE;
        }
        let has_grant = self.outputs[output].chosen != NONE;
        self.granted = self.granted & !(1 << output) | u32::from(has_grant) << output;
    }

    /// Rule 3, and the first candidate at or after the grant pointer. `claimed`: inputs whose bank is claimed.
    fn candidate(&self, output: usize, claimed: u32) -> Option<usize> {
        let Output {
            waiting, chosen, ..
        } = self.outputs[output];
        let mut wanted = if self.overdue >> output & 1 == 1 {
            waiting & K::of(self.watched(output))
        } else {
            waiting & !self.shape.keys_of_inputs::<K>(claimed)
        };
        if chosen != NONE {
            wanted.remove(chosen.into());
        }
        if wanted.is_empty() {
            return None;
        }
        let down = !self.link_is_up(output);
        let mut candidates = K::EMPTY;
        for number in 0..self.shape.channels {
            let members = wanted & self.members(output, number);
            let channel = &self.output_channels[K::key(output, number)];
            if self.admits_headers(output, channel.lock) {
                if down || channel.credit >= self.shape.header_need {
                    candidates |= members;
                }
            } else if down || channel.discard || channel.credit >= 1 {
                candidates |= members & K::of(channel.lock.into());
            }
        }
        let pointer = usize::from(self.grant_pointers[output]);
        (!candidates.is_empty()).then(|| candidates.first_at_or_after(pointer))
    }

    /// Whether a packet may begin on a channel with this lock; that of the flow may end.
    #[inline]
    fn admits_headers(&self, output: usize, lock: u8) -> bool {
        let is_flow = self.flows >> output & 1 == 1;
        lock == NONE || is_flow && lock == self.outputs[output].chosen
    }

    /// *may go on* or *may begin*, with the lock of the flow as in rule 3.
    #[inline]
    pub(super) fn may_leave(&self, output: usize, key: usize) -> bool {
        let place = K::key(output, self.outgoing_channel(output, key));
        self.may_leave_by(output, key, place)
    }

    /// The same for the chosen request.
    #[inline]
    fn chosen_may_leave(&self, output: usize) -> bool {
        let Output { chosen, place, .. } = self.outputs[output];
        self.may_leave_by(output, chosen.into(), place.into())
    }

    #[inline]
    fn may_leave_by(&self, output: usize, key: usize, place: usize) -> bool {
        let channel = &self.output_channels[place];
        let down = !self.link_is_up(output);
        if usize::from(channel.lock) == key {
            channel.credit >= 1 || channel.discard || down
        } else {
            self.admits_headers(output, channel.lock)
                && (down || channel.credit >= self.shape.header_need)
        }
    }

    /// *ready*: a flit that is in stage 1 counts in its queue already, but is not there yet.
    #[inline(always)]
    pub(super) fn is_ready(&self, output: usize, key: usize) -> bool {
        let (input, channel) = (K::port_of(key), K::channel_of(key));
        self.outputs[output].waiting.has(key)
            && !(self.is_in_stage1(output, key)
                && self.queues.length_of(input, channel, output) == 1)
    }

    /// Whether `stage1` holds a flit of a request.
    #[inline(always)]
    fn is_in_stage1(&self, output: usize, key: usize) -> bool {
        let input = K::port_of(key);
        let stage1 = &self.stages[input];
        self.stage1 >> input & 1 == 1
            && usize::from(stage1.key) == key
            && usize::from(stage1.destination) == output
    }

    /// Whether the oldest flit of the chosen request is the last of its packet, if the request is ready.
    fn oldest_of_chosen(&self, output: usize) -> Option<bool> {
        let Output { chosen, queue, .. } = self.outputs[output];
        let is_ready = chosen != NONE && self.is_ready(output, chosen.into());
        is_ready.then(|| self.queues.oldest_is_last(queue))
    }

    /// A request becomes the chosen one of an output.
    fn choose(&mut self, output: usize, key: usize) {
        let place = K::key(output, self.outgoing_channel(output, key));
        let (input, channel) = (K::port_of(key), K::channel_of(key));
        let state = &mut self.outputs[output];
        state.chosen = key as u8;
        state.place = place as u8;
        state.queue = self.queues.queue(input, channel, output);
    }
}
