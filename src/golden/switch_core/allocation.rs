//! 1.6 Allocation: which request every output grants, accepts and pops.

use super::shape::{PerChannel, Request, RequestSet};
use super::state::SwitchCore;
use super::watch::Watch;
use crate::cyclic::first_at_or_after;

/// What the cycle brings for an output: the values of its state at the end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turn {
    /// Its grant of the last cycle is accepted.
    pub accepted: bool,
    /// `popped[o]`
    pub popped: Option<Request>,
    /// `flow[o]`
    pub flow: Option<Request>,
    /// `grant[o]`
    pub grant: Option<Request>,
    /// `grant_pointer[o]`
    pub grant_pointer: usize,
    /// `watched[o]`, `passed[o]` and `overdue[o]`.
    pub watch: PerChannel<Watch>,
    /// Some request is waiting, and none is popped.
    pub stalls: bool,
}

/// What the banks say in a cycle.
struct Banks {
    /// Outputs whose grant is accepted.
    accepted: u32,
    /// Outputs whose grant lost to another one of its bank.
    lost: u32,
    /// Per input: banks that an output claims.
    claimed: Vec<u32>,
}

impl SwitchCore {
    /// Rules 1 to 5 for every output, all from the state at the start of the cycle.
    pub(super) fn allocate(&self) -> Vec<Turn> {
        let banks = self.ask_banks();
        let waiting = self.waiting();
        let outputs = waiting.iter().enumerate();
        outputs
            .map(|(o, &waiting)| self.turn(o, waiting, &banks))
            .collect()
    }

    fn turn(&self, o: usize, waiting: RequestSet, banks: &Banks) -> Turn {
        let accepted = banks.accepted >> o & 1 == 1;
        let lost = banks.lost >> o & 1 == 1;
        let popped = self.pops(o, accepted);
        let flow = popped.filter(|&k| !self.oldest_flit(o, k).last);
        let mut turn = Turn {
            accepted,
            popped,
            flow,
            grant: None,
            grant_pointer: self.grant_pointer[o],
            watch: self.watches(o, flow.is_some()),
            stalls: !waiting.is_empty() && popped.is_none(),
        };
        if flow.is_some() {
            return turn;
        }
        if self.keeps_grant(o, accepted, lost) {
            turn.grant = self.grant[o];
        } else if let Some(number) = self
            .candidates(o, waiting, &banks.claimed)
            .first_from(self.grant_pointer[o])
        {
            let k = self.shape.request(number);
            turn.grant = Some(k);
            turn.grant_pointer = self.shape.number(self.shape.after(k));
        } else {
            let failed = accepted && popped.is_none();
            turn.grant = self.chosen(o).filter(|_| !failed);
        }
        turn
    }

    /// `chosen[o]`
    pub(super) fn chosen(&self, o: usize) -> Option<Request> {
        self.flow[o].or(self.grant[o])
    }

    /// w: the outgoing channel of request k at output o.
    pub(super) fn outgoing_channel(&self, o: usize, k: Request) -> usize {
        (k.channel + self.step(k.input, o)).min(self.shape.channels - 1)
    }

    /// k *may go on* at output o.
    fn may_go_on(&self, o: usize, k: Request) -> bool {
        let w = self.outgoing_channel(o, k);
        let thrown_away = !self.is_up(o) || self.discard[o][w];
        self.lock[o][w] == Some(k) && (thrown_away || self.credit[o][w] >= 1)
    }

    /// k *may begin* at output o, where the lock of the packet `ending` counts as none.
    fn may_begin(&self, o: usize, k: Request, ending: Option<Request>) -> bool {
        let w = self.outgoing_channel(o, k);
        let free = self.lock[o][w].is_none() || self.lock[o][w] == ending;
        let admitted = !self.overdue[o][w] || k == self.watched[o][w];
        free && admitted && (!self.is_up(o) || self.credit[o][w] >= self.shape.header_needs)
    }

    fn may_go_on_or_begin(&self, o: usize, k: Request) -> bool {
        self.may_go_on(o, k) || self.may_begin(o, k, None)
    }

    /// Rule 1, and the claims of outputs on banks.
    fn ask_banks(&self) -> Banks {
        let mut banks = Banks {
            accepted: 0,
            lost: 0,
            claimed: vec![0; self.shape.ports],
        };
        for o in 0..self.shape.ports {
            if let Some(k) = self.chosen(o)
                && self.is_ready(o, k)
                && !self.oldest_flit(o, k).last
            {
                banks.claimed[k.input] |= 1 << self.shape.bank(o);
            }
            if let Some(k) = self.grant[o] {
                match self.accepted_output(k.input, self.shape.bank(o)) {
                    Some(accepted) if accepted == o => banks.accepted |= 1 << o,
                    Some(_) => banks.lost |= 1 << o,
                    None => {}
                }
            }
        }
        banks
    }

    /// Rule 1: the output whose grant bank (i, b) accepts; none while it serves a flow.
    fn accepted_output(&self, i: usize, b: usize) -> Option<usize> {
        let is_from_i = |k: &Option<Request>| k.is_some_and(|k| k.input == i);
        let mut outputs = (b..self.shape.ports).step_by(self.shape.banks);
        if outputs.any(|o| is_from_i(&self.flow[o])) {
            return None;
        }
        let grants = |n: usize| {
            let o = n * self.shape.banks + b;
            o < self.shape.ports && is_from_i(&self.grant[o])
        };
        let n = first_at_or_after(self.accept_pointer[i][b], self.shape.bank_outputs(), grants)?;
        Some(n * self.shape.banks + b)
    }

    /// Rule 2: the request that is popped.
    fn pops(&self, o: usize, accepted: bool) -> Option<Request> {
        let k = self.chosen(o)?;
        let served = self.flow[o].is_some() || accepted;
        (served && self.is_ready(o, k) && self.may_go_on_or_begin(o, k)).then_some(k)
    }

    /// Rule 3.
    fn candidates(&self, o: usize, waiting: RequestSet, claimed: &[u32]) -> RequestSet {
        let mut candidates = RequestSet::default();
        for number in waiting.numbers() {
            let k = self.shape.request(number);
            let w = self.outgoing_channel(o, k);
            let may = self.may_go_on(o, k) || self.may_begin(o, k, self.flow[o]);
            let bank_is_free = claimed[k.input] >> self.shape.bank(o) & 1 == 0;
            if Some(k) != self.chosen(o) && may && (self.overdue[o][w] || bank_is_free) {
                candidates.insert(number);
            }
        }
        candidates
    }

    /// Rule 4, first case: the grant stays although it was not accepted.
    fn keeps_grant(&self, o: usize, accepted: bool, lost: bool) -> bool {
        let Some(k) = self.grant[o] else {
            return false;
        };
        let w = self.outgoing_channel(o, k);
        let soon = lost && self.is_ready(o, k) && self.oldest_flit(o, k).last;
        let overdue = self.overdue[o][w] && self.may_go_on_or_begin(o, k);
        !accepted && self.is_ready(o, k) && (soon || overdue)
    }
}
