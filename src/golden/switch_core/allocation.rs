//! Allocation: flows, grant, accept, and the pop (section 1.6).

use super::counters::{DropCause, Event};
use super::key_set::{KeySet, Lanes};
use super::queues::QueueId;
use super::state::{DROPPED, InputChannel, NONE};
use super::{SwitchCore, bits};
use crate::flit::{Flit, FlitSink};

impl<F: Flit, K: KeySet> SwitchCore<F, K> {
    /// Chooses and pops at most one flit for every output.
    #[inline]
    pub(super) fn allocate(&mut self, sink: &mut impl FlitSink<F>) {
        let flows = self.flows;
        if flows | self.requested == 0 {
            return;
        }
        // Before the flows, which end in this cycle and reserve inputs in it.
        let idle = self.requested & !flows;
        let mut popped = if idle == 0 {
            0
        } else {
            self.allocate_banks(idle, flows, sink)
        };
        for output in bits(flows) {
            let state = self.outputs[output];
            let (key, place) = (usize::from(state.flow), usize::from(state.flow_place));
            let goes_on = self.smooth >> output & 1 == 1 && self.output_channels[place].credit >= 1;
            if goes_on && let Some(length) = self.queues.pop_blank(state.flow_queue) {
                self.go_on_blank(output, key, place, length, sink);
            } else if goes_on && let Some(popped) = self.queues.pop_stored(state.flow_queue) {
                self.go_on(output, key, place, popped, sink);
            } else if self.flow_is_eligible(output, key, place) {
                self.pop(output, key, place, state.flow_queue, sink);
            } else {
                self.end_flow(output, key, self.queues.length(state.flow_queue));
                continue;
            }
            popped |= 1 << output;
        }
        if self.shape.counters {
            for output in bits(self.requested & !popped) {
                self.counters.count(output, Event::StallCycle);
            }
        }
    }

    /// `held` of section 1.6, from the queue lengths at the start of the cycle.
    #[inline]
    pub(super) fn hold_headers(&mut self) {
        self.held = K::EMPTY;
        for key in (self.full & self.open).keys() {
            let InputChannel {
                open, full_queues, ..
            } = self.inputs[key];
            if open == DROPPED {
                continue;
            }
            let (input, channel) = (K::port_of(key), K::channel_of(key));
            let own = self.queues.length_of(input, channel, usize::from(open));
            let own_is_full = own >= self.shape.full_mark();
            if full_queues > u8::from(own_is_full) {
                self.held.insert(key);
            }
        }
    }

    /// Grant and accept for idle outputs; returns the outputs served. `flows`: all outputs with one.
    #[inline(never)]
    fn allocate_banks(&mut self, idle: u32, flows: u32, sink: &mut impl FlitSink<F>) -> u32 {
        let mut served = 0;
        for bank in 0..self.shape.banks {
            let of_bank = self.shape.bank_outputs(bank);
            if idle & of_bank != 0 {
                let reserved = bits(flows & of_bank).fold(0, |inputs, output| {
                    inputs | 1 << K::port_of(self.outputs[output].flow.into())
                });
                served |= self.allocate_bank(bank, idle & of_bank, reserved, sink);
            }
        }
        served
    }

    /// The same for those of one bank, without inputs that are reserved.
    #[inline]
    fn allocate_bank(
        &mut self,
        bank: usize,
        outputs: u32,
        reserved_inputs: u32,
        sink: &mut impl FlitSink<F>,
    ) -> u32 {
        if outputs.is_power_of_two() {
            // Mostly so: then nobody else is granted to.
            let output = outputs.trailing_zeros() as usize;
            let granted = self.grant(output, reserved_inputs);
            return granted.map_or(0, |key| {
                self.accept(bank, K::port_of(key), outputs);
                self.begin_flow(output, key, sink);
                outputs
            });
        }
        let mut granted_key = K::PerPort::filled(0u8);
        // Outputs that granted each input.
        let mut granting = K::PerPort::filled(0u32);
        let mut granted_inputs = 0u32;
        for output in bits(outputs) {
            if let Some(key) = self.grant(output, reserved_inputs) {
                let input = K::port_of(key);
                granted_key[output] = key as u8;
                granting[input] |= 1 << output;
                granted_inputs |= 1 << input;
            }
        }
        let mut served = 0;
        for input in bits(granted_inputs) {
            let output = self.accept(bank, input, granting[input]);
            self.begin_flow(output, usize::from(granted_key[output]), sink);
            served |= 1 << output;
        }
        served
    }

