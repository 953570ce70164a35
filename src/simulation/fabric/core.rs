//! What moves the flits of a simulated block: a switch core, or splitter and combiner, behind the same
//! calls. Networks without РОК have switch cores only, so that the choice is always foreseen.

use std::sync::Arc;

use super::serial::SerialCables;
use crate::flit::{Flit, FlitSink};
use crate::packed_flit::PackedFlit;
use crate::rok::{self, RokCore};
use crate::switch_core::{CoreShape, KeySet, OUTPUT_LATENCY, SwitchCore};
use mkns_design::{BlockModule, Plan, RokShape};
use mkns_routing::BlockTables;

/// What all blocks of a module have in common.
#[derive(Debug)]
pub enum FabricShape<'a> {
    Switch(Arc<CoreShape>),
    Rok(&'a BlockModule, RokShape),
}

impl<'a> FabricShape<'a> {
    /// Without counters and descriptions, which nobody reads; the fabric itself counts what it shows.
    pub fn new(module: &'a BlockModule, plan: &Plan) -> Self {
        match module.rok {
            Some(shape) => Self::Rok(module, shape),
            None => {
                let mut shape = CoreShape::new(module);
                shape.counters = false;
                let serial = SerialCables::of(plan);
                shape.line_credits = serial.map_or(0, |serial| serial.more_credits);
                Self::Switch(Arc::new(shape))
            }
        }
    }

    /// Whether sets of this kind hold the keys of the core.
    pub fn fits<K: KeySet>(&self) -> bool {
        match self {
            Self::Switch(shape) => shape.fits::<K>(),
            Self::Rok(module, _) => {
                module.core_ports() as usize <= K::PORTS
                    && module.parameters.virtual_channels as usize <= K::CHANNELS
            }
        }
    }

    /// Cycles from the pop of a flit to the tx pins, and of its credit to the rx_credit pins.
    pub fn output_latency(&self) -> usize {
        match self {
            Self::Switch(_) => OUTPUT_LATENCY,
            Self::Rok(..) => rok::OUTPUT_LATENCY,
        }
    }

    /// The core of a block.
    pub fn core<K: KeySet>(&self, tables: &BlockTables) -> FabricCore<K> {
        match self {
            Self::Switch(shape) => {
                FabricCore::Switch(SwitchCore::new(Arc::clone(shape), Some(tables)))
            }
            Self::Rok(module, shape) => FabricCore::Rok(Box::new(RokCore::new(module, *shape))),
        }
    }
}

/// A core whatever its kind. Starts in its reset state.
#[derive(Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "nearly all are switch cores, which lie side by side"
)]
pub enum FabricCore<K: KeySet> {
    Switch(SwitchCore<PackedFlit, K>),
    Rok(Box<RokCore<PackedFlit>>),
}

impl<K: KeySet> FabricCore<K> {
    /// Whether a cycle without inputs and with the same `link_up` would change nothing but what [`Self::rest`] does.
    #[inline]
    pub fn is_at_rest(&self) -> bool {
        match self {
            Self::Switch(core) => core.is_at_rest(),
            Self::Rok(core) => core.is_at_rest(),
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
            Self::Switch(core) => core.last_link_up(),
            Self::Rok(core) => core.last_link_up(),
        }
    }

    /// The rx_credit registers of the keys of hosts.
    #[inline]
    pub fn credits_to_hosts(&self, hosts: K) -> K {
        match self {
            Self::Switch(core) => core.rx_credit & hosts,
            Self::Rok(core) => {
                let mut credits = K::EMPTY;
                let has_credit = |&key: &usize| core.credits(K::port_of(key), K::channel_of(key));
                hosts
                    .keys()
                    .filter(has_credit)
                    .for_each(|key| credits.insert(key));
                credits
            }
        }
    }

    /// First part of a cycle. `tx_credit`: keys of (output, channel). What is popped goes to `sink`.
    #[inline]
    pub fn start_cycle(
        &mut self,
        link_up: u32,
        tx_credit: K,
        sink: &mut impl FlitSink<PackedFlit>,
    ) {
        match self {
            Self::Switch(core) => core.start_cycle(link_up, tx_credit, sink),
            Self::Rok(core) => {
                let credits = tx_credit.keys().fold(0, |credits, key| {
                    credits | core.credit_bit(K::port_of(key), K::channel_of(key))
                });
                core.start_cycle(link_up, credits, sink);
            }
        }
    }

    /// A flit on the rx pins of `input`. Called in ascending order of inputs.
    #[inline(always)]
    pub fn receive(
        &mut self,
        input: usize,
        flit: PackedFlit,
        sink: &mut impl FlitSink<PackedFlit>,
    ) {
        match self {
            Self::Switch(core) => core.receive(input, flit, sink),
            Self::Rok(core) => core.receive(input, flit),
        }
    }

    /// A blank flit on the rx pins; `key` is that of its input and channel.
    #[inline(always)]
    pub fn receive_blank(&mut self, key: usize, sink: &mut impl FlitSink<PackedFlit>) {
        match self {
            Self::Switch(core) => core.receive_blank(key, sink),
            Self::Rok(core) => {
                let flit = PackedFlit::blank(K::channel_of(key));
                core.receive(K::port_of(key), flit);
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
            Self::Rok(core) => {
                let (state, flits) = core.bytes();
                (size_of_val(&**core) + state, flits)
            }
        }
    }
}
