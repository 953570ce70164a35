//! Arrival in adaptive blocks: the register behind the rx pins, and what is read for a header on its way into it
//! (section 1.8 of `docs/microarchitecture.md`).

use super::SwitchCore;
use super::adaptive::{Arrival, PATIENCE, Reading};
use super::key_set::KeySet;
use super::state::{LOST, NONE};
use crate::flit::{Flit, FlitSink};
use mkns_contract::ones;

/// A header in the register that is looked up: its key, itself, what was read for it.
pub type Header = (usize, Flit, Reading);

impl<K: KeySet> SwitchCore<K> {
    /// A flit on the rx pins.
    #[inline(never)]
    pub(super) fn note_pins(&mut self, input: usize, flit: Flit) {
        let (Some(shape), Some(adaptive)) = (&self.shape.adaptive, &mut self.adaptive) else {
            return;
        };
        let key = K::key(input, flit.tag().channel.into());
        let is_header = self.up >> input & 1 == 1 && !adaptive.inside.has(key);
        // The hosts of a simulation ask for no order.
        let flit = match is_header && input >= shape.network_ports {
            true => flit.with_travel(1),
            false => flit,
        };
        adaptive.pins.push((input, flit, is_header));
    }

    /// Deals with the flits in the register but for the headers, which it returns.
    pub(super) fn leave_register(&mut self, sink: &mut impl FlitSink) -> Vec<Header> {
        let Some(adaptive) = &mut self.adaptive else {
            return Vec::new();
        };
        let mut headers = Vec::new();
        for input in ones(std::mem::take(&mut adaptive.arrived)) {
            let Some(adaptive) = &self.adaptive else {
                break;
            };
            let Arrival {
                flit,
                cut_off,
                reading,
            } = adaptive.arrivals[input];
            let key = K::key(input, flit.tag().channel.into());
            if cut_off || !self.link_is_up(input) {
                self.ask_no_more(key, reading);
                self.enter_stage1(key, LOST);
                self.give_credit(key, sink);
                continue;
            }
            match reading {
                Some(reading) => headers.push((key, flit, reading)),
                None => self.receive_body(key, flit, sink),
            }
        }
        headers
    }

    /// The flits on the rx pins enter the register, but for those behind a header that is kept there. The inputs whose
    /// header waits on the pins.
    pub(super) fn enter_register(&mut self, kept: u32, waited: &K::PerPort<u8>) -> u32 {
        let (Some(shape), Some(adaptive)) = (&self.shape.adaptive, &mut self.adaptive) else {
            return 0;
        };
        let mut pins = std::mem::take(&mut adaptive.pins);
        let claims = |&&(_, flit, is_header): &&(usize, Flit, bool)| {
            is_header && matches!(flit.travel(), 1 | 2)
        };
        let claims = pins.iter().filter(claims);
        let claims = claims.fold(0, |inputs, (input, ..)| inputs | 1 << input);
        let served = adaptive.served(shape, claims, self.shape.ports);
        let waits = |input: usize| {
            input >= shape.network_ports
                && (claims & !served) >> input & 1 == 1
                && waited[input] < PATIENCE
        };
        let waiting = pins.iter().filter(|(input, ..)| waits(*input));
        let waiting = waiting.fold(0, |inputs, (input, ..)| inputs | 1 << input);
        for (input, flit, is_header) in pins.drain(..) {
            if (kept | waiting) >> input & 1 == 0 {
                self.enter(input, flit, is_header.then_some(served >> input & 1 == 1));
            }
        }
        if let Some(adaptive) = &mut self.adaptive {
            adaptive.pins = pins;
            adaptive.arrived |= kept;
        }
        waiting
    }

    /// A flit enters the register. `header`: whether its reader serves it, of a header.
    fn enter(&mut self, input: usize, flit: Flit, header: Option<bool>) {
        let tag = flit.tag();
        let key = K::key(input, tag.channel.into());
        let is_closing = self.inputs[key].closing != NONE;
        let escape = header.filter(|_| !is_closing);
        let escape = escape.and_then(|_| self.route(input, flit.low_word()));
        let is_up = self.link_is_up(input);
        let (Some(shape), Some(adaptive)) = (&self.shape.adaptive, &mut self.adaptive) else {
            return;
        };
        let reading = header.map(|served| Reading {
            escape,
            candidates: adaptive.candidates(shape, flit),
            served,
        });
        adaptive.arrivals[input] = Arrival {
            flit,
            cut_off: !is_up,
            reading,
        };
        adaptive.arrived |= 1 << input;
        match is_up && !tag.last {
            true => adaptive.inside.insert(key),
            false => adaptive.inside.remove(key),
        }
        if let Some(output) = self.asks_early(key, reading) {
            self.queue_to(key, output);
            self.ask(key, output);
        }
    }

    /// The host's output for which a header in the register waits already.
    fn asks_early(&self, key: usize, reading: Option<Reading>) -> Option<u8> {
        let shape = self.shape.adaptive.as_ref()?;
        let is_host = |port: usize| port >= shape.network_ports;
        let comes_on_last = K::channel_of(key) == shape.channel;
        let output = reading?.escape.filter(|&output| is_host(output.into()));
        output.filter(|_| comes_on_last && !is_host(K::port_of(key)))
    }

    /// A header in the register is lost, so that it waits no longer.
    fn ask_no_more(&mut self, key: usize, reading: Option<Reading>) {
        let Some(output) = self.asks_early(key, reading).map(usize::from) else {
            return;
        };
        if (self.queues).length_of(K::port_of(key), K::channel_of(key), output) == 0 {
            let waiting = &mut self.outputs[output].waiting;
            waiting.remove(key);
            self.requested &= !(u32::from(waiting.is_empty()) << output);
        }
    }
}