    /// The first eligible key at or after the grant pointer, without those of reserved inputs.
    #[inline]
    fn grant(&self, output: usize, reserved_inputs: u32) -> Option<usize> {
        let pointer = usize::from(self.grant_pointers[output]);
        let up = self.link_is_up(output);
        let mut requests = self.outputs[output].requests;
        while !requests.is_empty() {
            let key = requests.first_at_or_after(pointer);
            let is_free = reserved_inputs >> K::port_of(key) & 1 == 0;
            if is_free && self.may_leave(output, key, self.is_held(output, key), up) {
                return Some(key);
            }
            requests.remove(key);
        }
        None
    }

    /// A grant to a key is accepted, its oldest flit popped.
    #[inline]
    fn begin_flow(&mut self, output: usize, key: usize, sink: &mut impl FlitSink<F>) {
        // Past the last port of a channel the search goes on with the next channel; the highest
        // key of a set belongs to no port, so the pointer stays a key.
        self.grant_pointers[output] = key as u8 + 1;
        let place = K::key(output, self.outgoing_channel(output, key));
        let (input, channel) = (K::port_of(key), K::channel_of(key));
        let queue = self.queues.queue(input, channel, output);
        let state = &mut self.outputs[output];
        (state.flow_place, state.flow_queue) = (place as u8, queue);
        self.pop(output, key, place, queue, sink);
    }

    /// The output that (input, bank) accepts among those that granted it.
    #[inline]
    pub(super) fn accept(&mut self, bank: usize, input: usize, granting: u32) -> usize {
        let pointer = &mut self.accept_pointers[bank * self.shape.ports + input];
        let output = u64::from(granting).first_at_or_after(usize::from(*pointer));
        // Output n of the bank is n · B + b, so the one after it is B further; past the last one,
        // the search finds nothing and starts again at the first.
        *pointer = (output + self.shape.banks) as u8;
        output
    }

    /// A smooth flow sends a blank flit, and `length` ones are left in its queue.
    #[inline(always)]
    fn go_on_blank(
        &mut self,
        output: usize,
        key: usize,
        place: usize,
        length: u16,
        sink: &mut impl FlitSink<F>,
    ) {
        if length + 1 >= self.shape.full_mark() {
            self.full_queue_shrinks(key, length);
        }
        self.output_channels[place].credit -= 1;
        sink.send_blank(output, K::channel_of(place));
        self.counters.count_flit(output, Event::Sent, false);
    }

    /// A smooth flow sends the flit that was popped, and `length` ones are left in its queue: nearly always so.
    /// Requests do not matter to an output with a flow; they are put right when it ends.
    #[inline(always)]
    fn go_on(
        &mut self,
        output: usize,
        key: usize,
        place: usize,
        (flit, length): (F, u16),
        sink: &mut impl FlitSink<F>,
    ) {
        if length + 1 >= self.shape.full_mark() {
            self.full_queue_shrinks(key, length);
        }
        if flit.tag().last {
            self.output_channels[place].lock = NONE;
            self.end_flow(output, key, length);
        }
        self.send(output, key, place, flit, sink);
    }

    /// `length`: flits in the queue of the flow.
    #[inline]
    fn end_flow(&mut self, output: usize, key: usize, length: u16) {
        self.flows &= !(1 << output);
        let state = &mut self.outputs[output];
        state.flow = NONE;
        // Without branches, which would often be guessed wrong.
        state.requests &= !(K::of_ports(u32::from(length == 0)) << key);
        self.requested &= !(u32::from(state.requests.is_empty()) << output);
    }

    /// *eligible* for the key of a flow.
    #[inline(never)]
    fn flow_is_eligible(&self, output: usize, key: usize, place: usize) -> bool {
        let channel = &self.output_channels[place];
        if self.queues.length(self.outputs[output].flow_queue) == 0 {
            return false;
        }
        if usize::from(channel.lock) != key {
            // Only after a change of `step` in the middle of a packet.
            let up = self.link_is_up(output);
            return self.may_leave(output, key, self.is_held(output, key), up);
        }
        channel.credit >= 1 || channel.discard || !self.link_is_up(output)
    }

