//! 6.1: splitter, from the trunk to the branches.

use std::collections::VecDeque;
use std::ops::Range;

use mkns_design::PokShape;

use crate::core_counters::{Cause, CoreCounters};
use crate::cyclic::first_at_or_after;
use crate::note::{PageText, note};
use crate::{DroppedHeader, Events, Flit, header};

/// Where the packet in progress goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Target {
    To(usize),
    Dropping,
}

impl PageText for Target {
    fn page_text(&self) -> String {
        match self {
            Self::To(branch) => format!("to({branch})"),
            Self::Dropping => "dropping".to_owned(),
        }
    }
}

/// Split channel t.
struct SplitChannel {
    /// All branches, or branch t alone.
    served: Range<usize>,
    fifo: Vec<VecDeque<Flit>>,
    open: Vec<Option<Target>>,
    turn: usize,
    /// `tk_rx_credit` registers, bit v.
    rx_credit: u32,
}

pub struct Splitter {
    /// m
    branches: usize,
    /// V
    channels: usize,
    /// C
    credits: u32,
    /// F
    field_bits: u32,
    split_channels: Vec<SplitChannel>,
    /// `credit[b][v]`: every branch is served by one split channel.
    credit: Vec<Vec<u32>>,
    /// tx registers of each branch.
    tx: Vec<Option<Flit>>,
}

impl Splitter {
    pub fn new(shape: &PokShape, channels: usize, credits: u32) -> Self {
        let branches = shape.branches as usize;
        let split_channel = |t: usize| SplitChannel {
            served: shape.branches_of(t),
            fifo: vec![VecDeque::new(); channels],
            open: vec![None; channels],
            turn: 0,
            rx_credit: 0,
        };
        Self {
            branches,
            channels,
            credits,
            field_bits: shape.field_bits,
            split_channels: (0..shape.trunks() as usize).map(split_channel).collect(),
            credit: vec![vec![credits; channels]; branches],
            tx: vec![None; branches],
        }
    }

    pub fn tx(&self, branch: usize) -> Option<&Flit> {
        self.tx[branch].as_ref()
    }

    pub fn rx_credit(&self, trunk: usize) -> u32 {
        self.split_channels[trunk].rx_credit
    }

    /// Nothing is in it.
    pub fn is_at_rest(&self) -> bool {
        let is_empty = |channel: &SplitChannel| {
            channel.rx_credit == 0 && channel.fifo.iter().all(VecDeque::is_empty)
        };
        self.tx.iter().all(Option::is_none) && self.split_channels.iter().all(is_empty)
    }

    /// One cycle: rx pins of the trunk channels, `br_tx_credit` of the branches, bit v.
    pub fn clock(
        &mut self,
        rx: &mut [Option<Flit>],
        tx_credit: &[u32],
        counters: &mut CoreCounters,
        events: &mut Events,
    ) {
        self.tx.fill(None);
        for (t, arriving) in rx.iter_mut().enumerate() {
            let popped = self.eligible(t);
            self.count_stalls(t, popped, counters);
            self.split_channels[t].rx_credit = 0;
            if let Some((v, target)) = popped {
                self.pop(t, v, target, counters, events);
            }
            // Rule 1: at the end of the cycle, so nothing above has seen it.
            if let Some(flit) = arriving.take() {
                self.split_channels[t].fifo[flit.channel].push_back(flit);
            }
        }
        // Rule 5.
        for (credit, arrived) in self.credit.iter_mut().zip(tx_credit) {
            for (v, credit) in credit.iter_mut().enumerate() {
                *credit += arrived >> v & 1;
            }
        }
    }

    /// Rule 2.
    fn target(&self, t: usize, v: usize) -> Option<Target> {
        let channel = &self.split_channels[t];
        let head = channel.fifo[v].front()?;
        Some(channel.open[v].unwrap_or_else(|| {
            let f = (head.data.low() & ((1 << self.field_bits) - 1)) as usize;
            match channel.served.contains(&f) {
                true => Target::To(f),
                false => Target::Dropping,
            }
        }))
    }

    /// Rule 3 and the choice of rule 4.
    fn eligible(&self, t: usize) -> Option<(usize, Target)> {
        let is_eligible = |v| match self.target(t, v) {
            None => false,
            Some(Target::Dropping) => true,
            Some(Target::To(b)) => self.credit[b][v] > 0,
        };
        let turn = self.split_channels[t].turn;
        let v = first_at_or_after(turn, self.channels, is_eligible)?;
        Some((v, self.target(t, v)?))
    }

    /// Rule 4.
    fn pop(
        &mut self,
        t: usize,
        v: usize,
        target: Target,
        counters: &mut CoreCounters,
        events: &mut Events,
    ) {
        let channel = &mut self.split_channels[t];
        let is_header = channel.open[v].is_none();
        let mut flit = channel.fifo[v]
            .pop_front()
            .expect("an eligible channel has a flit");
        channel.turn = (v + 1) % self.channels;
        channel.open[v] = (!flit.last).then_some(target);
        channel.rx_credit = 1 << v;
        let low = flit.data.low();
        match target {
            Target::To(b) => {
                self.credit[b][v] -= 1;
                if is_header {
                    let rest = header::destination(low) >> self.field_bits;
                    *flit.data.low_mut() = header::with_destination(low, rest);
                }
                counters.sent(b, &flit);
                self.tx[b] = Some(flit);
            }
            Target::Dropping if is_header => {
                let port = self.branches + t;
                counters.dropped(port, Cause::NoRoute);
                events.errors |= Cause::NoRoute.error();
                events.first_drop = events
                    .first_drop
                    .or(Some(DroppedHeader { port, header: low }));
            }
            Target::Dropping => {}
        }
    }

    /// 6.3: branches that something waits for, and that nothing is popped for.
    fn count_stalls(&self, t: usize, popped: Option<(usize, Target)>, counters: &mut CoreCounters) {
        for b in self.split_channels[t].served.clone() {
            let to_b = Some(Target::To(b));
            let waits = (0..self.channels).any(|v| self.target(t, v) == to_b);
            if waits && popped.map(|(_, target)| target) != to_b {
                counters.stalled(b);
            }
        }
    }

    /// What differs from reset.
    pub fn describe(&self, text: &mut String) {
        for (t, channel) in self.split_channels.iter().enumerate() {
            for (v, (fifo, &open)) in channel.fifo.iter().zip(&channel.open).enumerate() {
                note(text, &format!("split channel {t} fifo[{v}]"), fifo.len(), 0);
                note(text, &format!("split channel {t} open[{v}]"), open, None);
            }
        }
        for (b, credits) in self.credit.iter().enumerate() {
            for (v, &credit) in credits.iter().enumerate() {
                let name = format!("split credit[{b}][{v}]");
                note(text, &name, credit, self.credits);
            }
        }
    }
}
