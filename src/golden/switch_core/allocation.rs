//! 1.6 Allocation: which request every output grants, accepts and pops.

use super::choices::Admission;
use super::decision::Decision;
use super::shape::{MOST_PORTS, Request};
use super::state::SwitchCore;
use crate::cyclic::{first_at_or_after, members_from};

impl SwitchCore {
    /// Rules 1 to 5 for every output, all from the state at the start of the cycle.
    pub(super) fn allocate(&self, admissions: &[Admission], decisions: &mut Vec<Decision>) {
        let claimed = self.claimed_banks();
        let waiting = self.waiting();
        let decision = |o: usize| self.decide(o, waiting[o], &claimed, admissions);
        decisions.clear();
        decisions.extend((0..self.shape.ports).map(decision));
    }

    fn decide(
        &self,
        o: usize,
        waiting: u128,
        claimed: &[u32],
        admissions: &[Admission],
    ) -> Decision {
        // An output that is idle (1.8). In other blocks it does nothing, which is said here for speed alone.
        if waiting == 0 && self.chosen(o).is_none() {
            return Decision {
                grant: self.committed_request(o, admissions),
                grant_pointer: self.grant_pointer[o],
                ..Decision::default()
            };
        }
        let accepted = self.grant[o].is_some_and(|k| self.accepted_output(k, o) == Some(o));
        let popped = self.pops(o, accepted);
        let watches_on = self.watches_on(o);
        let mut decision = Decision {
            accepted,
            popped,
            flow: popped.filter(|&k| !self.oldest_flit(o, k).last),
            grant: None,
            grant_pointer: self.grant_pointer[o],
            watches_on,
            overdue: self.overdue_after(o, watches_on),
            stalls: waiting != 0 && popped.is_none(),
        };
        if decision.flow.is_some() {
            return decision;
        }
        let is_candidate = |&k: &Request| self.is_candidate(o, k, claimed);
        if !accepted && self.keeps_grant(o) {
            decision.grant = self.grant[o];
        } else if let Some(k) = members_from(decision.grant_pointer, waiting).find(is_candidate) {
            decision.grant = Some(k);
            decision.grant_pointer = (k + 1) % self.shape.requests();
        } else if self.is_chosen_again(accepted, popped) {
            decision.grant = self.chosen(o);
        }
        decision
    }

    /// Rule 4, where there is no candidate.
    fn is_chosen_again(&self, accepted: bool, popped: Option<Request>) -> bool {
        match popped {
            Some(_) => self.adaptive.is_none(),
            None => !accepted,
        }
    }

    /// The request of the packet that has committed to output o and goes there in this cycle, which an idle output
    /// grants at once (1.8).
    fn committed_request(&self, o: usize, admissions: &[Admission]) -> Option<Request> {
        let adaptive = self.adaptive.as_ref()?;
        let i = (admissions.iter()).position(|admission| admission.goes_to == Some(o))?;
        let v = adaptive.arrived[i].as_ref()?.flit.channel;
        let is_granted = adaptive.host(i).is_some() || v == adaptive.channel;
        is_granted.then(|| self.shape.request(i, v))
    }

    /// `chosen[o]`
    pub(super) fn chosen(&self, o: usize) -> Option<Request> {
        self.flow[o].or(self.grant[o])
    }

    /// w(i,o,v): the outgoing channel of request k at output o.
    pub(super) fn outgoing_channel(&self, o: usize, k: Request) -> usize {
        let step = (self.step[self.shape.input(k)] >> o & 1) as usize;
        let v = self.shape.channel(k);
        match &self.adaptive {
            None => (v + step).min(self.shape.channels - 1),
            Some(adaptive) if self.way(o, k) => adaptive.channel,
            // From A, packets join the escape on its first channel.
            Some(adaptive) => {
                let u = if v == adaptive.channel { 0 } else { v };
                (u + step).min(adaptive.channel - 1)
            }
        }
    }

