//! The core of a block: a switch core, or splitter and combiner, behind the same calls. Networks without POK have
//! switch cores only, so that the choice is always foreseen.

use std::sync::Arc;

use super::choices::Choices;
use super::flit::{Flit, FlitSink};
use super::pok::{self, PokCore};
use super::switch_core::{CoreShape, KeySet, OUTPUT_LATENCY, SwitchCore};
use mkns_design::{BlockModule, BlocksBetween, PathRegister, PokShape};
use mkns_routing::BlockTables;

/// What all blocks of a module have in common.
#[derive(Debug)]
pub enum Shape<'a> {
    Switch(Arc<CoreShape>),
    Pok(&'a BlockModule, PokShape),
}

impl<'a> Shape<'a> {
    pub fn new(module: &'a BlockModule) -> Self {
        match module.pok {
            Some(shape) => Self::Pok(module, shape),
            None => Self::Switch(Arc::new(CoreShape::new(module))),
        }
    }

    /// With the credits for flits that a serial link holds.
    pub fn with_line_credits(mut self, line_credits: u16) -> Self {
        if let Self::Switch(shape) = &mut self {
            Arc::make_mut(shape).line_credits = line_credits;
        }
        self
    }

    /// Where every packet goes over a random block.
    pub fn over(mut self, module: &BlockModule, between: Option<&BlocksBetween>) -> Self {
        if let (Self::Switch(shape), Some(between)) = (&mut self, between) {
            Arc::make_mut(shape).lead_over(module, between);
        }
        self
    }

    /// Whether sets of this kind hold the keys of the core.
    pub fn fits<K: KeySet>(&self) -> bool {
        match self {
            Self::Switch(shape) => shape.fits::<K>(),
            Self::Pok(module, _) => {
                module.core_ports() as usize <= K::PORTS
                    && module.parameters.virtual_channels as usize <= K::CHANNELS
            }
        }
    }

    /// Cycles from the pop of a flit to the tx pins, and of its credit to the rx_credit pins.
    pub fn output_latency(&self) -> usize {
        match self {
            Self::Switch(_) => OUTPUT_LATENCY,
            Self::Pok(..) => pok::OUTPUT_LATENCY,
        }
    }

    pub fn core<K: KeySet>(&self, tables: Option<&BlockTables>) -> Core<K> {
        match self {
            Self::Switch(shape) => Core::Switch(SwitchCore::new(Arc::clone(shape), tables)),
            Self::Pok(module, shape) => Core::Pok(Box::new(PokCore::new(module, *shape))),
        }
    }
}

/// A core whatever its kind. Starts in its reset state.
#[derive(Debug)]
pub enum Core<K: KeySet> {
    Switch(SwitchCore<K>),
    Pok(Box<PokCore>),
}

impl<K: KeySet> Core<K> {
    /// Packets dropped so far, modulo 2³².
    pub fn packets_dropped(&self) -> u32 {
        match self {
            Self::Switch(core) => core.dropped,
            Self::Pok(core) => core.dropped,
        }
    }

    /// Of adaptive blocks, what headers took so far.
    pub fn choices(&self) -> Choices {
        match self {
            Self::Switch(core) => core.choices(),
            Self::Pok(_) => Choices::default(),
        }
    }

    /// Whether a cycle without inputs and with the same `link_up` would change nothing but what [`Self::rest`] does.
    #[inline]
    pub fn is_at_rest(&self) -> bool {
        match self {
            Self::Switch(core) => core.is_at_rest(),
            Self::Pok(core) => core.is_at_rest(),
        }
    }

    /// A cycle at rest.
    #[inline]
    pub fn rest(&mut self) {
        if let Self::Switch(core) = self {
            core.rest();
        }
    }

    /// `link_up` of the last cycle.
    #[inline]
    pub fn last_link_up(&self) -> u32 {
        match self {
            Self::Switch(core) => core.up,
            Self::Pok(core) => core.up,
        }
    }

