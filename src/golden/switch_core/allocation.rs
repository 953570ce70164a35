//! Allocation: flows, grant, accept, and the pop (section 1.6).

use super::counters::{DropCause, Event};
use super::{DROPPED, FlitTag, KeySet, NONE, SwitchCore, bits, keys};

/// Most ports of a core.
const MAX_PORTS: usize = 32;

impl SwitchCore {
    /// Chooses and pops at most one flit for every output.
    pub(super) fn allocate(&mut self) {
        let (flows, requested) = (self.flows, self.requested);
        if flows | requested == 0 {
            return;
        }
        let mut popped = 0;
        // Inputs whose bank is reserved, by bank.
        let mut reserved = [0u32; MAX_PORTS];
        for output in bits(flows) {
            let key = usize::from(self.outputs[output].flow);
            reserved[self.shape.bank_of(output)] |= 1 << self.shape.input_of(key);
            if self.eligible(output) >> key & 1 == 1 {
                self.pop(output, key);
                popped |= 1 << output;
            } else {
                self.outputs[output].flow = NONE;
                self.flows &= !(1 << output);
            }
        }
        let idle = requested & !flows;
        for (bank, &reserved) in reserved.iter().enumerate().take(self.shape.banks) {
            let outputs = idle & self.bank_outputs[bank];
            if outputs != 0 {
                popped |= self.allocate_bank(bank, outputs, reserved);
            }
        }
        for output in bits(requested & !popped) {
            self.counters.count(output, Event::StallCycle);
        }
    }

    /// `held` of section 1.6, from the queue lengths at the start of the cycle.
    pub(super) fn hold_headers(&mut self) {
        self.held = 0;
        for key in keys(self.full & self.open) {
            let (input, channel) = (self.shape.input_of(key), self.shape.channel_of(key));
            let state = &self.inputs[input];
            let open = state.open[channel];
            if open == DROPPED {
                continue;
            }
            let own = self.queues.queue(input, channel, usize::from(open));
            let own_is_full = self.queues.length(own) >= self.shape.full_mark();
            if state.full_queues[channel] > u8::from(own_is_full) {
                self.held |= 1 << key;
            }
        }
    }

    /// Grant and accept for the idle outputs of one bank; returns the outputs served.
    fn allocate_bank(&mut self, bank: usize, outputs: u32, reserved_inputs: u32) -> u32 {
        let reserved = self.shape.keys_of_inputs(reserved_inputs);
        let mut granted_key = [0u8; MAX_PORTS];
        // Outputs that granted each input.
        let mut granting = [0u32; MAX_PORTS];
        let mut granted_inputs = 0u32;
        for output in bits(outputs) {
            let eligible = self.eligible(output) & !reserved;
            if eligible == 0 {
                continue;
            }
            let key = first_at_or_after(eligible, self.outputs[output].grant_pointer);
            let input = self.shape.input_of(key);
            granted_key[output] = key as u8;
            granting[input] |= 1 << output;
            granted_inputs |= 1 << input;
        }
        let mut served = 0;
        for input in bits(granted_inputs) {
            let output = self.accept(bank, input, granting[input]);
            let key = usize::from(granted_key[output]);
            self.outputs[output].grant_pointer = wrapped(key + 1, KeySet::BITS as usize);
            self.pop(output, key);
            served |= 1 << output;
        }
        served
    }

    /// The output that (input, bank) accepts among those that granted it.
    fn accept(&mut self, bank: usize, input: usize, granting: u32) -> usize {
        let pointer = &mut self.accept_pointers[bank * self.shape.ports + input];
        let output = first_at_or_after(KeySet::from(granting), *pointer);
        // Output n of the bank is n · B + b, so the one after it is B further; past the last one,
        // the search finds nothing and starts again at the first.
        *pointer = (output + self.shape.banks) as u8;
        output
    }

    /// All keys eligible for an output.
    #[inline]
    fn eligible(&self, output: usize) -> KeySet {
        let state = &self.outputs[output];
        let down = !self.link_is_up(output);
        let mut eligible = 0;
        for channel in &state.channels[..self.shape.channels] {
            let wanted = state.requests & channel.members;
            if wanted == 0 {
                continue;
            }
            if channel.lock == NONE {
                if down || channel.credit >= self.shape.header_need {
                    eligible |= wanted & !self.held_from(output);
                }
            } else if down || channel.discard || channel.credit >= 1 {
                eligible |= wanted & 1 << channel.lock;
            }
        }
        eligible
    }

    /// Keys whose headers may not go to `output` in this cycle.
    #[inline]
    fn held_from(&self, output: usize) -> KeySet {
        keys(self.held)
            .filter(|&key| {
                let channel = self.shape.channel_of(key);
                usize::from(self.inputs[self.shape.input_of(key)].open[channel]) == output
            })
            .fold(0, |held, key| held | 1 << key)
    }

    #[inline]
    fn pop(&mut self, output: usize, key: usize) {
        let outgoing = self.outgoing_channel(output, key);
        let up = self.link_is_up(output);
        let (input, channel) = (self.shape.input_of(key), self.shape.channel_of(key));
        let queue = self.queues.queue(input, channel, output);
        let (length, last, bad, data) = self.queues.pop(queue);
        let state = &mut self.outputs[output];
        let channel = &mut state.channels[outgoing];
        let discarded = usize::from(channel.lock) == key && channel.discard;
        let sent = up && !discarded;
        let owner = if last { NONE } else { key as u8 };
        channel.lock = owner;
        channel.discard = !last && !sent;
        state.flow = owner;
        if length == 0 {
            state.requests &= !(1 << key);
            if state.requests == 0 {
                self.requested &= !(1 << output);
            }
        }
        if last {
            self.flows &= !(1 << output);
        } else {
            self.flows |= 1 << output;
        }
        if sent {
            channel.credit -= 1;
            let tag = FlitTag {
                channel: outgoing as u8,
                last,
                bad,
            };
            self.pipeline.enter(output, tag, data);
            self.counters.count_flit(output, Event::Sent, last);
        } else if last {
            self.counters
                .count_drop(output, DropCause::LinkDownAtOutput);
            self.events.errors |= 1 << DropCause::LinkDownAtOutput as u32;
        }
        if length + 1 == self.shape.full_mark() {
            self.queue_has_room(key);
        }
    }

    /// A queue of `key` fell below D − C flits.
    fn queue_has_room(&mut self, key: usize) {
        let input = &mut self.inputs[self.shape.input_of(key)];
        let full_queues = &mut input.full_queues[self.shape.channel_of(key)];
        *full_queues -= 1;
        if *full_queues == 0 {
            self.full &= !(1 << key);
        }
    }
}

/// The first member at or after `start`, cyclically; the set is not empty.
#[inline]
fn first_at_or_after(set: KeySet, start: u8) -> usize {
    let later = set & KeySet::MAX << start;
    (if later != 0 { later } else { set }).trailing_zeros() as usize
}

/// `value` modulo `size`, for values up to `size`.
fn wrapped(value: usize, size: usize) -> u8 {
    if value == size { 0 } else { value as u8 }
}

#[cfg(test)]
mod tests {
    use super::first_at_or_after;

    #[test]
    fn the_first_member_is_searched_cyclically() {
        assert_eq!(first_at_or_after(0b1010, 0), 1);
        assert_eq!(first_at_or_after(0b1010, 1), 1);
        assert_eq!(first_at_or_after(0b1010, 2), 3);
        assert_eq!(first_at_or_after(0b1010, 4), 1);
    }
}
