//! 1.6 Pop, and 1.7 After the pop: an output's state at the end of the cycle.

use super::allocation::Turn;
use super::counters::{Counter, ERROR_LINK_DOWN_AT_OUTPUT};
use super::shape::Request;
use super::state::SwitchCore;
use crate::CoreEvents;

impl SwitchCore {
    /// Carries out what the cycle brings for output o.
    pub(super) fn finish_output(
        &mut self,
        o: usize,
        turn: &Turn,
        tx_credit: u32,
        events: &mut CoreEvents,
    ) {
        self.tx[o] = self.fetched[o].take();
        self.fetched[o] = self.matched[o].take();
        if let Some(k) = turn.popped {
            self.pop(o, k, events);
        }
        if turn.stalls {
            self.counters[o].count(Counter::Stalls);
        }
        // The flit popped in the last cycle leaves its queue.
        if let Some(k) = self.popped[o] {
            self.queue[k.input][o][k.channel].pop_front();
        }
        self.popped[o] = turn.popped;
        self.grant_next(o, turn);
        for w in 0..self.shape.channels {
            self.credit[o][w] += (tx_credit >> w & 1) as usize;
            // An output that is down: the block behind the link has closed what had begun.
            if !self.is_up(o) && self.lock[o][w].is_some() {
                self.discard[o][w] = true;
            }
            self.watched[o][w] = turn.watch[w].watched;
            self.passed[o][w] = turn.watch[w].passed;
            self.overdue[o][w] = turn.watch[w].overdue;
        }
    }

    /// An accepted grant moves its bank's pointer behind o.
    fn grant_next(&mut self, o: usize, turn: &Turn) {
        if turn.accepted
            && let Some(k) = self.grant[o]
        {
            let n = o / self.shape.banks;
            let pointer = (n + 1) % self.shape.bank_outputs();
            self.accept_pointer[k.input][self.shape.bank(o)] = pointer;
        }
        self.flow[o] = turn.flow;
        self.grant[o] = turn.grant;
        self.grant_pointer[o] = turn.grant_pointer;
    }

    /// Pop of k at output o: its oldest flit leaves.
    fn pop(&mut self, o: usize, k: Request, events: &mut CoreEvents) {
        let w = self.outgoing_channel(o, k);
        let mut flit = *self.oldest_flit(o, k);
        let discarded = self.lock[o][w] == Some(k) && self.discard[o][w];
        let sent = self.is_up(o) && !discarded;
        self.lock[o][w] = (!flit.last).then_some(k);
        self.discard[o][w] = !flit.last && !sent;
        let counters = &mut self.counters[o];
        if sent {
            self.credit[o][w] -= 1;
            counters.count_sent(flit.last);
            flit.channel = w;
            self.matched[o] = Some(flit);
        } else if flit.last {
            counters.count(Counter::LinkDownAtOutput);
            events.errors |= ERROR_LINK_DOWN_AT_OUTPUT;
        }
    }
}
