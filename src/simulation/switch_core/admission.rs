//! Lookup in adaptive blocks: choices, permits, commits (section 1.8 of `docs/microarchitecture.md`).

use super::SwitchCore;
use super::adaptive::PATIENCE;
use super::key_set::KeySet;
use super::state::{DROPPED, NONE};
use crate::choices::Choices;
use crate::flit::{Flit, FlitSink};
use mkns_contract::ones;

/// A header that is looked up.
#[derive(Clone, Copy)]
struct Lookup {
    key: usize,
    header: Flit,
    /// n
    flits: u16,
    /// The escape's output; none when it is dropped.
    escape: Option<u8>,
    /// The output that it asks for.
    asks: Option<usize>,
    /// It waits for room rather than take the escape.
    waits: bool,
}

impl<K: KeySet> SwitchCore<K> {
    pub fn is_adaptive(&self) -> bool {
        self.adaptive.is_some()
    }

    /// Since reset; none of other blocks.
    pub fn choices(&self) -> Choices {
        let adaptive = self.adaptive.as_ref();
        adaptive.map_or_else(Choices::default, |adaptive| adaptive.choices)
    }

    /// A header on the rx pins of an adaptive block: looked up with the others of its cycle.
    #[inline(never)]
    pub(super) fn note_header(&mut self, key: usize, flit: Flit) {
        let (Some(shape), Some(adaptive)) = (&self.shape.adaptive, &mut self.adaptive) else {
            return;
        };
        // The hosts of a simulation ask for no order.
        let flit = match K::port_of(key) >= shape.network_ports {
            true => flit.with_travel(1),
            false => flit,
        };
        adaptive.headers.push((key, flit));
    }

    /// Looks all headers of the cycle up, after the flits of all inputs came; the hosts' inputs whose header waits on
    /// the rx pins.
    pub fn admit(&mut self, sink: &mut impl FlitSink) -> u32 {
        let Some(adaptive) = &mut self.adaptive else {
            return 0;
        };
        if adaptive.headers.is_empty() {
            return 0;
        }
        if self.shape.goes_over_blocks() {
            self.admit_over_blocks(sink);
            return 0;
        }
        let headers = std::mem::take(&mut adaptive.headers);
        let served = self.served_inputs(&headers);
        let lookups: Vec<Lookup> = (headers.iter())
            .map(|(key, header)| self.look_up(*key, *header, served))
            .collect();
        let permitted = self.permits(&lookups);
        let mut held = 0;
        for (number, lookup) in lookups.iter().enumerate() {
            let input = K::port_of(lookup.key);
            let is_permitted = permitted >> number & 1 == 1;
            let Some(adaptive) = &mut self.adaptive else {
                return 0;
            };
            if lookup.waits && !is_permitted {
                adaptive.keep_waiting(input);
                held |= 1 << input;
                continue;
            }
            adaptive.waited[input] = 0;
            match lookup.asks.filter(|_| is_permitted) {
                Some(output) => self.commit(lookup, output),
                None => self.take_escape(lookup, sink),
            }
        }
        if let Some(adaptive) = &mut self.adaptive {
            adaptive.headers = headers;
            adaptive.headers.clear();
        }
        held
    }

    /// The inputs whose header claims a reader of the candidate table and gets it.
    fn served_inputs(&self, headers: &[(usize, Flit)]) -> u32 {
        let (Some(shape), Some(adaptive)) = (&self.shape.adaptive, &self.adaptive) else {
            return 0;
        };
        let claims = |(key, header): &&(usize, Flit)| {
            self.inputs[*key].closing == NONE && matches!(header.travel(), 1 | 2)
        };
        let claims = headers.iter().filter(claims);
        let claims = claims.fold(0, |inputs, (key, _)| inputs | 1 << K::port_of(*key));
        adaptive.served(shape, claims, self.shape.ports)
    }

    /// Rules 1 and 2; bits of `served`: inputs.
    fn look_up(&self, key: usize, header: Flit, served: u32) -> Lookup {
        let input = K::port_of(key);
        let is_closing = self.inputs[key].closing != NONE;
        let escape = match is_closing {
            true => None,
            false => self.route(input, header.low_word()),
        };
        let mut lookup = Lookup {
            key,
            header,
            flits: 0,
            escape,
            asks: None,
            waits: false,
        };
        let (Some(shape), Some(adaptive)) = (&self.shape.adaptive, &self.adaptive) else {
            return lookup;
        };
        lookup.flits = shape.flits(header);
        let claims = !is_closing && matches!(header.travel(), 1 | 2);
        let waiting_host = input >= shape.network_ports && adaptive.waited[input] < PATIENCE;
        if served >> input & 1 == 0 {
            lookup.waits = claims && waiting_host;
            return lookup;
        }
        let is_eligible = escape.is_some_and(|port| usize::from(port) < shape.network_ports)
            && shape.allows(lookup.flits, header);
        if !is_eligible {
            return lookup;
        }
        let open = adaptive.candidates(shape, header) & self.up & !(1 << input);
        let choices = adaptive.with_room(open, shape.class(lookup.flits), waiting_host);
        let start = usize::from(adaptive.candidate_pointer);
        lookup.asks = (choices != 0).then(|| u64::from(choices).first_at_or_after(start));
        lookup.waits = waiting_host && open != 0;
        lookup
    }

