//! The switch core: lookup, virtual output queues, allocation, credits (section 1 of
//! `docs/microarchitecture.md`).
//!
//! A cycle is three calls: [`SwitchCore::start_cycle`] (credits, allocation), one
//! [`SwitchCore::receive`] for each flit on the rx pins in port order, and
//! [`SwitchCore::end_cycle`]. Popped flits go to a [`FlitSink`], which delays them as long as the stages to the
//! tx pins do. Generic over the width of its bit sets; knows nothing of packed words, of the PCIe side or of the control port.

mod adaptive;
mod admission;
mod allocation;
mod arrival;
mod credits;
#[cfg(debug_assertions)]
mod invariants;
mod key_set;
mod links;
mod lookup;
mod over_blocks;
mod pop;
mod queues;
mod room;
mod routes;
mod shape;
mod state;
mod watch;

pub(super) use key_set::{KeySet, Lanes};
use mkns_design::ComputedRoutes;
pub(super) use shape::{CoreShape, MOST_PORTS};

use std::sync::Arc;

use adaptive::Adaptive;
use queues::Queues;
use routes::Routes;
use state::{InputChannel, Output, OutputChannel, Stage1, output_channels};

use super::flit::FlitSink;
use super::prefetch::prefetch;
use mkns_routing::BlockTables;

/// Cycles from the pop of a flit to the tx pins, and of its credit to the rx_credit pins.
pub const OUTPUT_LATENCY: usize = 3;

/// The switch core. Starts in its reset state, after a cycle with all links up.
#[derive(Debug, Clone)]
pub(super) struct SwitchCore<K: KeySet> {
    pub shape: Arc<CoreShape>,
    /// Inputs with a flit in stage 1.
    stage1: u32,
    /// Outputs with a flow; with a grant; for which something waits; for which the last cycle popped a flit.
    flows: u32,
    granted: u32,
    requested: u32,
    popped_outputs: u32,
    /// Places of (output, channel) whose watched request stayed in the last cycle; `overdue`.
    staying: K,
    overdue: K,
    /// `link_up` of this cycle and of the last one, and the keys of inputs that are down.
    link_up: u32,
    pub up: u32,
    down_keys: K,
    /// Keys with an open packet; with a closing one; with one whose made-up tail may enter stage 1 in this cycle;
    /// whose made-up tail is in stage 1; with a debt.
    open: K,
    closing: K,
    closable: K,
    tails: K,
    debt: K,
    /// The rx_credit registers; those of the next cycle and of the one after it, as far as they are known.
    pub rx_credit: K,
    due_next: K,
    due_last: K,
    /// Keys with queued credits.
    queued: K,
    inputs: K::PerKey<InputChannel>,
    stages: K::PerPort<Stage1>,
    outputs: K::PerPort<Output<K>>,
    /// `grant_pointer`, by output.
    grant_pointers: K::PerPort<u8>,
    /// By output, the clock of its watch; by (output, channel), the distance of `watched` from it, modulo the requests
    /// that are watched; `passed`.
    watch_clocks: [u8; MOST_PORTS],
    watch_offsets: K::PerKey<u8>,
    passed: K::PerKey<u8>,
    /// By (output, channel).
    output_channels: K::PerKey<OutputChannel>,
    /// `accept_pointer[i][b]` at b · P + i, as an output number: n stands for n · B + b or, after
    /// reset, for 0.
    accept_pointers: Box<[u8]>,
    queues: Queues,
    routes: Routes,
    /// Packets dropped, modulo 2³².
    pub dropped: u32,
    /// `step` by output: bit i is step[i][o].
    stepping: K::PerPort<u32>,
    /// Of adaptive blocks.
    adaptive: Option<Box<Adaptive<K>>>,
}

