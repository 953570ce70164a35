//! 1.6 Pop, and 1.7 After the pop: an output's state at the end of the cycle.

use super::decision::Decision;
use super::shape::Request;
use super::state::SwitchCore;
use crate::Events;
use crate::core_counters::Cause;

impl SwitchCore {
    /// Carries out what the cycle brings for output o.
    pub(super) fn finish_output(
        &mut self,
        o: usize,
        decision: &Decision,
        tx_credit: u32,
        events: &mut Events,
    ) {
        self.move_pipeline(o);
        self.return_promised(o);
        if let Some(k) = decision.popped {
            self.pop(o, k, events);
        }
        if decision.stalls {
            self.counters.stalled(o);
        }
        if let Some(k) = self.grant[o].filter(|_| decision.accepted) {
            let next = o / self.shape.banks + 1;
            self.accept_pointer[self.shape.input(k)][self.shape.bank(o)] =
                next % self.shape.bank_outputs();
        }
        // Before `flow` is that of the next cycle.
        for w in 0..self.shape.channels {
            self.finish_watch(o, w, decision.watches_on, decision.overdue);
        }
        self.popped[o] = decision.popped;
        self.flow[o] = decision.flow;
        self.grant[o] = decision.grant;
        self.grant_pointer[o] = decision.grant_pointer;
        for w in 0..self.shape.channels {
            self.earn_credits(o, w, (tx_credit >> w & 1) as usize);
            // An output that is down: the block behind the link has closed what had begun.
            if !self.is_up(o) && self.lock[o][w].is_some() {
                self.discard[o][w] = true;
            }
        }
    }

    /// 1.7. Stages that are empty stay so, which is said here for speed alone.
    fn move_pipeline(&mut self, o: usize) {
        if self.tx[o].is_some() || self.fetched[o].is_some() {
            self.tx[o] = self.fetched[o].take();
        }
        if self.matched[o].is_some() {
            self.fetched[o] = self.matched[o].take();
        }
    }

    /// Pop of k at output o: its oldest flit leaves.
    fn pop(&mut self, o: usize, k: Request, events: &mut Events) {
        let w = self.outgoing_channel(o, k);
        let word = self.take_oldest(o, k);
        if let Some(adaptive) = &mut self.adaptive {
            adaptive.popped_way[o] = word.adaptive;
        }
        let discarded = self.lock[o][w] == Some(k) && self.discard[o][w];
        let sent = self.is_up(o) && !discarded;
        if word.adaptive {
            self.pop_promised(o, &word, sent);
        }
        let mut flit = word.flit;
        self.lock[o][w] = (!flit.last).then_some(k);
        self.discard[o][w] = !flit.last && !sent;
        if sent {
            if !word.adaptive {
                self.credit[o][w] -= 1;
            }
            self.counters.sent(o, &flit);
            flit.channel = w;
            self.matched[o] = Some(flit);
        } else if flit.last {
            self.counters.dropped(o, Cause::LinkDownAtOutput);
            events.errors |= Cause::LinkDownAtOutput.error();
        }
    }

    /// Credits that the block behind channel w of output o gives back.
    fn earn_credits(&mut self, o: usize, w: usize, credits: usize) {
        match &mut self.adaptive {
            Some(adaptive) if adaptive.promises(o, w) => adaptive.room[o] += credits,
            _ => self.credit[o][w] += credits,
        }
    }
}
