//! A switch core in front of the pins: whole words as flits, the stages to the tx pins, credits in
//! the order of the pins.
//!
//! [`WordCore`] is compiled once for every width of flits and bit sets; [`PinCore`] chooses one.

use std::fmt::Debug;
use std::sync::Arc;

use super::flit::{Flit, FlitTag, TransmittedFlit, WordFlit};
use super::switch_core::{
    CoreEvents, CoreShape, CreditVector, KeySet, OUTPUT_LATENCY, Pipeline, SwitchCore,
};
use mkns_design::{BlockModule, ComputedRoutes};
use mkns_routing::BlockTables;

/// A switch core whatever its widths. Starts in its reset state.
#[derive(Debug, Clone)]
pub struct PinCore {
    core: Box<dyn WordPort>,
    /// Of the last cycle.
    pub events: CoreEvents,
    /// The rx_credit registers.
    pub rx_credit: CreditVector,
}

/// What a block asks of a core.
trait WordPort: Debug + Send {
    fn reset(&mut self, link_up: u32);
    fn start_cycle(&mut self, link_up: u32, tx_credit: CreditVector);
    fn receive(&mut self, port: usize, tag: FlitTag, data: &[u64]);
    fn end_cycle(&mut self) -> (CoreEvents, CreditVector);
    fn transmitted(&self, port: usize) -> TransmittedFlit<'_>;
    fn tx_valid(&self) -> u32;
    fn is_at_rest(&self) -> bool;
    fn rest(&mut self);
    fn last_link_up(&self) -> u32;
    fn counter(&self, port: usize, counter: usize) -> u32;
    fn describe(&self) -> String;
    fn step_row(&self, input: usize) -> u32;
    fn write_step_row(&mut self, input: usize, row: u32);
    fn write_table(&mut self, table: usize, index: usize, entry: u16) -> bool;
    fn compute_routes(&mut self, routes: ComputedRoutes);
    fn boxed_clone(&self) -> Box<dyn WordPort>;
}

/// A core of flits of `WORDS` · 64 bits, and its delay line.
#[derive(Debug, Clone)]
struct WordCore<const WORDS: usize, K: KeySet> {
    core: SwitchCore<WordFlit<WORDS>, K>,
    pipeline: Pipeline<WordFlit<WORDS>>,
}

impl PinCore {
    pub fn new(module: &BlockModule, tables: Option<&BlockTables>) -> PinCore {
        let new = if CoreShape::new(module).fits::<u64>() {
            of_width::<u64>
        } else {
            of_width::<u128>
        };
        PinCore {
            core: new(module, tables),
            events: CoreEvents::default(),
            rx_credit: 0,
        }
    }

    /// `link_up` of the cycle covers all core ports.
    pub fn reset(&mut self, link_up: u32) {
        self.core.reset(link_up);
        self.events = CoreEvents::default();
        self.rx_credit = 0;
    }

    /// First part of a cycle; `link_up` covers all core ports.
    #[inline]
    pub fn start_cycle(&mut self, link_up: u32, tx_credit: CreditVector) {
        self.core.start_cycle(link_up, tx_credit);
    }

    /// A flit on the rx pins of a port. Called in ascending order of ports.
    #[inline]
    pub fn receive(&mut self, port: usize, tag: FlitTag, data: &[u64]) {
        self.core.receive(port, tag, data);
    }

    /// Last part of a cycle.
    #[inline]
    pub fn end_cycle(&mut self) {
        (self.events, self.rx_credit) = self.core.end_cycle();
    }

    /// The flit on the tx pins of a port that has one in this cycle.
    #[inline]
    pub fn transmitted(&self, port: usize) -> TransmittedFlit<'_> {
        self.core.transmitted(port)
    }

    /// Ports with a flit on the tx pins in this cycle.
    #[inline]
    pub fn tx_valid(&self) -> u32 {
        self.core.tx_valid()
    }

    /// Whether a cycle without inputs and with the same `link_up` would change nothing but what [`Self::rest`] does.
    #[inline]
    pub fn is_at_rest(&self) -> bool {
        self.core.is_at_rest()
    }

    /// A cycle at rest.
    #[inline]
    pub fn rest(&mut self) {
        self.core.rest();
    }

    /// `link_up` of the last cycle.
    #[inline]
    pub fn last_link_up(&self) -> u32 {
        self.core.last_link_up()
    }

    pub fn counter(&self, port: usize, counter: usize) -> u32 {
        self.core.counter(port, counter)
    }

    pub fn describe(&self) -> String {
        self.core.describe()
    }

    /// Row of the `step` matrix.
    pub fn step_row(&self, input: usize) -> u32 {
        self.core.step_row(input)
    }

    /// Replaces a row of the `step` matrix at the end of the cycle.
    pub fn write_step_row(&mut self, input: usize, row: u32) {
        self.core.write_step_row(input, row);
    }

    /// Writes a table entry at the end of the cycle; false when there is no such entry.
    pub fn write_table(&mut self, table: usize, index: usize, entry: u16) -> bool {
        self.core.write_table(table, index, entry)
    }

    /// Routes come from `routes` instead of the tables from now on.
    pub fn compute_routes(&mut self, routes: ComputedRoutes) {
        self.core.compute_routes(routes);
    }
}