impl<K: KeySet> SwitchCore<K> {
    /// `shape` is that of the module.
    pub fn new(shape: Arc<CoreShape>, tables: Option<&BlockTables>) -> SwitchCore<K> {
        assert!(shape.fits::<K>(), "a key set of the right width");
        let up = shape.all_ports();
        SwitchCore {
            stage1: 0,
            flows: 0,
            granted: 0,
            requested: 0,
            popped_outputs: 0,
            staying: K::EMPTY,
            overdue: K::EMPTY,
            link_up: up,
            up,
            down_keys: K::EMPTY,
            open: K::EMPTY,
            closing: K::EMPTY,
            closable: K::EMPTY,
            tails: K::EMPTY,
            debt: K::EMPTY,
            rx_credit: K::EMPTY,
            due_next: K::EMPTY,
            due_last: K::EMPTY,
            queued: K::EMPTY,
            inputs: Lanes::filled(InputChannel::AFTER_RESET),
            stages: Lanes::filled(Stage1::EMPTY),
            outputs: Lanes::filled(Output::after_reset()),
            grant_pointers: Lanes::filled(0),
            watch_clocks: [0; MOST_PORTS],
            watch_offsets: Lanes::filled(0),
            passed: Lanes::filled(0),
            output_channels: output_channels::<K>(&shape),
            accept_pointers: vec![0; shape.ports * shape.banks].into(),
            queues: Queues::new(shape.ports, shape.channels),
            routes: Routes::new(&shape.routes, tables),
            dropped: 0,
            stepping: stepping::<K>(tables),
            adaptive: (shape.adaptive.as_ref())
                .map(|adaptive| Box::new(Adaptive::new(adaptive, tables))),
            shape,
        }
    }

    /// First part of a cycle: everything that the state at its start decides.
    ///
    /// `link_up` covers all core ports. `tx_credit`: keys of (output, channel). What is popped goes
    /// to `sink`.
    #[inline]
    pub fn start_cycle(&mut self, link_up: u32, tx_credit: K, sink: &mut impl FlitSink) {
        self.link_up = link_up;
        self.choose_made_up_tails();
        self.return_credits(sink);
        self.note_stage1();
        self.allocate(sink);
        self.stage1 = 0;
        self.take_credits(tx_credit);
        if self.adaptive.is_some() {
            self.take_adaptive_credits(tx_credit);
        }
    }

    /// Last part of a cycle: links that are down, made-up tails.
    #[inline]
    pub fn end_cycle(&mut self) {
        self.enter_made_up_tails();
        self.close_packets_of_down_links();
        if self.link_up != self.up {
            self.change_up(self.link_up);
        }
        if self.adaptive.is_some() {
            self.end_adaptive_cycle();
        }
        #[cfg(debug_assertions)]
        self.check_invariants();
    }

    /// Whether a cycle without inputs and with the same `link_up` would change nothing but the watch.
    #[inline]
    pub fn is_at_rest(&self) -> bool {
        let outputs = self.flows | self.granted | self.requested;
        (self.stage1 | outputs | self.popped_outputs) == 0
            && self.staying.is_empty()
            && (self.rx_credit | self.due_next | self.due_last | self.queued).is_empty()
            && (self.closing | self.open & self.down_keys).is_empty()
            && (self.adaptive.as_ref()).is_none_or(|adaptive| {
                adaptive.arrived == 0 && adaptive.returns.is_empty() && adaptive.flags_rest()
            })
    }

    /// Writes a table entry at the end of the cycle; false when there is no such entry, or the new one leads to a
    /// port that no input turns to.
    pub fn write_table(&mut self, table: usize, index: usize, entry: u16) -> bool {
        self.shape.accepts(entry) && self.routes.write(&self.shape.routes, table, index, entry)
    }

    /// Routes come from `routes` instead of the tables from now on.
    pub fn compute_routes(&mut self, routes: ComputedRoutes) {
        self.routes.compute(routes);
    }

    #[cold]
    fn count_drop(&mut self) {
        self.dropped = self.dropped.wrapping_add(1);
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
        let state = size_of_val(&*self.accept_pointers) + levels + self.routes.bytes();
        (state, flits)
    }
}

/// The `STEP` parameter by output.
fn stepping<K: KeySet>(tables: Option<&BlockTables>) -> K::PerPort<u32> {
    let mut columns = K::PerPort::filled(0u32);
    let rows = tables.iter().flat_map(|tables| &tables.step);
    for (input, row) in rows.enumerate() {
        for (output, _) in row.iter().enumerate().filter(|(_, set)| **set) {
            columns[output] |= 1 << input;
        }
    }
    columns
}
