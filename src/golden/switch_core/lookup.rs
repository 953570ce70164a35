//! Lookup, stage 1 and made-up tails (sections 1.2 to 1.4).

use super::counters::{DropCause, Event};
use super::key_set::KeySet;
use super::queues::QueueId;
use super::state::{DROPPED, InputChannel, NONE, Stage1};
use super::{SwitchCore, bits};
use crate::flit::{Flit, FlitSink};

impl<F: Flit, K: KeySet> SwitchCore<F, K> {
    /// A flit in the lookup cycle.
    #[inline(always)]
    pub(super) fn look_up(&mut self, input: usize, flit: F, sink: &mut impl FlitSink<F>) {
        let tag = flit.tag();
        let key = K::key(input, usize::from(tag.channel));
        if !self.link_is_up(input) {
            self.owe(key);
            return;
        }
        if self.inputs[key].open == NONE {
            self.open_packet(key, flit.low_word());
        }
        let InputChannel {
            open: destination,
            open_queue: queue,
            ..
        } = self.inputs[key];
        if tag.last {
            self.inputs[key].open = NONE;
            self.open.remove(key);
        }
        if destination == DROPPED {
            self.promise_credit(key, 0, sink);
            self.enter_stage1(key, tag.last, destination, queue);
        } else {
            let length = self.queues.write_behind(queue, flit);
            self.enter_queue(key, tag.last, destination, (queue, length), sink);
        }
    }

    /// The same for a blank flit: nearly always one that follows its header.
    #[inline(always)]
    pub(super) fn look_up_blank(&mut self, key: usize, sink: &mut impl FlitSink<F>) {
        let InputChannel {
            open: destination,
            open_queue: queue,
            ..
        } = self.inputs[key];
        let input = K::port_of(key);
        if destination >= DROPPED || !self.link_is_up(input) {
            self.look_up(input, F::blank(K::channel_of(key)), sink);
            return;
        }
        let length = self.queues.write_blank_behind(queue);
        self.enter_queue(key, false, destination, (queue, length), sink);
    }

    /// A flit was written to a queue, which makes `length` flits of it.
    #[inline(always)]
    fn enter_queue(
        &mut self,
        key: usize,
        last: bool,
        destination: u8,
        (queue, length): (QueueId, u16),
        sink: &mut impl FlitSink<F>,
    ) {
        if self.promise_credit(key, length, sink) {
            self.join_queue(key, destination, queue);
            if !self.shape.shows_stage1 {
                return;
            }
        } else {
            self.joining |= 1 << K::port_of(key);
        }
        self.enter_stage1(key, last, destination, queue);
    }

    #[inline]
    fn enter_stage1(&mut self, key: usize, last: bool, destination: u8, queue: QueueId) {
        let input = K::port_of(key);
        self.stage1 |= 1 << input;
        self.stages[input] = Stage1 {
            key: key as u8,
            last,
            made_up: false,
            destination,
            queue,
        };
    }

    /// With `REGISTER_ROUTE`: the flits of the last cycle's pins.
    pub(super) fn look_up_stage0(&mut self, sink: &mut impl FlitSink<F>) {
        for input in bits(std::mem::take(&mut self.stage0)) {
            self.look_up(input, self.stage0_flits[input], sink);
        }
    }

    /// Stage 1 of this cycle: flits join their queues, where allocation already finds them. Most
    /// did after their lookup, because nothing looks at the queues in between but what compares
    /// their levels with F.
    #[inline]
    pub(super) fn push_stage1(&mut self) {
        if self.shape.counters {
            self.count_stage1();
        }
        self.stage1 = 0;
        if self.joining | self.owing != 0 {
            self.push_late_flits();
        }
    }

    fn count_stage1(&mut self) {
        for input in bits(self.stage1) {
            let Stage1 { last, made_up, .. } = self.stages[input];
            if !made_up {
                self.counters.count_flit(input, Event::Received, last);
            }
        }
    }

    #[inline(never)]
    fn push_late_flits(&mut self) {
        for input in bits(std::mem::take(&mut self.owing)) {
            self.owe(self.stages[input].key.into());
        }
        for input in bits(std::mem::take(&mut self.joining)) {
            let Stage1 {
                key,
                destination,
                queue,
                ..
            } = self.stages[input];
            let key = usize::from(key);
            let length = self.join_queue(key, destination, queue);
            debug_assert!(
                length <= self.shape.full_mark() + self.shape.credits,
                "queue {input}→{destination}, key {key}, overflows: more flits came than credits"
            );
            let mark = self.shape.full_mark();
            if length >= mark {
                let state = &mut self.inputs[key];
                state.full_queues += u8::from(length == mark);
                state.fuller_queues += u8::from(length == mark + 1);
                self.full.insert(key);
            }
        }
    }

