//! Lookup, stage 1 and made-up tails (sections 1.2 to 1.4).

use super::SwitchCore;
use super::key_set::KeySet;
use super::queues::QueueId;
use super::state::{DROPPED, InputChannel, LOST, NONE, Stage1};
use crate::flit::{Flit, FlitSink};

impl<K: KeySet> SwitchCore<K> {
    /// A flit on the rx pins of `input`. Called in ascending order of inputs.
    #[inline(always)]
    pub fn receive(&mut self, input: usize, flit: Flit, sink: &mut impl FlitSink) {
        let key = K::key(input, usize::from(flit.tag().channel));
        if self.has_register() {
            self.note_pins(input, flit);
            return;
        }
        if !self.link_is_up(input) {
            self.enter_stage1(key, LOST);
            self.give_credit(key, sink);
            return;
        }
        if self.inputs[key].open == NONE {
            if self.adaptive.is_some() {
                self.note_header(key, flit);
                return;
            }
            self.open_packet(key, flit.low_word());
        }
        self.receive_body(key, flit, sink);
    }

    /// A flit of an open packet, or its header in a block that is not adaptive.
    #[inline(always)]
    pub(super) fn receive_body(&mut self, key: usize, flit: Flit, sink: &mut impl FlitSink) {
        let InputChannel {
            open: destination,
            open_queue: queue,
            ..
        } = self.inputs[key];
        if flit.tag().last {
            self.inputs[key].open = NONE;
            self.open.remove(key);
        }
        self.enter_stage1(key, destination);
        if destination == DROPPED {
            self.give_credit(key, sink);
        } else {
            let flit = match self.adaptive.is_some() {
                true => self.note_body(key, flit),
                false => flit,
            };
            self.queues.push(queue, flit);
            self.ask(key, destination);
        }
    }

    /// A blank flit on the rx pins, nearly always one that follows its header; `key` is that of its input and channel.
    #[inline(always)]
    pub fn receive_blank(&mut self, key: usize, sink: &mut impl FlitSink) {
        let InputChannel {
            open: destination,
            open_queue: queue,
            ..
        } = self.inputs[key];
        let input = K::port_of(key);
        if destination >= LOST || !self.link_is_up(input) || self.has_register() {
            self.receive(input, Flit::blank(K::channel_of(key)), sink);
            return;
        }
        if self.adaptive.is_some() {
            self.note_body(key, Flit::blank(K::channel_of(key)));
        }
        self.enter_stage1(key, destination);
        self.queues.push_blank(queue);
        self.ask(key, destination);
    }

    #[inline]
    pub(super) fn enter_stage1(&mut self, key: usize, destination: u8) {
        let input = K::port_of(key);
        self.stage1 |= 1 << input;
        self.stages[input] = Stage1 {
            key: key as u8,
            destination,
        };
    }

    /// A flit for an output is in stage 1 from the next cycle on.
    #[inline]
    pub(super) fn ask(&mut self, key: usize, destination: u8) {
        // Already there unless the queue was empty: a branch would often be guessed wrong.
        self.outputs[usize::from(destination)].waiting.insert(key);
        self.requested |= 1 << destination;
    }

    /// What stage 1 does besides asking outputs; comes before the pops of the cycle.
    #[inline]
    pub(super) fn note_stage1(&mut self) {
        self.debt |= std::mem::replace(&mut self.tails, K::EMPTY);
    }

    /// Packets whose made-up tail may enter stage 1, judged at the start of the cycle.
    #[inline]
    pub(super) fn choose_made_up_tails(&mut self) {
        self.closable = self.closing;
        for key in self.closing.keys() {
            let (input, channel) = (K::port_of(key), K::channel_of(key));
            let output = usize::from(self.inputs[key].closing);
            if self.was_popped(output, key) || self.queues.length_of(input, channel, output) > 0 {
                self.closable.remove(key);
            }
        }
    }

    /// The tails enter stage 1 where no flit did, that of the lowest channel first.
    #[inline]
    pub(super) fn enter_made_up_tails(&mut self) {
        for key in self.closable.keys() {
            if self.stage1 >> K::port_of(key) & 1 == 1 {
                continue;
            }
            let output = std::mem::replace(&mut self.inputs[key].closing, NONE);
            self.closing.remove(key);
            self.tails.insert(key);
            self.enter_stage1(key, output);
            let queue = self.queue_to(key, output);
            let tail = self.adaptive_tail(key, Flit::made_up_tail(K::channel_of(key)));
            self.queues.push(queue, tail);
            self.ask(key, output);
        }
    }

    /// Packets that are open on links that are down wait for their made-up tails.
    #[inline]
    pub(super) fn close_packets_of_down_links(&mut self) {
        let cut = self.open & self.down_keys;
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
            None
        };
        routed.unwrap_or_else(|| {
            self.count_drop();
            DROPPED
        })
    }

    pub(super) fn route(&self, input: usize, header: u64) -> Option<u8> {
        let entry = self.routes.decide(&self.shape.routes, header)?;
        let port = usize::from(entry.port);
        if port >= self.shape.ports {
            return None;
        }
        let output = if self.link_is_up(port) {
            port
        } else {
            let alternate = entry.alternate.map(usize::from);
            alternate.filter(|&port| port < self.shape.ports && self.link_is_up(port))?
        };
        if !self.shape.turns(input, output) || output == input && !entry.allow_uturn {
            return None;
        }
        Some(output as u8)
    }

    /// The queue to a destination; none for what is dropped.
    #[inline]
    pub(super) fn queue_to(&mut self, key: usize, destination: u8) -> QueueId {
        if destination == DROPPED {
            QueueId::UNUSED
        } else {
            let (input, channel) = (K::port_of(key), K::channel_of(key));
            let output = usize::from(destination);
            self.queues.queue_in_use(input, channel, output)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::CoreShape;
    use super::*;
    use mkns_design::{switch_module, switch_tables};
    use mkns_routing::Turns;

    /// What becomes of a packet from port 0 of a switch block whose table leads it back there and allows it to turn.
    fn back_to_port_0(turns: Turns) -> Option<u8> {
        let mut module = switch_module(4, Default::default());
        module.turns = turns;
        let mut tables = switch_tables(&module);
        tables.tables[0].entries[0].allow_uturn = true;
        let shape = Arc::new(CoreShape::new(&module));
        let core: SwitchCore<u32> = SwitchCore::new(shape, Some(&tables));
        assert_eq!(core.route(1, 0), Some(0));
        core.route(0, 0)
    }

    #[test]
    fn ports_send_packets_back_where_there_is_such_a_turn() {
        assert_eq!(back_to_port_0(Turns::between_all(4, 0)), Some(0));
        assert_eq!(back_to_port_0(Turns::between_all(4, 4)), None);
    }
}
