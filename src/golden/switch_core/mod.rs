//! The switch core: lookup, virtual output queues, allocation, credits (section 1 of
//! `docs/microarchitecture.md`).
//!
//! A cycle is three calls: [`SwitchCore::start_cycle`] (credits, push, allocation), one
//! [`SwitchCore::receive`] for each flit on the rx pins in port order, and
//! [`SwitchCore::end_cycle`]. Popped flits go to a [`FlitSink`], which is the [`Pipeline`] to the tx
//! pins or something that delays as long. Generic over the form of its flits and over the width of
//! its bit sets; knows nothing of packed words, of the PCIe side or of the control port.

mod allocation;
mod counters;
mod credits;
mod crowded_first;
mod describe;
mod key_set;
mod links;
mod lookup;
mod pipeline;
mod queues;
mod registered_arbitration;
mod routes;
mod shape;
mod state;

pub(super) use counters::{Counters, DropCause, Event};
pub(super) use credits::PROMISE as CREDIT_PROMISE;
pub(super) use key_set::{KeySet, Lanes};
pub(super) use pipeline::Pipeline;
pub use routes::NextHop;
pub(super) use shape::CoreShape;
pub(super) use state::CoreEvents;

use std::sync::Arc;

use links::{initial_step, stepping_after_reset};
use queues::Queues;
use registered_arbitration::Registered;
use routes::Routes;
use state::{InputChannel, NONE, Output, OutputChannel, Stage1};

use super::flit::{Flit, FlitSink};
use super::prefetch::prefetch;
use mkns_routing::BlockTables;

/// A vector of credits; bit port · V + channel, as on the pins.
pub(super) type CreditVector = u128;

/// The switch core. Starts in its reset state.
#[derive(Debug, Clone)]
pub(super) struct SwitchCore<F, K: KeySet> {
    pub shape: Arc<CoreShape>,
    /// Inputs with a flit in stage 1, in stage 0.
    stage1: u32,
    stage0: u32,
    /// Outputs with a flow; those of them where it holds its channel, discards nothing and the link is up.
    flows: u32,
    smooth: u32,
    /// Outputs with requests.
    requested: u32,
    /// Keys with owed > 0; with a full queue; with an open packet; with a closing packet.
    owed: K,
    full: K,
    open: K,
    closing: K,
    /// Keys whose headers to their open output are held in this cycle.
    held: K,
    /// Keys whose credit was promised for a flit looked up in this cycle, in the one before.
    promised: K,
    due: K,
    /// Inputs with a flit in stage 1 whose credit was not promised; that does not count in its
    /// queue yet.
    owing: u32,
    joining: u32,
    /// The rx_credit registers.
    pub rx_credit: K,
    /// `link_up` of this cycle for all core ports, and the keys of inputs that are down.
    link_up: u32,
    down_keys: K,
    made_up_inputs: u32,
    inputs: K::PerKey<InputChannel>,
    stages: K::PerPort<Stage1>,
    outputs: K::PerPort<Output<K>>,
    /// `grant_pointer`, by output.
    grant_pointers: K::PerPort<u8>,
    /// By (output, channel).
    output_channels: K::PerKey<OutputChannel>,
    /// `accept_pointer[i][b]` at b · P + i, as an output number: n stands for n · B + b or, after
    /// reset, for 0.
    accept_pointers: Box<[u8]>,
    queues: Queues<F>,
    routes: Routes,
    counters: Counters,
    pub events: CoreEvents,
    /// `step` by output: bit i is step[i][o].
    stepping: K::PerPort<u32>,
    /// The `STEP` parameter, the same way; none where all of it is 0.
    initial_step: Option<Box<K::PerPort<u32>>>,
    /// Made-up tails that may enter stage 1 in this cycle, by input: channel or [`NONE`].
    made_up_channels: K::PerPort<u8>,
    /// `stage0`, by input; empty without `REGISTER_ROUTE`.
    stage0_flits: Box<[F]>,
    /// What `REGISTERED_ARBITRATION` adds.
    registered: Option<Box<Registered<K>>>,
}

impl<F: Flit, K: KeySet> SwitchCore<F, K> {
    /// `shape` is that of the module.
    pub fn new(shape: Arc<CoreShape>, tables: Option<&BlockTables>) -> SwitchCore<F, K> {
        assert!(shape.fits::<K>(), "a key set of the right width");
        let initial_step = initial_step::<K>(tables);
        let stage0 = if shape.register_route { shape.ports } else { 0 };
        SwitchCore {
            routes: Routes::new(&shape.routes, tables),
            stepping: stepping_after_reset::<K>(initial_step.as_deref()),
            initial_step,
            inputs: Lanes::filled(InputChannel::after_reset()),
            stages: Lanes::filled(Stage1::after_reset()),
            outputs: Lanes::filled(Output::after_reset()),
            grant_pointers: Lanes::filled(0),
            output_channels: Lanes::filled(OutputChannel::after_reset(&shape)),
            queues: Queues::new(shape.ports, shape.channels),
            accept_pointers: vec![0; shape.ports * shape.banks].into(),
            counters: Counters::new(shape.counters, shape.ports, shape.counter_start),
            events: CoreEvents::default(),
            rx_credit: K::EMPTY,
            stage1: 0,
            stage0: 0,
            stage0_flits: vec![F::default(); stage0].into(),
            flows: 0,
            smooth: 0,
            requested: 0,
            owed: K::EMPTY,
            full: K::EMPTY,
            open: K::EMPTY,
            closing: K::EMPTY,
            held: K::EMPTY,
            promised: K::EMPTY,
            due: K::EMPTY,
            owing: 0,
            joining: 0,
            link_up: 0,
            down_keys: shape.keys_of_inputs(shape.all_ports()),
            made_up_channels: Lanes::filled(NONE),
            made_up_inputs: 0,
            registered: Registered::of(&shape),
            shape,
        }
    }