    /// The flit written last to a queue counts from now on; returns the queue's length.
    #[inline]
    fn join_queue(&mut self, key: usize, destination: u8, queue: QueueId) -> u16 {
        let output = usize::from(destination);
        // Already there unless the queue was empty: a branch would often be guessed wrong.
        self.outputs[output].requests.insert(key);
        self.requested |= 1 << output;
        self.queues.push(queue)
    }

    /// Channels whose made-up tail has room, judged at the start of the cycle.
    #[inline]
    pub(super) fn choose_made_up_tails(&mut self) {
        self.made_up_inputs = 0;
        if !self.closing.is_empty() {
            self.choose_among_closing();
        }
    }

    #[cold]
    fn choose_among_closing(&mut self) {
        for key in self.closing.keys() {
            let (input, channel) = (K::port_of(key), K::channel_of(key));
            let output = usize::from(self.inputs[key].closing);
            let length = self.queues.length_of(input, channel, output);
            let has_room = length < self.shape.full_mark();
            if has_room && self.made_up_inputs >> input & 1 == 0 {
                self.made_up_inputs |= 1 << input;
                self.made_up_channels[input] = channel as u8;
            }
        }
    }

    /// The chosen tails enter stage 1 where no flit did.
    #[inline]
    pub(super) fn enter_made_up_tails(&mut self) {
        for input in bits(self.made_up_inputs & !self.stage1) {
            let channel = usize::from(self.made_up_channels[input]);
            let key = K::key(input, channel);
            let output = std::mem::replace(&mut self.inputs[key].closing, NONE);
            self.closing.remove(key);
            let queue = self.queue_to(key, output);
            self.queues.write_behind(queue, F::made_up_tail(channel));
            self.stage1 |= 1 << input;
            self.joining |= 1 << input;
            self.stages[input] = Stage1 {
                key: key as u8,
                last: true,
                made_up: true,
                destination: output,
                queue,
            };
        }
    }

    /// Packets that were open on links that are now down wait for their made-up tails.
    #[inline]
    pub(super) fn close_packets_of_down_links(&mut self) {
        let cut = self.open & self.down_keys;
        if !cut.is_empty() {
            self.close_packets(cut);
        }
    }

    #[cold]
    fn close_packets(&mut self, cut: K) {
        for key in cut.keys() {
            let input = &mut self.inputs[key];
            let open = std::mem::replace(&mut input.open, NONE);
            if open != DROPPED {
                debug_assert_eq!(input.closing, NONE);
                input.closing = open;
                self.closing.insert(key);
            }
        }
        self.open &= !cut;
    }

    /// A packet with this header is in progress.
    #[inline(never)]
    fn open_packet(&mut self, key: usize, header: u64) {
        let destination = self.destination_of_header(key, header);
        let queue = self.queue_to(key, destination);
        let state = &mut self.inputs[key];
        (state.open, state.open_queue) = (destination, queue);
        self.open.insert(key);
    }

    fn destination_of_header(&mut self, key: usize, header: u64) -> u8 {
        let input = K::port_of(key);
        let routed = if self.inputs[key].closing == NONE {
            self.route(input, header)
        } else {
            Err(DropCause::LinkDown)
        };
        routed.unwrap_or_else(|cause| {
            self.counters.count_drop(input, cause);
            self.events.errors |= 1 << cause as u32;
            self.events.first_drop.get_or_insert((input as u8, header));
            DROPPED
        })
    }

    fn route(&self, input: usize, header: u64) -> Result<u8, DropCause> {
        let decision = self
            .routes
            .decide(&self.shape.routes, header)
            .ok_or(DropCause::NoRoute)?;
        if decision.port >= self.shape.ports {
            return Err(DropCause::NoRoute);
        }
        let output = if self.link_is_up(decision.port) {
            decision.port
        } else {
            decision
                .alternate
                .filter(|&port| port < self.shape.ports && self.link_is_up(port))
                .ok_or(DropCause::LinkDown)?
        };
        if output == input && !decision.allow_uturn {
            return Err(DropCause::UTurn);
        }
        Ok(output as u8)
    }

    /// The queue to a destination; none for what is dropped.
    #[inline]
    fn queue_to(&mut self, key: usize, destination: u8) -> QueueId {
        if destination == DROPPED {
            QueueId::default()
        } else {
            let (input, channel) = (K::port_of(key), K::channel_of(key));
            let output = usize::from(destination);
            self.queues.queue_in_use(input, channel, output)
        }
    }
}
