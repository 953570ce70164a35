//! Room and ways of a switch core with adaptive blocks, cycle by cycle (section 1.8 of `docs/microarchitecture.md`).

use super::SwitchCore;
use super::key_set::KeySet;
use super::over_blocks::channel_of_path;
use crate::flit::Flit;
use mkns_contract::ones;

/// Cycles from the pop of a short packet's last flit until its missing flits are room again.
const RETURN_CYCLES: u8 = 3;

impl<K: KeySet> SwitchCore<K> {
    /// The room of the adaptive channel of a network port, in adaptive blocks.
    #[cfg(any(test, debug_assertions))]
    pub fn room(&self, output: usize) -> Option<u16> {
        self.adaptive.as_ref().map(|adaptive| adaptive.room[output])
    }

    /// Writes the candidates of a node, of which bits above the network ports are not kept.
    pub fn write_candidates(&mut self, node: usize, ports: u32) {
        if let (Some(shape), Some(adaptive)) = (&self.shape.adaptive, &mut self.adaptive) {
            adaptive.set_candidates(node, ports & ((1 << shape.network_ports) - 1));
        }
    }

    /// w(i,o,v) in adaptive blocks.
    #[inline(never)]
    pub(super) fn adaptive_outgoing_channel(&self, output: usize, key: usize) -> Option<usize> {
        let (shape, adaptive) = (self.shape.adaptive.as_ref()?, self.adaptive.as_ref()?);
        if adaptive.ways[output].has(key) {
            return Some(shape.channel);
        }
        let step = (self.stepping[output] >> K::port_of(key) & 1) as usize;
        if let Some(between) = &shape.between {
            return Some(channel_of_path(between, K::channel_of(key), step));
        }
        let channel = match K::channel_of(key) {
            channel if channel == shape.channel => 0,
            channel => channel,
        };
        Some((channel + step).min(shape.channel - 1))
    }

    /// Keys whose packets to an output leave on a channel, in adaptive blocks.
    #[inline(never)]
    pub(super) fn adaptive_members(&self, output: usize, channel: usize) -> K {
        let mut members = K::EMPTY;
        for key in self.outputs[output].waiting.keys() {
            if self.adaptive_outgoing_channel(output, key) == Some(channel) {
                members.insert(key);
            }
        }
        members
    }

    /// The oldest packet of a queue is another one now. Where flits pass a register, that counts from the second cycle
    /// after the pop on.
    fn note_way(&mut self, output: usize, key: usize, is_adaptive: bool, cycles: u8) {
        let is_later = self.has_register();
        match &mut self.adaptive {
            Some(adaptive) if is_later => {
                let later = (cycles, output as u8, key as u8, is_adaptive);
                adaptive.later_ways.push(later);
            }
            _ => self.set_way(output, key, is_adaptive),
        }
    }

    /// The header of a packet goes to an empty queue.
    pub(super) fn begin_way(&mut self, output: usize, key: usize, is_adaptive: bool) {
        match self.was_popped(output, key) {
            true => self.note_way(output, key, is_adaptive, 1),
            false => self.set_way(output, key, is_adaptive),
        }
    }

    /// The end of allocation: ways that were noted count from the next cycle on.
    pub(super) fn take_later_ways(&mut self) {
        let Some(adaptive) = &mut self.adaptive else {
            return;
        };
        let mut later = std::mem::take(&mut adaptive.later_ways);
        later.retain_mut(|(cycles, output, key, is_adaptive)| {
            *cycles -= 1;
            if *cycles == 0 {
                self.set_way((*output).into(), (*key).into(), *is_adaptive);
            }
            *cycles > 0
        });
        if let Some(adaptive) = &mut self.adaptive {
            adaptive.later_ways = later;
        }
    }

    fn set_way(&mut self, output: usize, key: usize, is_adaptive: bool) {
        let Some(adaptive) = &mut self.adaptive else {
            return;
        };
        match is_adaptive {
            true => adaptive.ways[output].insert(key),
            false => adaptive.ways[output].remove(key),
        }
        if usize::from(self.outputs[output].chosen) == key {
            let channel = self.outgoing_channel(output, key);
            self.outputs[output].place = K::key(output, channel) as u8;
        }
    }

    /// What a pop means for room and way. `sent`: it was; `popped`: none where blank.
    #[inline(never)]
    pub(super) fn note_adaptive_pop(
        &mut self,
        (output, key, place): (usize, usize, usize),
        popped: Option<Flit>,
        sent: bool,
    ) {
        let last = popped.filter(|flit| flit.tag().last);
        let Some(shape) = &self.shape.adaptive else {
            return;
        };
        if K::channel_of(place) == shape.channel
            && output < shape.network_ports
            && shape.between.is_none()
            && let Some(adaptive) = &mut self.adaptive
        {
            adaptive.room[output] += u16::from(!sent);
            if let Some(flit) = last.filter(|flit| flit.tag().bad && flit.missing() > 0) {
                let back = (RETURN_CYCLES + 1, output as u8, flit.missing());
                adaptive.returns.push(back);
            }
        }
        if last.is_some() {
            let (input, channel) = (K::port_of(key), K::channel_of(key));
            let queue = self.queues.queue(input, channel, output);
            if let Some(header) = self.queues.oldest_stored(queue) {
                self.note_way(output, key, header.is_adaptive(), 2);
            }
        }
    }

    /// Credits of adaptive channels are room.
    pub(super) fn take_adaptive_credits(&mut self, tx_credit: K) {
        let (Some(shape), Some(adaptive)) = (&self.shape.adaptive, &mut self.adaptive) else {
            return;
        };
        if shape.between.is_some() {
            return;
        }
        let ports = (1 << shape.network_ports) - 1;
        let own = K::of_ports(ports) << K::key(0, shape.channel);
        for key in (tx_credit & own).keys() {
            adaptive.room[K::port_of(key)] += 1;
        }
    }

    /// The end of a cycle of an adaptive block; `up` from the next cycle on.
    pub(super) fn end_adaptive_cycle(&mut self) {
        if let (Some(shape), Some(adaptive)) = (&self.shape.adaptive, &mut self.adaptive) {
            adaptive.take_returns();
            adaptive.inside &= !self.down_keys;
            adaptive.note_room(shape, self.up);
            adaptive.advance(shape, self.shape.ports);
        }
    }

    /// More room of some outputs.
    pub(super) fn add_room(&mut self, outputs: u32, more: u16) {
        if let (Some(shape), Some(adaptive)) = (&self.shape.adaptive, &mut self.adaptive) {
            ones(outputs).for_each(|output| adaptive.room[output] += more);
            adaptive.show_room(shape, self.up);
        }
    }
}
