//! What a popped flit goes through until the tx pins: `match`, `fetched`, tx registers
//! (section 1.7), as one delay line because every stage moves in every cycle.

use super::bits;
use crate::flit::{Flit, FlitSink};
use crate::state_text::list;

/// Cycles from the pop of a flit to the tx pins, and of its credit to the rx_credit pins.
pub const OUTPUT_LATENCY: usize = 3;

/// Places of the delay line; a flit stays in it for 1 to 3 cycles.
const PLACES: usize = 4;

#[derive(Debug, Clone)]
pub struct Pipeline<F> {
    ports: usize,
    /// Cycles from the pop to the tx pins.
    latency: usize,
    /// Place that is on the tx pins now.
    now: usize,
    /// Ports with a flit, by place.
    valid: [u32; PLACES],
    flits: Vec<F>,
}

impl<F: Flit> Pipeline<F> {
    /// `latency` cycles from the pop to the tx pins of `ports` ports.
    pub fn new(ports: usize, latency: usize) -> Self {
        Pipeline {
            ports,
            latency,
            now: 0,
            valid: [0; PLACES],
            flits: vec![F::default(); PLACES * ports],
        }
    }

    pub fn reset(&mut self) {
        self.valid = [0; PLACES];
    }

    pub fn is_empty(&self) -> bool {
        self.valid == [0; PLACES]
    }

    /// Ports with a flit on the tx pins in this cycle.
    #[inline]
    pub fn pins_mask(&self) -> u32 {
        self.valid[self.now]
    }

    /// The flit on the tx pins of a port of [`Self::pins_mask`].
    #[inline]
    pub fn at_pins(&self, port: usize) -> &F {
        &self.flits[self.now * self.ports + port]
    }

    /// The clock edge: what was on the pins is gone. Comes before this cycle's pops.
    #[inline]
    pub fn advance(&mut self) {
        self.valid[self.now] = 0;
        self.now = (self.now + 1) % PLACES;
    }

    /// The ports whose flits reach the pins in 0, 1, … cycles, in words.
    pub fn describe(&self, text: &mut String) {
        use std::fmt::Write;
        for ahead in 0..self.latency {
            let valid = self.valid[(self.now + ahead) % PLACES];
            if valid != 0 {
                let ports = list(bits(valid));
                let _ = writeln!(text, "on the tx pins in {ahead} cycles: ports {ports}");
            }
        }
    }
}

impl<F: Flit> FlitSink<F> for Pipeline<F> {
    #[inline]
    fn send(&mut self, output: usize, flit: F) {
        // `now` is already that of the next cycle.
        let place = (self.now + self.latency - 1) % PLACES;
        self.valid[place] |= 1 << output;
        self.flits[place * self.ports + output] = flit;
    }

    #[inline]
    fn send_blank(&mut self, output: usize, channel: usize) {
        self.send(output, F::blank(channel));
    }
}