    /// The rx_credit registers of these keys.
    #[inline]
    pub fn rx_credit(&self, keys: K) -> K {
        match self {
            Self::Switch(core) => core.rx_credit & keys,
            Self::Pok(core) => {
                let mut credits = K::EMPTY;
                let has_credit = |&key: &usize| core.credits(K::port_of(key), K::channel_of(key));
                keys.keys()
                    .filter(has_credit)
                    .for_each(|key| credits.insert(key));
                credits
            }
        }
    }

    /// First part of a cycle. `tx_credit`: keys of (output, channel). What is popped goes to `sink`.
    #[inline]
    pub fn start_cycle(&mut self, link_up: u32, tx_credit: K, sink: &mut impl FlitSink) {
        match self {
            Self::Switch(core) => core.start_cycle(link_up, tx_credit, sink),
            Self::Pok(core) => {
                let credits = tx_credit.keys().fold(0, |credits, key| {
                    credits | core.credit_bit(K::port_of(key), K::channel_of(key))
                });
                core.start_cycle(link_up, credits, sink);
            }
        }
    }

    /// A flit on the rx pins of `input`. Called in ascending order of inputs.
    #[inline(always)]
    pub fn receive(&mut self, input: usize, flit: Flit, sink: &mut impl FlitSink) {
        match self {
            Self::Switch(core) => core.receive(input, flit, sink),
            Self::Pok(core) => core.receive(input, flit),
        }
    }

    /// A blank flit on the rx pins; `key` is that of its input and channel.
    #[inline(always)]
    pub fn receive_blank(&mut self, key: usize, sink: &mut impl FlitSink) {
        match self {
            Self::Switch(core) => core.receive_blank(key, sink),
            Self::Pok(core) => {
                core.receive(K::port_of(key), Flit::blank(K::channel_of(key)));
            }
        }
    }

    /// Last part of a cycle.
    #[inline]
    pub fn end_cycle(&mut self) {
        if let Self::Switch(core) = self {
            core.end_cycle();
        }
    }

    /// Writes a table entry, candidates or a row of the `step` matrix at the end of the cycle; false when there is none.
    pub fn write(&mut self, register: PathRegister, value: u32) -> bool {
        match (register, self) {
            (PathRegister::Table { n, index }, Self::Switch(core)) => {
                core.write_table(n, index, value as u16)
            }
            (PathRegister::Step { row }, Self::Switch(core)) => {
                core.write_step_row(row, value);
                true
            }
            (PathRegister::Candidates { a }, Self::Switch(core)) => {
                core.write_candidates(a, value);
                true
            }
            _ => false,
        }
    }

    /// Whether hosts' headers may have to wait on the rx pins.
    #[inline]
    pub fn is_adaptive(&self) -> bool {
        match self {
            Self::Switch(core) => core.is_adaptive(),
            Self::Pok(_) => false,
        }
    }

    /// Looks up the headers of the cycle, where that is not done one by one; the hosts' ports whose rx pins stay as they are.
    pub fn admit(&mut self, sink: &mut impl FlitSink) -> u32 {
        match self {
            Self::Switch(core) => core.admit(sink),
            Self::Pok(_) => 0,
        }
    }

    /// The switch core, if it is one.
    #[cfg(test)]
    pub fn switch(&self) -> Option<&SwitchCore<K>> {
        match self {
            Self::Switch(core) => Some(core),
            Self::Pok(_) => None,
        }
    }

    /// The switch core, if it is one.
    pub fn switch_mut(&mut self) -> Option<&mut SwitchCore<K>> {
        match self {
            Self::Switch(core) => Some(core),
            Self::Pok(_) => None,
        }
    }

    /// Prefetches what lies outside this struct, which is in the cache; flits come later.
    #[inline]
    pub fn prefetch_near(&self) {
        if let Self::Switch(core) = self {
            core.prefetch_near();
        }
    }

    /// Prefetches the flits that are stored; all else is in the cache.
    #[inline]
    pub fn prefetch_far(&self) {
        if let Self::Switch(core) = self {
            core.prefetch_far();
        }
    }

    /// Bytes of the state outside this struct, and of the flits in queues.
    pub fn bytes(&self) -> (usize, usize) {
        match self {
            Self::Switch(core) => core.bytes(),
            Self::Pok(core) => {
                let (state, flits) = core.bytes();
                (size_of_val(&**core) + state, flits)
            }
        }
    }
}