    /// Rule 3: bit n for number n of the lookups.
    fn permits(&self, lookups: &[Lookup]) -> u32 {
        let pointer = match &self.adaptive {
            Some(adaptive) => usize::from(adaptive.permit_pointer),
            None => 0,
        };
        let distance = |lookup: &Lookup| {
            let readers = self.shape.ports.div_ceil(2);
            (K::port_of(lookup.key) % readers + readers - pointer) % readers
        };
        let asked = lookups.iter().filter_map(|lookup| lookup.asks);
        let asked = asked.fold(0u32, |outputs, output| outputs | 1 << output);
        let mut permitted = 0;
        for output in ones(asked) {
            let asking = (0..lookups.len()).filter(|&number| lookups[number].asks == Some(output));
            let first = asking.min_by_key(|&number| distance(&lookups[number]));
            permitted |= first.map_or(0, |number| 1 << number);
        }
        permitted
    }

    /// Rule 4.
    fn commit(&mut self, lookup: &Lookup, output: usize) {
        let Some(adaptive) = &mut self.adaptive else {
            return;
        };
        adaptive.choices.adaptive += 1;
        adaptive.room[output] -= lookup.flits;
        adaptive.left[lookup.key] = lookup.flits - 1;
        if lookup.flits > 1 {
            adaptive.carried.insert(lookup.key);
        }
        self.begin(lookup.key, output, lookup.header.as_adaptive(true));
    }

    /// Rule 6.
    fn take_escape(&mut self, lookup: &Lookup, sink: &mut impl FlitSink) {
        let Some(shape) = &self.shape.adaptive else {
            return;
        };
        let Some(output) = lookup.escape.map(usize::from) else {
            self.count_drop();
            self.drop_packet(lookup.key, lookup.header, sink);
            return;
        };
        let travel = lookup.header.travel();
        let mut header = lookup.header.as_adaptive(false);
        let leaves_by_network = output < shape.network_ports;
        let is_detour = leaves_by_network && matches!(travel, 1 | 2);
        if is_detour {
            header = header.with_travel(travel + 1);
        }
        if let Some(adaptive) = &mut self.adaptive {
            adaptive.choices.escape += u64::from(leaves_by_network);
            adaptive.choices.detours += u64::from(is_detour);
        }
        self.begin(lookup.key, output, header);
    }

    pub(super) fn begin(&mut self, key: usize, output: usize, header: Flit) {
        let queue = self.queue_to(key, output as u8);
        if !header.tag().last {
            let state = &mut self.inputs[key];
            (state.open, state.open_queue) = (output as u8, queue);
            self.open.insert(key);
        }
        if self.queues.length(queue) == 0 {
            self.set_way(output, key, header.is_adaptive());
        }
        self.enter_stage1(key, output as u8);
        self.queues.push(queue, header);
        self.ask(key, output as u8);
    }

    pub(super) fn drop_packet(&mut self, key: usize, header: Flit, sink: &mut impl FlitSink) {
        if !header.tag().last {
            self.inputs[key].open = DROPPED;
            self.open.insert(key);
        }
        self.enter_stage1(key, DROPPED);
        self.give_credit(key, sink);
    }

    /// A flit behind the header of a packet, as it is pushed.
    #[inline(never)]
    pub(super) fn note_body(&mut self, key: usize, flit: Flit) -> Flit {
        let Some(adaptive) = &mut self.adaptive else {
            return flit;
        };
        if !adaptive.carried.has(key) {
            return flit;
        }
        let left = &mut adaptive.left[key];
        *left -= 1;
        let tag = flit.tag();
        debug_assert!(tag.last || *left > 0, "packets of a simulation are legal");
        if !tag.last {
            return flit;
        }
        adaptive.carried.remove(key);
        match std::mem::take(left) {
            0 if !tag.bad => flit,
            missing => flit.with_missing(missing),
        }
    }

    /// The made-up tail of a packet stands for all that was promised.
    pub(super) fn adaptive_tail(&mut self, key: usize, tail: Flit) -> Flit {
        match &mut self.adaptive {
            Some(adaptive) if adaptive.carried.has(key) => {
                adaptive.carried.remove(key);
                // The tail itself is one of the promised flits.
                tail.with_missing(std::mem::take(&mut adaptive.left[key]) - 1)
            }
            _ => tail,
        }
    }
}
