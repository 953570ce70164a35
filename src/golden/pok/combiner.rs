//! 6.2: combiner, from the branches to the trunk.

use std::collections::VecDeque;
use std::ops::Range;

use mkns_design::PokShape;

use crate::Flit;
use crate::core_counters::CoreCounters;
use crate::cyclic::first_at_or_after;
use crate::note::note;

/// Join channel t.
struct JoinChannel {
    /// All branches, or branch t alone.
    taken: Range<usize>,
    lock: Vec<Option<usize>>,
    from: Vec<usize>,
    credit: Vec<u32>,
    turn: usize,
    tx: Option<Flit>,
}

pub struct Combiner {
    /// m
    branches: usize,
    /// V
    channels: usize,
    /// C
    credits: u32,
    join_channels: Vec<JoinChannel>,
    /// `fifo[b][v]`: every branch is taken by one join channel.
    fifo: Vec<Vec<VecDeque<Flit>>>,
    /// `br_rx_credit` registers of each branch, bit v.
    rx_credit: Vec<u32>,
}

impl Combiner {
    pub fn new(shape: &PokShape, channels: usize, credits: u32) -> Self {
        let branches = shape.branches as usize;
        let join_channel = |t: usize| {
            let taken = shape.branches_of(t);
            JoinChannel {
                lock: vec![None; channels],
                from: vec![taken.start; channels],
                credit: vec![credits; channels],
                turn: 0,
                tx: None,
                taken,
            }
        };
        Self {
            branches,
            channels,
            credits,
            join_channels: (0..shape.trunks() as usize).map(join_channel).collect(),
            fifo: vec![vec![VecDeque::new(); channels]; branches],
            rx_credit: vec![0; branches],
        }
    }

    pub fn tx(&self, trunk: usize) -> Option<&Flit> {
        self.join_channels[trunk].tx.as_ref()
    }

    pub fn rx_credit(&self, branch: usize) -> u32 {
        self.rx_credit[branch]
    }

    /// Nothing is in it.
    pub fn is_at_rest(&self) -> bool {
        self.join_channels
            .iter()
            .all(|channel| channel.tx.is_none())
            && self.rx_credit.iter().all(|&credit| credit == 0)
            && self.fifo.iter().flatten().all(VecDeque::is_empty)
    }

    /// One cycle: rx pins of the branches, `tk_tx_credit` of the trunk channels, bit v.
    pub fn clock(
        &mut self,
        rx: &mut [Option<Flit>],
        tx_credit: &[u32],
        counters: &mut CoreCounters,
    ) {
        self.rx_credit.fill(0);
        for (t, &arrived) in tx_credit.iter().enumerate() {
            let popped = self.eligible(t);
            if popped.is_none() && self.has_flits(t) {
                counters.stalled(self.branches + t);
            }
            self.join_channels[t].tx = None;
            if let Some((v, b)) = popped {
                self.pop(t, v, b, counters);
            }
            // Rule 5.
            for (v, credit) in self.join_channels[t].credit.iter_mut().enumerate() {
                *credit += arrived >> v & 1;
            }
        }
        // Rule 1: at the end of the cycle, so nothing above has seen it.
        for (fifo, flit) in self.fifo.iter_mut().zip(rx) {
            if let Some(flit) = flit.take() {
                fifo[flit.channel].push_back(flit);
            }
        }
    }

    /// Rule 2.
    fn candidate(&self, t: usize, v: usize) -> Option<usize> {
        let channel = &self.join_channels[t];
        channel.lock[v].or_else(|| {
            let (first, branches) = (channel.taken.start, channel.taken.len());
            let start = channel.from[v] - first;
            let place = first_at_or_after(start, branches, |n| self.has_flit(first + n, v))?;
            Some(first + place)
        })
    }

    /// Rule 3 and the choice of rule 4.
    fn eligible(&self, t: usize) -> Option<(usize, usize)> {
        let channel = &self.join_channels[t];
        let is_eligible = |v: usize| {
            channel.credit[v] > 0 && self.candidate(t, v).is_some_and(|b| self.has_flit(b, v))
        };
        let v = first_at_or_after(channel.turn, self.channels, is_eligible)?;
        Some((v, self.candidate(t, v)?))
    }

    /// Rule 4.
    fn pop(&mut self, t: usize, v: usize, b: usize, counters: &mut CoreCounters) {
        let channel = &mut self.join_channels[t];
        let flit = self.fifo[b][v]
            .pop_front()
            .expect("an eligible channel has a flit");
        channel.turn = (v + 1) % self.channels;
        if channel.lock[v].is_none() {
            let after = b + 1;
            channel.from[v] = match channel.taken.contains(&after) {
                true => after,
                false => channel.taken.start,
            };
        }
        channel.lock[v] = (!flit.last).then_some(b);
        channel.credit[v] -= 1;
        self.rx_credit[b] = 1 << v;
        counters.sent(self.branches + t, &flit);
        channel.tx = Some(flit);
    }

    fn has_flit(&self, b: usize, v: usize) -> bool {
        !self.fifo[b][v].is_empty()
    }

    /// Some FIFO of the join channel is not empty.
    fn has_flits(&self, t: usize) -> bool {
        let mut branches = self.join_channels[t].taken.clone();
        branches.any(|b| (0..self.channels).any(|v| self.has_flit(b, v)))
    }

    /// What differs from reset.
    pub fn describe(&self, text: &mut String) {
        for (b, fifos) in self.fifo.iter().enumerate() {
            for (v, fifo) in fifos.iter().enumerate() {
                note(text, &format!("join fifo[{b}][{v}]"), fifo.len(), 0);
            }
        }
        for (t, channel) in self.join_channels.iter().enumerate() {
            let states = channel.lock.iter().zip(&channel.credit);
            for (v, (&lock, &credit)) in states.enumerate() {
                note(text, &format!("join channel {t} lock[{v}]"), lock, None);
                let name = format!("join channel {t} credit[{v}]");
                note(text, &name, credit, self.credits);
            }
        }
    }
}
