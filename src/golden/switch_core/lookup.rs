//! Lookup, stage 1 and made-up tails (sections 1.2 to 1.4).

use super::counters::{DropCause, Event};
use super::{DROPPED, FlitTag, NONE, Stage1, SwitchCore, bits, keys};

impl SwitchCore {
    /// A flit in the lookup cycle.
    #[inline]
    pub(super) fn look_up(&mut self, input: usize, tag: FlitTag, data: &[u64]) {
        let channel = usize::from(tag.channel) & (self.shape.channels - 1);
        if !self.link_is_up(input) {
            self.owe(input, channel);
            return;
        }
        let destination = match self.inputs[input].open[channel] {
            NONE => self.destination_of_header(input, channel, data[0]),
            open => open,
        };
        let key = self.shape.key(input, channel);
        if tag.last {
            self.inputs[input].open[channel] = NONE;
            self.open &= !(1 << key);
        } else {
            self.inputs[input].open[channel] = destination;
            self.open |= 1 << key;
        }
        self.enter_stage1(input, channel, tag, destination, data, false);
    }

    /// With `REGISTER_ROUTE`: the flits of the last cycle's pins.
    pub(super) fn look_up_stage0(&mut self) {
        let waiting = std::mem::take(&mut self.stage0);
        if waiting == 0 {
            return;
        }
        let data = std::mem::take(&mut self.stage0_data);
        let words = self.shape.words;
        for input in bits(waiting) {
            let tag = self.inputs[input].stage0;
            self.look_up(input, tag, &data[input * words..][..words]);
        }
        self.stage0_data = data;
    }

    /// Stage 1 of this cycle: flits join their queues, where allocation already finds them.
    pub(super) fn push_stage1(&mut self) {
        for input in bits(std::mem::take(&mut self.stage1)) {
            let stage1 = self.inputs[input].stage1;
            let channel = usize::from(stage1.channel);
            if !stage1.made_up {
                self.owe(input, channel);
                self.counters
                    .count_flit(input, Event::Received, stage1.last);
            }
            if stage1.destination != DROPPED {
                self.push(input, channel, usize::from(stage1.destination));
            }
        }
    }

    /// Channels whose made-up tail has room, judged at the start of the cycle.
    pub(super) fn choose_made_up_tails(&mut self) {
        self.made_up_inputs = 0;
        for key in keys(self.closing) {
            let (input, channel) = (self.shape.input_of(key), self.shape.channel_of(key));
            let output = usize::from(self.inputs[input].closing[channel]);
            let queue = self.queues.queue(input, channel, output);
            let has_room = self.queues.length(queue) < self.shape.full_mark();
            if has_room && self.made_up_inputs >> input & 1 == 0 {
                self.made_up_inputs |= 1 << input;
                self.made_up_channels[input] = channel as u8;
            }
        }
    }

    /// The chosen tails enter stage 1 where no flit did.
    pub(super) fn enter_made_up_tails(&mut self) {
        for input in bits(self.made_up_inputs & !self.stage1) {
            let channel = usize::from(self.made_up_channels[input]);
            let output = std::mem::replace(&mut self.inputs[input].closing[channel], NONE);
            self.closing &= !(1 << self.shape.key(input, channel));
            let tag = FlitTag {
                channel: channel as u8,
                last: true,
                bad: true,
            };
            const NO_DATA: [u64; 8] = [0; 8];
            let data = &NO_DATA[..self.shape.words];
            self.enter_stage1(input, channel, tag, output, data, true);
        }
    }

    /// Packets that were open on links that are now down wait for their made-up tails.
    pub(super) fn close_packets_of_down_links(&mut self) {
        let cut = self.open & self.down_keys;
        for key in keys(cut) {
            let channel = self.shape.channel_of(key);
            let input = &mut self.inputs[self.shape.input_of(key)];
            let open = std::mem::replace(&mut input.open[channel], NONE);
            if open != DROPPED {
                debug_assert_eq!(input.closing[channel], NONE);
                input.closing[channel] = open;
                self.closing |= 1 << key;
            }
        }
        self.open &= !cut;
    }

    fn destination_of_header(&mut self, input: usize, channel: usize, header: u64) -> u8 {
        let routed = if self.inputs[input].closing[channel] == NONE {
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
        let decision = self.routes.decide(header).ok_or(DropCause::NoRoute)?;
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

    #[inline]
    fn enter_stage1(
        &mut self,
        input: usize,
        channel: usize,
        tag: FlitTag,
        destination: u8,
        data: &[u64],
        made_up: bool,
    ) {
        if destination != DROPPED {
            let queue = self.queues.queue(input, channel, usize::from(destination));
            self.queues.write_behind(queue, tag, data);
        }
        self.stage1 |= 1 << input;
        self.inputs[input].stage1 = Stage1 {
            channel: channel as u8,
            last: tag.last,
            made_up,
            destination,
        };
    }

    #[inline]
    fn push(&mut self, input: usize, channel: usize, output: usize) {
        let key = self.shape.key(input, channel);
        let length = self.queues.push(self.queues.queue(input, channel, output));
        debug_assert!(
            length <= self.shape.queue_flits,
            "queue {input}→{output} channel {channel} overflows: more flits came than credits"
        );
        if length == 1 {
            self.outputs[output].requests |= 1 << key;
            self.requested |= 1 << output;
        }
        if length == self.shape.full_mark() {
            self.inputs[input].full_queues[channel] += 1;
            self.full |= 1 << key;
        }
    }
}
