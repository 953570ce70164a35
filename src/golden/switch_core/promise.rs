//! 1.8 Lookup rules 4 to 6, Length and Room: what a packet is promised, and what it gives back.

use super::adaptive::LAST_TICK;
use super::arrival::Entry;
use super::arrived::Arrival;
use super::choices::{Admission, Promise};
use super::state::{Path, SwitchCore, Word};
use crate::core_counters::Choice;
use crate::{Data, header};

impl SwitchCore {
    /// Rule 4: packets commit.
    pub(super) fn take_room(&mut self, admissions: &[Admission]) {
        let Some(adaptive) = &mut self.adaptive else {
            return;
        };
        for (i, admission) in admissions.iter().enumerate() {
            if let Some(Promise { output, flits }) = admission.commits {
                adaptive.room[output] -= flits;
            }
            if let Some(q) = adaptive.host(i) {
                adaptive.granted[q] = admission.commits.map(|promise| promise.output);
            }
        }
    }

    /// Rules 4 and 6 for the header of input i that the escape tables lead to e, or whose packet has committed: the output,
    /// and the header that goes there.
    pub(super) fn depart(
        &mut self,
        i: usize,
        e: usize,
        committed_to: Option<usize>,
        word: &mut Word,
    ) -> usize {
        let Some(adaptive) = &mut self.adaptive else {
            return e;
        };
        let v = word.flit.channel;
        if let Some(output) = committed_to {
            let flits = adaptive.packet_flits(word.flit.data.low(), word.flit.last);
            adaptive.adaptive[i][v] = true;
            adaptive.left[i][v] = flits - 1;
            adaptive.chosen[i] = Some(Choice::Adaptive);
            word.adaptive = true;
            return output;
        }
        adaptive.adaptive[i][v] = false;
        if e < adaptive.network_ports {
            let header = word.flit.data.low_mut();
            let before = *header;
            *header = header::after_escape(before);
            adaptive.chosen[i] = Some(match *header == before {
                true => Choice::Escape,
                false => Choice::Detour,
            });
        }
        e
    }

    /// Length: a body flit of input i for output o. Where the rest of its packet goes.
    pub(super) fn follow(&mut self, i: usize, o: usize, word: &mut Word) -> Path {
        let v = word.flit.channel;
        let Some(adaptive) = self.adaptive.as_mut().filter(|it| it.adaptive[i][v]) else {
            return Path::To(o);
        };
        word.adaptive = true;
        let left = &mut adaptive.left[i][v];
        *left -= 1;
        if !word.flit.last {
            if *left > 0 {
                return Path::To(o);
            }
            // Longer than its length field.
            word.flit.last = true;
            word.flit.bad = true;
            word.flit.data = Data::default();
            return Path::Dropping;
        }
        if word.flit.bad || *left > 0 {
            word.flit.bad = true;
            word.flit.data = Data::of(&[*left as u64]);
        }
        *left = 0;
        Path::To(o)
    }

    /// Length: the made-up tail of input i takes the place of a promised flit.
    pub(super) fn make_up(&mut self, i: usize, word: &mut Word) {
        let v = word.flit.channel;
        if let Some(adaptive) = self.adaptive.as_mut().filter(|it| it.adaptive[i][v]) {
            word.adaptive = true;
            word.flit.data = Data::of(&[adaptive.left[i][v] as u64 - 1]);
            adaptive.left[i][v] = 0;
        }
    }

    /// Rule 5: how long headers of hosts have waited, before `arrived` changes. The pointers move on.
    pub(super) fn finish_choices(&mut self, admissions: &[Admission], entries: &[Entry]) {
        let Some(adaptive) = &mut self.adaptive else {
            return;
        };
        let ticks = u32::from(adaptive.tick == LAST_TICK);
        for (q, i) in (adaptive.network_ports..admissions.len()).enumerate() {
            let waits = admissions[i].waits;
            let is_header = |arrival: &Arrival| arrival.lookup.is_some();
            if !waits && adaptive.arrived[i].as_ref().is_some_and(is_header) {
                adaptive.waited[q] = 0;
            } else if waits || matches!(entries[i], Entry::StaysOnPins) {
                adaptive.waited[q] += ticks;
            }
        }
        adaptive.turn_pointers();
    }

    /// `room` at the start of a cycle.
    pub(super) fn room(&self) -> Vec<usize> {
        let adaptive = self.adaptive.as_ref();
        adaptive.map_or_else(Vec::new, |adaptive| adaptive.room.clone())
    }

    /// Size classes: what the flags show in the next cycle; `room` and `up` are those at the start of this one.
    pub(super) fn show_room(&mut self, room: Vec<usize>, admissions: &[Admission]) {
        let Some(adaptive) = &mut self.adaptive else {
            return;
        };
        adaptive.shown = room;
        for (o, shown) in adaptive.shown.iter_mut().enumerate() {
            let is_promised = |it: &Admission| it.commits.is_some_and(|it| it.output == o);
            if self.up >> o & 1 == 0 || admissions.iter().any(is_promised) {
                *shown = 0;
            }
        }
    }

    /// Room: what was popped on A of output o three cycles before comes back.
    pub(super) fn return_promised(&mut self, o: usize) {
        if let Some(adaptive) = &mut self.adaptive
            && o < adaptive.network_ports
        {
            let [matched, fetched, kept] = adaptive.returning[o];
            adaptive.room[o] += kept;
            adaptive.returning[o] = [0, matched, fetched];
        }
    }

    /// Room: a flit is popped on A of output o.
    pub(super) fn pop_promised(&mut self, o: usize, word: &Word, sent: bool) {
        if let Some(adaptive) = &mut self.adaptive {
            adaptive.room[o] += usize::from(!sent);
            if word.flit.last && word.flit.bad {
                adaptive.returning[o][0] = word.flit.data.low() as usize;
            }
        }
    }
}