    /// `rst`: every register takes its reset value; the tables stay.
    pub fn reset(&mut self) {
        self.inputs = Lanes::filled(InputChannel::after_reset());
        self.outputs = Lanes::filled(Output::after_reset());
        self.grant_pointers = Lanes::filled(0);
        self.output_channels = Lanes::filled(OutputChannel::after_reset(&self.shape));
        self.stepping = stepping_after_reset::<K>(self.initial_step.as_deref());
        self.queues.reset();
        self.accept_pointers.fill(0);
        self.counters.reset();
        self.events = CoreEvents::default();
        self.rx_credit = K::EMPTY;
        (self.stage1, self.stage0, self.flows, self.requested) = (0, 0, 0, 0);
        self.smooth = 0;
        (self.owed, self.full, self.open, self.closing) = (K::EMPTY, K::EMPTY, K::EMPTY, K::EMPTY);
        (self.promised, self.due) = (K::EMPTY, K::EMPTY);
        (self.owing, self.joining) = (0, 0);
        self.made_up_inputs = 0;
        self.registered = Registered::of(&self.shape);
    }

    /// First part of a cycle: credits both ways, stage 1, allocation.
    ///
    /// `link_up` covers all core ports. `tx_credit`: keys of (output, channel). What is popped goes
    /// to `sink`.
    #[inline]
    pub fn start_cycle(&mut self, link_up: u32, tx_credit: K, sink: &mut impl FlitSink<F>) {
        self.events = CoreEvents::default();
        self.set_link_up(link_up);
        // All four read the queue lengths of the start of the cycle: before the push.
        self.choose_made_up_tails();
        self.return_credits(sink);
        self.hold_headers();
        self.find_crowded_queues();
        let pushed = self.stage1;
        self.push_stage1();
        if self.registered.is_some() {
            self.allocate_registered(pushed, sink);
        } else {
            self.allocate(sink);
        }
        self.take_credits(tx_credit);
        if self.shape.register_route {
            self.look_up_stage0(sink);
        }
    }

    /// A flit on the rx pins of `input`. Called in ascending order of inputs.
    #[inline(always)]
    pub fn receive(&mut self, input: usize, flit: F, sink: &mut impl FlitSink<F>) {
        if self.shape.register_route {
            self.stage0 |= 1 << input;
            self.stage0_flits[input] = flit;
        } else {
            self.look_up(input, flit, sink);
        }
    }

    /// A blank flit on the rx pins; `key` is that of its input and channel.
    #[inline(always)]
    pub fn receive_blank(&mut self, key: usize, sink: &mut impl FlitSink<F>) {
        if self.shape.register_route {
            self.receive(K::port_of(key), F::blank(K::channel_of(key)), sink);
        } else {
            self.look_up_blank(key, sink);
        }
    }

    /// Last part of a cycle: links that are down, made-up tails.
    #[inline]
    pub fn end_cycle(&mut self) {
        self.enter_made_up_tails();
        self.close_packets_of_down_links();
        #[cfg(debug_assertions)]
        self.check_invariants();
    }

    /// Whether a cycle without inputs and with the same `link_up` would change nothing.
    #[inline]
    pub fn is_at_rest(&self) -> bool {
        (self.stage1 | self.stage0 | self.flows | self.requested) == 0
            && (self.owed | self.promised | self.due | self.closing | self.rx_credit).is_empty()
            && self
                .registered
                .as_ref()
                .is_none_or(|state| state.is_at_rest(self.link_up))
    }

    /// `link_up` of the last cycle.
    pub fn last_link_up(&self) -> u32 {
        self.link_up
    }

    /// Writes a table entry at the end of the cycle; false when there is no such entry.
    pub fn write_table(&mut self, table: usize, index: usize, entry: u16) -> bool {
        self.routes.write(&self.shape.routes, table, index, entry)
    }

    /// Routes come from `next_hop` instead of the tables from now on.
    pub fn compute_routes(&mut self, next_hop: NextHop) {
        self.routes.compute(next_hop);
    }

    pub fn counter(&self, port: usize, counter: usize) -> u32 {
        self.counters.read(port, counter)
    }

    /// Prefetches what lies outside this struct, which is in the cache; flits come later.
    #[inline]
    pub fn prefetch_near(&self) {
        self.queues.prefetch_levels();
        self.routes.prefetch();
        prefetch(&*self.accept_pointers);
    }

    /// Prefetches the flits that are stored; all else is in the cache.
    #[inline]
    pub fn prefetch_far(&self) {
        self.queues.prefetch_flits();
    }

    /// Bytes of the state outside this struct, and of the flits in queues.
    pub fn bytes(&self) -> (usize, usize) {
        let (levels, flits) = self.queues.bytes();
        let initial_step = self.initial_step.as_deref().map_or(0, size_of_val);
        let state = size_of_val(&*self.accept_pointers) + size_of_val(&*self.stage0_flits);
        let state = state + initial_step;
        let state = state + levels + self.routes.bytes() + self.counters.bytes();
        (state, flits)
    }
}

/// The set bits of a mask, lowest first.
#[inline]
pub(super) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let bit = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        Some(bit)
    })
}
