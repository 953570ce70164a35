//! Splitter and combiner of a POK or terminal block (section 6 of `docs/microarchitecture.md`).
//!
//! Core port i is branch i, core port m + t is trunk channel t. A cycle is two calls:
//! [`PokCore::start_cycle`] (pops, credits) and one [`PokCore::receive`] for each flit on the rx pins.
//! Popped flits go to a [`FlitSink`], which delays them by one cycle until the tx pins. Knows nothing
//! of packed words, of the PCIe side or of the control port.

mod join;
mod split;

use super::fifos::FifoShape;
use super::flit::{Flit, FlitSink};
use join::JoinChannel;
use mkns_design::{BlockModule, PokShape};
use split::SplitChannel;

/// Cycles from the pop of a flit to the tx pins.
pub const OUTPUT_LATENCY: usize = 1;

/// A vector of credits; bit port · V + channel.
type CreditVector = u128;

/// A unit. Starts in its reset state.
#[derive(Debug, Clone)]
pub struct PokCore {
    shape: PokShape,
    /// m
    branches: usize,
    /// V
    channels: usize,
    fifos: FifoShape,
    splits: Vec<SplitChannel>,
    joins: Vec<JoinChannel>,
    /// Packets dropped, modulo 2³².
    pub dropped: u32,
    /// The rx_credit registers of every core port.
    pub rx_credit: CreditVector,
    /// `link_up` of the last cycle, which only the control port shows.
    pub up: u32,
}

impl PokCore {
    pub fn new(module: &BlockModule, shape: PokShape) -> Self {
        let parameters = &module.parameters;
        let channels = parameters.virtual_channels as usize;
        let credits = parameters.rx_buffer_flits as u16;
        let (branches, trunks) = (shape.branches as usize, shape.trunks() as usize);
        let served = branches / trunks;
        let fifos = FifoShape::new(parameters.virtual_channels, parameters.rx_buffer_flits);
        let split = |trunk| SplitChannel::new(trunk, served, shape.field_bits, &fifos, credits);
        PokCore {
            shape,
            branches,
            channels,
            fifos,
            splits: (0..trunks).map(split).collect(),
            joins: vec![JoinChannel::new(served, &fifos, credits); trunks],
            dropped: 0,
            rx_credit: 0,
            up: 0,
        }
    }

    /// First part of a cycle: what is popped, and the credits that come back.
    pub fn start_cycle(&mut self, link_up: u32, tx_credit: CreditVector, sink: &mut impl FlitSink) {
        self.up = link_up;
        self.rx_credit = 0;
        for trunk in 0..self.splits.len() {
            self.split(trunk, sink);
        }
        for trunk in 0..self.joins.len() {
            self.join(trunk, sink);
        }
        self.take_credits(tx_credit);
    }

    /// A flit on the rx pins of a core port; it can be popped from the next cycle on.
    pub fn receive(&mut self, port: usize, flit: Flit) {
        let fifos = if port >= self.branches {
            &mut self.splits[port - self.branches].fifos
        } else {
            let (trunk, branch) = self.place(port);
            &mut self.joins[trunk].fifos[branch]
        };
        // With one channel its number means nothing.
        let channel = flit.tag().channel & (self.fifos.channels - 1);
        fifos.store(&self.fifos, channel, flit);
    }

    /// Whether a cycle without inputs would change nothing.
    pub fn is_at_rest(&self) -> bool {
        self.rx_credit == 0
            && self.splits.iter().all(|split| split.fifos.are_empty())
            && self.joins.iter().all(JoinChannel::is_empty)
    }

    /// Place of a credit of (port, channel) in a vector of credits.
    pub fn credit_bit(&self, port: usize, channel: usize) -> CreditVector {
        1 << (port * self.channels + channel)
    }

    /// The rx_credit register of (port, channel).
    pub fn credits(&self, port: usize, channel: usize) -> bool {
        self.rx_credit & self.credit_bit(port, channel) != 0
    }

    /// Bytes of the state outside this struct, and of the stored flits.
    pub fn bytes(&self) -> (usize, usize) {
        let own = self.splits.len() * size_of::<SplitChannel>()
            + self.joins.len() * size_of::<JoinChannel>();
        let splits = self.splits.iter().map(SplitChannel::bytes);
        let joins = self.joins.iter().map(JoinChannel::bytes);
        splits.chain(joins).fold((own, 0), |sum, (state, flits)| {
            (sum.0 + state, sum.1 + flits)
        })
    }

    /// Trunk channel that a branch belongs to, and its number there.
    fn place(&self, branch: usize) -> (usize, usize) {
        if self.shape.parallel {
            (branch, 0)
        } else {
            (0, branch)
        }
    }

    fn split(&mut self, trunk: usize, sink: &mut impl FlitSink) {
        let Some(popped) = self.splits[trunk].pop(&self.fifos) else {
            return;
        };
        let port = self.branches + trunk;
        self.free(port, popped.channel, sink);
        self.dropped = self.dropped.wrapping_add(popped.is_dropped.into());
        if let Some(branch) = popped.branch {
            self.send(branch, popped.channel, popped.flit, sink);
        }
    }

    fn join(&mut self, trunk: usize, sink: &mut impl FlitSink) {
        let port = self.branches + trunk;
        if let Some((branch, channel, flit)) = self.joins[trunk].pop(&self.fifos) {
            let branch = if self.shape.parallel { trunk } else { branch };
            self.free(branch, channel, sink);
            self.send(port, channel, flit, sink);
        }
    }

    /// A credit for the sender of a core port, on the pins of the next cycle.
    fn free(&mut self, port: usize, channel: usize, sink: &mut impl FlitSink) {
        sink.give_back(port, channel);
        self.rx_credit |= self.credit_bit(port, channel);
    }

    fn send(&mut self, port: usize, channel: usize, flit: Flit, sink: &mut impl FlitSink) {
        sink.send(port, flit.on_channel(channel));
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