    /// Channel w of output o has this many credits, or its flits need none (1.8).
    fn has_credits(&self, o: usize, w: usize, needed: usize) -> bool {
        let is_promised = (self.adaptive.as_ref()).is_some_and(|it| it.promises(o, w));
        is_promised || self.credit[o][w] >= needed
    }

    /// k *may go on* at output o.
    fn may_go_on(&self, o: usize, k: Request) -> bool {
        let w = self.outgoing_channel(o, k);
        let thrown_away = !self.is_up(o) || self.discard[o][w];
        self.lock[o][w] == Some(k) && (thrown_away || self.has_credits(o, w, 1))
    }

    /// k *may begin* at output o, where the lock of the packet `ending` counts as none.
    fn may_begin(&self, o: usize, k: Request, ending: Option<Request>) -> bool {
        let w = self.outgoing_channel(o, k);
        let free = self.lock[o][w].is_none() || self.lock[o][w] == ending;
        let admitted = !self.overdue[o][w] || self.is_watched(o, k, w);
        free && admitted && (!self.is_up(o) || self.has_credits(o, w, self.shape.header_needs))
    }

    /// Banks (i, b) that an output claims: per input, bit b.
    fn claimed_banks(&self) -> [u32; MOST_PORTS] {
        let mut claimed = [0; MOST_PORTS];
        for o in 0..self.shape.ports {
            if let Some(k) = self.chosen(o)
                && self.is_ready(o, k)
                && !self.oldest_flit(o, k).last
            {
                claimed[self.shape.input(k)] |= 1 << self.shape.bank(o);
            }
        }
        claimed
    }

    /// Rule 1: the output whose grant is accepted by the bank that k and o belong to; none while
    /// the bank serves a flow.
    fn accepted_output(&self, k: Request, o: usize) -> Option<usize> {
        let (i, b) = (self.shape.input(k), self.shape.bank(o));
        let is_from_i = |k: Option<Request>| k.is_some_and(|k| self.shape.input(k) == i);
        let mut outputs = (b..self.shape.ports).step_by(self.shape.banks);
        if outputs.any(|o| is_from_i(self.flow[o])) {
            return None;
        }
        let output = |n: usize| n * self.shape.banks + b;
        let grants = |n| output(n) < self.shape.ports && is_from_i(self.grant[output(n)]);
        let pointer = self.accept_pointer[i][b];
        first_at_or_after(pointer, self.shape.bank_outputs(), grants).map(output)
    }

    /// Rule 2: the request that is popped.
    fn pops(&self, o: usize, accepted: bool) -> Option<Request> {
        let k = self.chosen(o)?;
        let served = self.flow[o].is_some() || accepted;
        let may = self.may_go_on(o, k) || self.may_begin(o, k, None);
        (served && self.is_ready(o, k) && may).then_some(k)
    }

    /// Rule 3, for a k that is waiting.
    fn is_candidate(&self, o: usize, k: Request, claimed: &[u32]) -> bool {
        let may = self.may_go_on(o, k) || self.may_begin(o, k, self.flow[o]);
        let overdue = match self.adaptive {
            Some(_) => self.overdue[o].contains(&true),
            None => self.overdue[o][self.outgoing_channel(o, k)],
        };
        let bank_is_claimed = claimed[self.shape.input(k)] >> self.shape.bank(o) & 1 == 1;
        Some(k) != self.chosen(o) && may && (overdue || !bank_is_claimed)
    }

    /// Rule 4, first case: the grant stays, if it was not accepted.
    fn keeps_grant(&self, o: usize) -> bool {
        self.grant[o].is_some_and(|k| {
            let may = self.may_go_on(o, k) || self.may_begin(o, k, None);
            let overdue = self.overdue[o][self.outgoing_channel(o, k)];
            self.is_ready(o, k) && may && (overdue || self.oldest_flit(o, k).last)
        })
    }
}
