//! Allocation: accept, pop, candidates, grant (rules 1 to 4 of section 1.6).
//!
//! A flow that goes on, or ends while nobody else waits, is popped first: that is all of the rules for it. What
//! other outputs do is decided from the state at the start of the cycle: each changes its own state alone.

use super::SwitchCore;
use super::key_set::KeySet;
use super::state::{NONE, Output};
use crate::flit::FlitSink;
use mkns_contract::ones;

/// What the outputs of a bank do to each other in a cycle.
#[derive(Default)]
struct Bank {
    /// Outputs whose grant is accepted.
    accepted: u32,
    /// Inputs that are claimed.
    claimed: u32,
}

impl<K: KeySet> SwitchCore<K> {
    /// The rules for all outputs: at most one flit is popped for each.
    #[inline]
    pub(super) fn allocate(&mut self, sink: &mut impl FlitSink) {
        let (requested, flows, granted) = (self.requested, self.flows, self.granted);
        let overdue = self.watch();
        if let Some(adaptive) = &mut self.adaptive {
            adaptive.idle = !(requested | flows | granted);
        }
        self.popped_outputs = 0;
        for output in ones(flows) {
            self.go_on(output, sink);
        }
        let settling = (requested | flows | granted) & !self.popped_outputs;
        if settling != 0 {
            self.settle(settling, flows, granted, sink);
        }
        if self.adaptive.is_some() {
            self.take_later_ways();
        }
        self.end_watch(overdue);
    }

    /// Pops the flit of a flow that goes on after it or, where nobody else waits, ends with it.
    #[inline(always)]
    fn go_on(&mut self, output: usize, sink: &mut impl FlitSink) {
        let Output {
            chosen,
            queue,
            waiting,
            ..
        } = self.outputs[output];
        let is_ready = match self.queues.length(queue) {
            0 => false,
            1 => self.has_register() || !self.is_in_stage1(output, chosen.into()),
            _ => true,
        };
        if !is_ready || !self.chosen_may_leave(output) {
            return;
        }
        if !self.queues.oldest_is_last(queue) {
            self.pop(output, sink);
        } else if waiting == K::of(chosen.into()) && !self.has_register() {
            self.pop(output, sink);
            self.flows &= !(1 << output);
            self.granted |= 1 << output;
        }
    }

    /// The outputs of which nothing was popped so far; `flows`, `granted`: outputs with a flow or a grant at the
    /// start of the cycle.
    #[inline(never)]
    fn settle(&mut self, settling: u32, flows: u32, granted: u32, sink: &mut impl FlitSink) {
        for number in 0..self.shape.banks {
            let outputs = self.shape.bank_outputs(number);
            if settling & outputs != 0 {
                let (flows, granted) = (flows & outputs, granted & outputs);
                let mut bank = self.accept_grants(number, flows, granted);
                bank.claimed = self.claimed(flows | granted);
                for output in ones(settling & outputs) {
                    self.settle_output(output, &bank, sink);
                }
            }
        }
    }

    /// Rule 1.
    #[inline]
    fn accept_grants(&mut self, number: usize, flows: u32, granted: u32) -> Bank {
        let mut bank = Bank::default();
        let serving = ones(flows).fold(0u32, |set, output| set | 1 << self.chosen_input(output));
        let mut left = granted;
        while left != 0 {
            let input = self.chosen_input(left.trailing_zeros() as usize);
            let rivals = ones(left).filter(|&output| self.chosen_input(output) == input);
            let rivals = rivals.fold(0, |set, output| set | 1 << output);
            left &= !rivals;
            if serving >> input & 1 == 0 {
                bank.accepted |= 1 << self.accept(number, input, rivals);
            }
        }
        bank
    }

