//! Splitter and combiner of a РОК or terminal block (section 6 of `docs/microarchitecture.md`).
//!
//! Core port i is branch i, core port m + t is trunk channel t. A cycle is the same three calls as
//! of the switch core. Knows nothing of packed words, of the PCIe side or of the control port.

mod fifo;
mod join;
mod split;

use std::fmt::Write;

use super::flit::{FlitTag, TransmittedFlit};
use super::switch_core::{CoreEvents, Counters, CreditVector, DropCause, Event};
use crate::design::{BlockModule, RokShape};
use fifo::Flit;
use join::JoinChannel;
use split::SplitChannel;

/// A unit. Starts in its reset state.
#[derive(Debug, Clone)]
pub struct RokCore {
    shape: RokShape,
    /// m
    branches: usize,
    /// V
    channels: usize,
    /// 64-bit words of a flit, W / 64.
    words: usize,
    splits: Vec<SplitChannel>,
    joins: Vec<JoinChannel>,
    /// The tx registers of every core port: channel and flit.
    tx: Vec<Option<(usize, Flit)>>,
    tx_valid: u32,
    counters: Counters,
    pub events: CoreEvents,
    /// The rx_credit registers of every core port.
    pub rx_credit: CreditVector,
    link_up: u32,
}

impl RokCore {
    pub fn new(module: &BlockModule, shape: RokShape) -> RokCore {
        let parameters = &module.parameters;
        let channels = parameters.virtual_channels as usize;
        let credits = parameters.rx_buffer_flits as u16;
        let (branches, trunks) = (shape.branches as usize, shape.trunks() as usize);
        let served = branches / trunks;
        let split = |trunk| SplitChannel::new(trunk, served, shape.field_bits, channels, credits);
        RokCore {
            shape,
            branches,
            channels,
            words: parameters.flit_bits as usize / 64,
            splits: (0..trunks).map(split).collect(),
            joins: vec![JoinChannel::new(served, channels, credits); trunks],
            tx: vec![None; branches + trunks],
            tx_valid: 0,
            counters: Counters::new(
                parameters.counters && parameters.control_port,
                branches + trunks,
            ),
            events: CoreEvents::default(),
            rx_credit: 0,
            link_up: 0,
        }
    }

    pub fn reset(&mut self) {
        self.splits.iter_mut().for_each(SplitChannel::reset);
        self.joins.iter_mut().for_each(JoinChannel::reset);
        self.tx.fill(None);
        self.tx_valid = 0;
        self.counters.reset();
        self.events = CoreEvents::default();
        self.rx_credit = 0;
    }

    /// First part of a cycle: what is popped, and the credits that come back.
    pub fn start_cycle(&mut self, link_up: u32, tx_credit: CreditVector) {
        self.events = CoreEvents::default();
        self.link_up = link_up;
        self.rx_credit = 0;
        self.tx.fill(None);
        self.tx_valid = 0;
        // Highest trunk first, so that the first-drop register sees the lowest last.
        for trunk in (0..self.splits.len()).rev() {
            self.split(trunk);
        }
        for trunk in 0..self.joins.len() {
            self.join(trunk);
        }
        self.take_credits(tx_credit);
    }

    /// A flit on the rx pins of a core port; it can be popped from the next cycle on.
    pub fn receive(&mut self, port: usize, tag: FlitTag, data: &[u64]) {
        self.counters.count_flit(port, Event::Received, tag.last);
        if port >= self.branches {
            self.splits[port - self.branches].fifos.push(tag, data);
        } else {
            let (trunk, branch) = self.place(port);
            self.joins[trunk].fifos[branch].push(tag, data);
        }
    }

    /// The flit on the tx pins of a core port.
    pub fn transmitted(&self, port: usize) -> Option<TransmittedFlit<'_>> {
        self.tx[port].as_ref().map(|(channel, flit)| {
            let tag = FlitTag {
                channel: *channel as u8,
                last: flit.last,
                bad: flit.bad,
            };
            TransmittedFlit {
                tag,
                data: &flit.data[..self.words],
            }
        })
    }

    /// Core ports with a flit on the tx pins.
    pub fn tx_valid(&self) -> u32 {
        self.tx_valid
    }

    /// Whether a cycle without inputs would change nothing.
    pub fn is_at_rest(&self) -> bool {
        self.tx_valid == 0
            && self.rx_credit == 0
            && self.splits.iter().all(|split| split.fifos.is_empty())
            && self.joins.iter().all(JoinChannel::is_empty)
    }

    /// `link_up` of the last cycle, which only the control port shows.
    pub fn last_link_up(&self) -> u32 {
        self.link_up
    }

    pub fn counter(&self, port: usize, counter: usize) -> u32 {
        self.counters.read(port, counter)
    }

    pub fn describe(&self) -> String {
        let mut text = String::new();
        for (trunk, split) in self.splits.iter().enumerate() {
            let _ = writeln!(
                text,
                "splitter, trunk channel {trunk}: {}",
                split.describe()
            );
        }
        for (trunk, join) in self.joins.iter().enumerate() {
            let _ = writeln!(text, "combiner, trunk channel {trunk}: {}", join.describe());
        }
        text
    }

    /// Trunk channel that a branch belongs to, and its number there.
    fn place(&self, branch: usize) -> (usize, usize) {
        if self.shape.parallel {
            (branch, 0)
        } else {
            (0, branch)
        }
    }

    fn split(&mut self, trunk: usize) {
        let wanted = self.splits[trunk].wanted();
        let popped = self.splits[trunk].pop();
        let to = popped.as_ref().and_then(|popped| popped.branch);
        for branch in (0..self.branches).filter(|branch| wanted >> branch & 1 == 1) {
            if to != Some(branch) {
                self.counters.count(branch, Event::StallCycle);
            }
        }
        let Some(popped) = popped else {
            return;
        };
        let port = self.branches + trunk;
        self.free(port, popped.channel);
        if let Some(header) = popped.dropped_header {
            self.counters.count_drop(port, DropCause::NoRoute);
            self.events.errors |= 1 << DropCause::NoRoute as u32;
            self.events.first_drop = Some((port as u8, header));
        }
        if let Some(branch) = popped.branch {
            self.send(branch, popped.channel, popped.flit);
        }
    }

    fn join(&mut self, trunk: usize) {
        let waiting = !self.joins[trunk].is_empty();
        let port = self.branches + trunk;
        match self.joins[trunk].pop() {
            Some(popped) => {
                let branch = if self.shape.parallel {
                    trunk
                } else {
                    popped.branch
                };
                self.free(branch, popped.channel);
                self.send(port, popped.channel, popped.flit);
            }
            None if waiting => self.counters.count(port, Event::StallCycle),
            None => {}
        }
    }

    /// A credit for the sender of a core port, on the pins of the next cycle.
    fn free(&mut self, port: usize, channel: usize) {
        self.rx_credit |= 1 << (port * self.channels + channel);
    }

    fn send(&mut self, port: usize, channel: usize, flit: Flit) {
        self.counters.count_flit(port, Event::Sent, flit.last);
        self.tx_valid |= 1 << port;
        self.tx[port] = Some((channel, flit));
    }

    fn take_credits(&mut self, mut credits: CreditVector) {
        while credits != 0 {
            let bit = credits.trailing_zeros() as usize;
            credits &= credits - 1;
            let (port, channel) = (bit / self.channels, bit % self.channels);
            if port >= self.branches {
                self.joins[port - self.branches].credit[channel] += 1;
            } else {
                let (trunk, _) = self.place(port);
                self.splits[trunk].return_credit(port, channel);
            }
        }
    }
}