    /// *eligible* for a key whose queue holds a flit. `up`: the output's link is.
    #[inline]
    pub(super) fn may_leave(&self, output: usize, key: usize, is_held: bool, up: bool) -> bool {
        let outgoing = self.outgoing_channel(output, key);
        let channel = &self.output_channels[K::key(output, outgoing)];
        if channel.lock == NONE {
            !is_held && (!up || channel.credit >= self.shape.header_need)
        } else {
            usize::from(channel.lock) == key && (!up || channel.discard || channel.credit >= 1)
        }
    }

    #[inline]
    fn is_held(&self, output: usize, key: usize) -> bool {
        self.held.has(key) && usize::from(self.inputs[key].open) == output
    }

    /// Keys whose headers may not go to `output` in this cycle.
    #[inline]
    pub(super) fn held_from(&self, output: usize) -> K {
        self.held
            .keys()
            .filter(|&key| self.is_held(output, key))
            .fold(K::EMPTY, |held, key| held | K::of(key))
    }

    /// Pops the queue of a key, which leaves on the channel of `place`.
    #[inline]
    fn pop(
        &mut self,
        output: usize,
        key: usize,
        place: usize,
        queue: QueueId,
        sink: &mut impl FlitSink<F>,
    ) {
        let flit = self.take_oldest(output, key, queue);
        self.leave(output, key, place, flit, self.link_is_up(output), sink);
    }

    /// Removes the oldest flit of the queue of a key.
    #[inline(always)]
    pub(super) fn take_oldest(&mut self, output: usize, key: usize, queue: QueueId) -> F {
        let (flit, length) = self
            .queues
            .pop(queue, K::channel_of(key))
            .expect("a queue that asks holds a flit");
        // Without branches, which would often be guessed wrong.
        let requests = &mut self.outputs[output].requests;
        *requests &= !(K::of_ports(u32::from(length == 0)) << key);
        self.requested &= !(u32::from(requests.is_empty()) << output);
        if length + 1 >= self.shape.full_mark() {
            self.full_queue_shrinks(key, length);
        }
        flit
    }

    /// What the pop of a flit does to its output, and the way of the flit to it. `up`: nothing but an
    /// earlier cut keeps it from being sent.
    #[inline]
    pub(super) fn leave(
        &mut self,
        output: usize,
        key: usize,
        place: usize,
        flit: F,
        up: bool,
        sink: &mut impl FlitSink<F>,
    ) {
        let last = flit.tag().last;
        let channel = &mut self.output_channels[place];
        let discarded = usize::from(channel.lock) == key && channel.discard;
        let sent = up && !discarded;
        channel.discard = !last && !sent;
        self.follow(output, key, place, last);
        self.smooth = self.smooth & !(1 << output) | u32::from(sent) << output;
        if sent {
            self.send(output, key, place, flit, sink);
        } else if last {
            self.counters
                .count_drop(output, DropCause::LinkDownAtOutput);
            self.events.errors |= 1 << DropCause::LinkDownAtOutput as u32;
        }
    }

    /// The packet of a popped flit holds its channel and is the flow, unless this was its last flit.
    #[inline(always)]
    fn follow(&mut self, output: usize, key: usize, place: usize, last: bool) {
        let owner = if last { NONE } else { key as u8 };
        self.output_channels[place].lock = owner;
        self.outputs[output].flow = owner;
        // Without a branch, which would often be guessed wrong.
        self.flows = self.flows & !(1 << output) | u32::from(!last) << output;
    }

    /// A flit leaves on the channel of `place`.
    #[inline(always)]
    fn send(
        &mut self,
        output: usize,
        key: usize,
        place: usize,
        flit: F,
        sink: &mut impl FlitSink<F>,
    ) {
        self.output_channels[place].credit -= 1;
        let channel = K::channel_of(place);
        if channel == K::channel_of(key) {
            sink.send(output, flit);
        } else {
            sink.send(output, flit.on_channel(channel));
        }
        self.counters
            .count_flit(output, Event::Sent, flit.tag().last);
    }

    /// A queue of the input and channel of `key` held F flits or more, now `length`.
    fn full_queue_shrinks(&mut self, key: usize, length: u16) {
        let mark = self.shape.full_mark();
        let state = &mut self.inputs[key];
        state.full_queues -= u8::from(length + 1 == mark);
        state.fuller_queues -= u8::from(length == mark);
        if state.full_queues == 0 {
            self.full.remove(key);
        }
    }
}