    /// Inputs whose bank is claimed by one of its outputs, of which these chose something. A flow that was popped
    /// claims unless it ended.
    fn claimed(&self, chosen: u32) -> u32 {
        ones(chosen).fold(0, |claimed, output| {
            let claims = if self.popped_outputs >> output & 1 == 1 {
                self.flows >> output & 1 == 1
            } else {
                self.oldest_of_chosen(output) == Some(false)
            };
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
    fn settle_output(&mut self, output: usize, bank: &Bank, sink: &mut impl FlitSink) {
        let is_flow = self.flows >> output & 1 == 1;
        let accepted = bank.accepted >> output & 1 == 1;
        let oldest_is_last = self.oldest_of_chosen(output);
        let pops =
            (is_flow || accepted) && oldest_is_last.is_some() && self.chosen_may_leave(output);
        if pops && oldest_is_last == Some(false) {
            self.granted &= !(1 << output);
            self.flows |= 1 << output;
            self.pop(output, sink);
            return;
        }
        let candidate = if !is_flow && !accepted && self.grant_waits(output, oldest_is_last) {
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
        } else if self.frees_output(accepted, pops) {
            self.outputs[output].chosen = NONE;
        }
        let has_grant = self.outputs[output].chosen != NONE;
        self.granted = self.granted & !(1 << output) | u32::from(has_grant) << output;
    }

    /// Whether an output chooses nothing when there is no candidate. `pops`: the last flit of a packet.
    fn frees_output(&self, accepted: bool, pops: bool) -> bool {
        match pops {
            true => self.has_register(),
            false => accepted,
        }
    }

    /// Rule 3, and the first candidate at or after the grant pointer. `claimed`: inputs whose bank is claimed.
    fn candidate(&self, output: usize, claimed: u32) -> Option<usize> {
        let Output {
            waiting, chosen, ..
        } = self.outputs[output];
        let mut wanted = waiting;
        if chosen != NONE {
            wanted.remove(chosen.into());
        }
        if wanted.is_empty() {
            return None;
        }
        let down = !self.link_is_up(output);
        let claimed = self.shape.keys_of_inputs::<K>(claimed);
        let mut candidates = K::EMPTY;
        let any_is_overdue = self.shape.adaptive.is_some()
            && (0..self.shape.channels).any(|number| self.overdue.has(K::key(output, number)));
        for number in 0..self.shape.channels {
            let place = K::key(output, number);
            let is_overdue = self.overdue.has(place);
            let members = self.members(output, number) & wanted;
            let members = if is_overdue || any_is_overdue {
                members
            } else {
                members & !claimed
            };
            let channel = &self.output_channels[place];
            if self.admits_headers(output, channel.lock) {
                if down || channel.credit >= self.shape.header_need {
                    candidates |= if is_overdue {
                        members & self.watched_requests(place)
                    } else {
                        members
                    };
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

    /// Whether a grant that was not accepted stays: that of a last flit or, on a channel where one is overdue, of
    /// any flit; if it may leave.
    fn grant_waits(&self, output: usize, oldest_is_last: Option<bool>) -> bool {
        oldest_is_last.is_some_and(|is_last| {
            let is_overdue = self.overdue.has(self.outputs[output].place.into());
            (is_last || is_overdue) && self.chosen_may_leave(output)
        })
    }

    /// *may go on* or *may begin* for the chosen request, with the lock of the flow as in rule 3.
    #[inline]
    fn chosen_may_leave(&self, output: usize) -> bool {
        let Output { chosen, place, .. } = self.outputs[output];
        let (key, place) = (usize::from(chosen), usize::from(place));
        let channel = &self.output_channels[place];
        let down = !self.link_is_up(output);
        if usize::from(channel.lock) == key {
            channel.credit >= 1 || channel.discard || down
        } else {
            self.admits_headers(output, channel.lock)
                && (!self.overdue.has(place) || self.watched_requests(place).has(key))
                && (down || channel.credit >= self.shape.header_need)
        }
    }

    /// *ready*: a flit that is in stage 1 counts in its queue already, but is not there yet. Where flits pass a register,
    /// it is ready all the same, and a request may wait for a header that is still in that register.
    #[inline(always)]
    pub(super) fn is_ready(&self, output: usize, key: usize) -> bool {
        let (input, channel) = (K::port_of(key), K::channel_of(key));
        let flits = || self.queues.length_of(input, channel, output);
        self.outputs[output].waiting.has(key)
            && match self.has_register() {
                true => flits() > 0,
                false => !(self.is_in_stage1(output, key) && flits() == 1),
            }
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
    pub(super) fn choose(&mut self, output: usize, key: usize) {
        let place = K::key(output, self.outgoing_channel(output, key));
        let (input, channel) = (K::port_of(key), K::channel_of(key));
        let state = &mut self.outputs[output];
        state.chosen = key as u8;
        state.place = place as u8;
        state.queue = self.queues.queue(input, channel, output);
    }
}