fn of_width<K: KeySet>(module: &BlockModule, tables: Option<&BlockTables>) -> Box<dyn WordPort> {
    match module.parameters.flit_bits / 64 {
        1 => Box::new(WordCore::<1, K>::new(module, tables)),
        2 => Box::new(WordCore::<2, K>::new(module, tables)),
        4 => Box::new(WordCore::<4, K>::new(module, tables)),
        8 => Box::new(WordCore::<8, K>::new(module, tables)),
        words => unreachable!("a valid spec has no flits of {words} words"),
    }
}

impl<const WORDS: usize, K: KeySet> WordCore<WORDS, K> {
    fn new(module: &BlockModule, tables: Option<&BlockTables>) -> Self {
        let shape = Arc::new(CoreShape::new(module));
        WordCore {
            pipeline: Pipeline::new(shape.ports, OUTPUT_LATENCY),
            core: SwitchCore::new(shape, tables),
        }
    }
}

impl<const WORDS: usize, K: KeySet> WordPort for WordCore<WORDS, K> {
    fn reset(&mut self, link_up: u32) {
        self.core.reset(link_up);
        self.pipeline.reset();
    }

    fn start_cycle(&mut self, link_up: u32, tx_credit: CreditVector) {
        let channels = self.core.shape.channels;
        let credit = tx_credit.keys().fold(K::EMPTY, |credit, bit| {
            credit | K::of(K::key(bit / channels, bit % channels))
        });
        self.pipeline.advance();
        self.core.start_cycle(link_up, credit, &mut self.pipeline);
    }

    fn receive(&mut self, port: usize, tag: FlitTag, data: &[u64]) {
        // With V = 1 the channel on the pins means nothing.
        let channel = tag.channel & (self.core.shape.channels - 1) as u8;
        let mut flit = WordFlit {
            tag: FlitTag { channel, ..tag },
            data: [0; WORDS],
        };
        flit.data.copy_from_slice(data);
        self.core.receive(port, flit, &mut self.pipeline);
    }

    fn end_cycle(&mut self) -> (CoreEvents, CreditVector) {
        self.core.end_cycle();
        let channels = self.core.shape.channels;
        let credit = self.core.rx_credit.keys().fold(0, |pins, key| {
            pins | 1 << (K::port_of(key) * channels + K::channel_of(key))
        });
        (self.core.events, credit)
    }

    fn transmitted(&self, port: usize) -> TransmittedFlit<'_> {
        let flit = self.pipeline.at_pins(port);
        TransmittedFlit {
            tag: flit.tag(),
            data: &flit.data,
        }
    }

    fn tx_valid(&self) -> u32 {
        self.pipeline.pins_mask()
    }

    fn is_at_rest(&self) -> bool {
        self.core.is_at_rest() && self.pipeline.is_empty()
    }

    fn rest(&mut self) {
        self.core.rest();
    }

    fn last_link_up(&self) -> u32 {
        self.core.last_link_up()
    }

    fn counter(&self, port: usize, counter: usize) -> u32 {
        self.core.counter(port, counter)
    }

    fn describe(&self) -> String {
        let mut text = self.core.describe();
        self.pipeline.describe(&mut text);
        text
    }

    fn step_row(&self, input: usize) -> u32 {
        self.core.step_row(input)
    }

    fn write_step_row(&mut self, input: usize, row: u32) {
        self.core.write_step_row(input, row);
    }

    fn write_table(&mut self, table: usize, index: usize, entry: u16) -> bool {
        self.core.write_table(table, index, entry)
    }

    fn compute_routes(&mut self, routes: ComputedRoutes) {
        self.core.compute_routes(routes);
    }

    fn boxed_clone(&self) -> Box<dyn WordPort> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn WordPort> {
    fn clone(&self) -> Self {
        (**self).boxed_clone()
    }
}
