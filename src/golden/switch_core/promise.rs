//! 1.8 Lookup rules 4 to 6, Length and Room: what a packet is promised, and what it gives back.

use super::adaptive::LAST_TICK;
use super::choices::Admission;
use super::state::{Path, SwitchCore, Word};
use crate::core_counters::Choice;
use crate::{Data, header};

impl SwitchCore {
    /// Rules 4 and 6 for the header of input i that the escape tables lead to e: the output, and the header that goes there.
    pub(super) fn depart(
        &mut self,
        i: usize,
        e: usize,
        admission: Admission,
        word: &mut Word,
    ) -> usize {
        let Some(adaptive) = &mut self.adaptive else {
            return e;
        };
        let v = word.flit.channel;
        if let Admission::Commits { output, flits } = admission {
            adaptive.adaptive[i][v] = true;
            adaptive.room[output] -= flits;
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

    /// Rule 5: how long headers of hosts have waited; without admissions none waits. The pointers move on.
    pub(super) fn finish_choices(&mut self, admissions: &[Admission]) {
        let Some(adaptive) = &mut self.adaptive else {
            return;
        };
        let ticks = u32::from(adaptive.tick == LAST_TICK);
        for (waited, i) in adaptive.waited.iter_mut().zip(adaptive.network_ports..) {
            *waited = match admissions.get(i) {
                Some(Admission::Waits) => *waited + ticks,
                _ => 0,
            };
        }
        adaptive.turn_pointers();
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
