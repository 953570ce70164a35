//! Lookup in adaptive blocks: choices, permits, commits (section 1.8 of `docs/microarchitecture.md`).

use super::SwitchCore;
use super::adaptive::PATIENCE;
use super::arrival::Header;
use super::key_set::KeySet;
use super::state::DROPPED;
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
    /// It stays in the register in this cycle.
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

    /// Flits pass a register behind the rx pins.
    #[inline]
    pub(super) fn has_register(&self) -> bool {
        self.adaptive.is_some() && !self.shape.goes_over_blocks()
    }

    /// A header on the rx pins of a block from which packets go over random blocks.
    #[inline(never)]
    pub(super) fn note_header(&mut self, key: usize, flit: Flit) {
        let (Some(shape), Some(adaptive)) = (&self.shape.adaptive, &mut self.adaptive) else {
            return;
        };
        let flit = match K::port_of(key) >= shape.network_ports {
            true => flit.with_travel(1),
            false => flit,
        };
        adaptive.headers.push((key, flit));
    }

    /// Looks up the headers of the cycle, after the flits of all inputs came; the hosts' inputs where what is on the rx
    /// pins stays there.
    pub fn admit(&mut self, sink: &mut impl FlitSink) -> u32 {
        let Some(adaptive) = &mut self.adaptive else {
            return 0;
        };
        if self.shape.goes_over_blocks() {
            self.admit_over_blocks(sink);
            return 0;
        }
        if adaptive.arrived == 0 && adaptive.pins.is_empty() {
            return 0;
        }
        let waited = adaptive.waited.clone();
        let chosen = self.chosen_inputs();
        let headers = self.leave_register(sink);
        let kept = self.admit_headers(&headers, chosen, sink);
        let waiting = self.enter_register(kept, &waited);
        // Where a header left, another one begins to wait.
        let left = headers
            .iter()
            .fold(0, |inputs, (key, ..)| inputs | 1 << K::port_of(*key));
        if let Some(adaptive) = &mut self.adaptive {
            ones(kept | waiting & !left).for_each(|input| adaptive.keep_waiting(input));
        }
        kept | waiting
    }

    /// Looks up the headers in the register; the inputs where they are kept. Bits of `chosen`: inputs.
    fn admit_headers(&mut self, headers: &[Header], chosen: u32, sink: &mut impl FlitSink) -> u32 {
        let lookups: Vec<Lookup> = (headers.iter())
            .map(|header| self.look_up(header, chosen))
            .collect();
        let permitted = self.permits(&lookups);
        let mut kept = 0;
        for (number, lookup) in lookups.iter().enumerate() {
            let input = K::port_of(lookup.key);
            let is_permitted = permitted >> number & 1 == 1;
            let commits_to = lookup.asks.filter(|_| is_permitted);
            if let Some(output) = commits_to {
                self.commit(lookup, output);
            }
            if lookup.waits {
                kept |= 1 << input;
                continue;
            }
            let granted = self.take_grant(input);
            match commits_to.or(granted) {
                Some(output) => self.leave_adaptive(lookup, output),
                None => self.take_escape(lookup, sink),
            }
        }
        kept
    }

    /// The inputs for whose header in the register a reader chooses.
    fn chosen_inputs(&self) -> u32 {
        let (Some(shape), Some(adaptive)) = (&self.shape.adaptive, &self.adaptive) else {
            return 0;
        };
        let served = |&input: &usize| {
            let reading = adaptive.arrivals[input].reading;
            reading.is_some_and(|reading| reading.served)
        };
        let claims = ones(adaptive.arrived & !adaptive.granted).filter(served);
        let claims = claims.fold(0, |inputs, input| inputs | 1 << input);
        adaptive.served(shape, claims, self.shape.ports)
    }

    /// A header leaves the register: the output that its packet committed to in an earlier cycle.
    fn take_grant(&mut self, input: usize) -> Option<usize> {
        let adaptive = self.adaptive.as_mut()?;
        adaptive.waited[input] = 0;
        let is_granted = adaptive.granted >> input & 1 == 1;
        adaptive.granted &= !(1 << input);
        is_granted.then(|| adaptive.grants[input].into())
    }

    /// Rules 1 and 2; bits of `chosen`: inputs.
    fn look_up(&self, given: &Header, chosen: u32) -> Lookup {
        let &(key, header, reading) = given;
        let input = K::port_of(key);
        let escape = reading.escape;
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
        let is_host = input >= shape.network_ports;
        let has_waited = is_host && adaptive.waited[input] >= PATIENCE;
        if chosen >> input & 1 == 0 {
            let is_granted = adaptive.granted >> input & 1 == 1;
            lookup.waits = is_host && !has_waited && reading.served && !is_granted;
            return lookup;
        }
        let others = reading.candidates & !(1 << input);
        let may_wait = !has_waited && others & self.up != 0;
        let is_eligible = (may_wait || !is_host)
            && escape.is_some_and(|port| usize::from(port) < shape.network_ports)
            && shape.allows(lookup.flits, header);
        if !is_eligible {
            return lookup;
        }
        let choices = adaptive.with_room(others, shape.class(lookup.flits), is_host);
        let start = usize::from(adaptive.candidate_pointer);
        lookup.asks = (choices != 0).then(|| u64::from(choices).first_at_or_after(start));
        lookup.waits = is_host;
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

    /// Rule 4: room is taken.
    fn commit(&mut self, lookup: &Lookup, output: usize) {
        let Some(adaptive) = &mut self.adaptive else {
            return;
        };
        adaptive.room[output] -= lookup.flits;
        adaptive.committed |= 1 << output;
        if lookup.waits {
            let input = K::port_of(lookup.key);
            adaptive.granted |= 1 << input;
            adaptive.grants[input] = output as u8;
        }
    }

    /// Rule 4: the header of a packet that has committed goes to its output.
    fn leave_adaptive(&mut self, lookup: &Lookup, output: usize) {
        let Some(adaptive) = &mut self.adaptive else {
            return;
        };
        adaptive.choices.adaptive += 1;
        adaptive.left[lookup.key] = lookup.flits - 1;
        if lookup.flits > 1 {
            adaptive.carried.insert(lookup.key);
        }
        self.begin(lookup.key, output, lookup.header.as_adaptive(true));
        self.grant_at_once(lookup.key, output);
    }

    /// An idle output grants a packet at once that has committed and goes there.
    fn grant_at_once(&mut self, key: usize, output: usize) {
        let (Some(shape), Some(adaptive)) = (&self.shape.adaptive, &self.adaptive) else {
            return;
        };
        let is_host = K::port_of(key) >= shape.network_ports;
        if (is_host || K::channel_of(key) == shape.channel) && adaptive.idle >> output & 1 == 1 {
            self.choose(output, key);
            self.granted |= 1 << output;
        }
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
            self.begin_way(output, key, header.is_adaptive());
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
