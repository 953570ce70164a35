//! Splitter and combiner in front of the pins: whole words as flits, and the tx registers.

use super::flit::{Flit, FlitTag, FlitWords, TransmittedFlit, WordFlit, copy_words};
use super::rok::{OUTPUT_LATENCY, RokCore};
use super::switch_core::{CoreEvents, CreditVector, Pipeline};
use mkns_design::{BlockModule, RokShape};

/// 64-bit words of the widest flit.
const WIDEST: usize = size_of::<FlitWords>() / 8;

/// A unit whatever the width of its flits; words beyond it are 0. Starts in its reset state.
#[derive(Debug, Clone)]
pub struct PinRok {
    core: RokCore<WordFlit<WIDEST>>,
    pipeline: Pipeline<WordFlit<WIDEST>>,
    /// 64-bit words of a flit, W / 64.
    words: usize,
}

impl PinRok {
    pub fn new(module: &BlockModule, shape: RokShape) -> PinRok {
        PinRok {
            core: RokCore::new(module, shape),
            pipeline: Pipeline::new(module.core_ports() as usize, OUTPUT_LATENCY),
            words: module.parameters.flit_bits as usize / 64,
        }
    }

    pub fn reset(&mut self) {
        self.core.reset();
        self.pipeline.reset();
    }

    /// First part of a cycle: what is popped, and the credits that come back.
    pub fn start_cycle(&mut self, link_up: u32, tx_credit: CreditVector) {
        self.pipeline.advance();
        self.core
            .start_cycle(link_up, tx_credit, &mut self.pipeline);
    }

    /// A flit on the rx pins of a core port; it can be popped from the next cycle on.
    pub fn receive(&mut self, port: usize, tag: FlitTag, data: &[u64]) {
        let mut flit = WordFlit {
            tag,
            data: FlitWords::default(),
        };
        copy_words(&mut flit.data[..self.words], data);
        self.core.receive(port, flit);
    }

    /// The flit on the tx pins of a port that has one in this cycle.
    pub fn transmitted(&self, port: usize) -> TransmittedFlit<'_> {
        let flit = self.pipeline.at_pins(port);
        TransmittedFlit {
            tag: flit.tag(),
            data: &flit.data[..self.words],
        }
    }

    /// Core ports with a flit on the tx pins.
    pub fn tx_valid(&self) -> u32 {
        self.pipeline.pins_mask()
    }

    /// Whether a cycle without inputs would change nothing.
    pub fn is_at_rest(&self) -> bool {
        self.core.is_at_rest() && self.pipeline.is_empty()
    }

    /// `link_up` of the last cycle, which only the control port shows.
    pub fn last_link_up(&self) -> u32 {
        self.core.last_link_up()
    }

    pub fn events(&self) -> CoreEvents {
        self.core.events
    }

    /// The rx_credit registers.
    pub fn rx_credit(&self) -> CreditVector {
        self.core.rx_credit
    }

    pub fn counter(&self, port: usize, counter: usize) -> u32 {
        self.core.counter(port, counter)
    }

    pub fn describe(&self) -> String {
        let mut text = self.core.describe();
        self.pipeline.describe(&mut text);
        text
    }
}
