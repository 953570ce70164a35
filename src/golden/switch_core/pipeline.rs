//! What a popped flit goes through until the tx pins: `match`, `read`, `fetched`, tx registers
//! (section 1.7), as one delay line because every stage moves in every cycle.

use super::queues::copy_flit;
use super::{CoreShape, FlitTag};

/// Places of the delay line; a flit stays in it for 3 or 4 cycles.
const PLACES: usize = 4;

/// A flit on the tx pins.
#[derive(Debug, Clone, Copy)]
pub struct TransmittedFlit<'a> {
    pub tag: FlitTag,
    pub data: &'a [u64],
}

#[derive(Debug, Clone)]
pub struct Pipeline {
    ports: usize,
    words: usize,
    /// Cycles from the pop to the tx pins.
    latency: usize,
    /// Place that is on the tx pins now.
    now: usize,
    /// Ports with a flit, by place.
    valid: [u32; PLACES],
    tags: Vec<FlitTag>,
    data: Vec<u64>,
}

impl Pipeline {
    pub fn new(shape: &CoreShape) -> Pipeline {
        Pipeline {
            ports: shape.ports,
            words: shape.words,
            latency: 3 + usize::from(shape.register_read),
            now: 0,
            valid: [0; PLACES],
            tags: vec![FlitTag::default(); PLACES * shape.ports],
            data: vec![0; PLACES * shape.ports * shape.words],
        }
    }

    pub fn reset(&mut self) {
        self.valid = [0; PLACES];
    }

    pub fn is_empty(&self) -> bool {
        self.valid == [0; PLACES]
    }

    pub fn pins_mask(&self) -> u32 {
        self.valid[self.now]
    }

    /// The flit on the tx pins of a port that has one.
    #[inline]
    pub fn at_pins(&self, port: usize) -> TransmittedFlit<'_> {
        self.flit(self.now, port)
    }

    /// The clock edge: what was on the pins is gone. Comes before this cycle's pops.
    #[inline]
    pub fn advance(&mut self) {
        self.valid[self.now] = 0;
        self.now = (self.now + 1) % PLACES;
    }

    /// Takes a flit popped for `output` in this cycle.
    #[inline]
    pub fn enter(&mut self, output: usize, tag: FlitTag, data: &[u64]) {
        // `now` is already that of the next cycle.
        let place = (self.now + self.latency - 1) % PLACES;
        self.valid[place] |= 1 << output;
        let slot = place * self.ports + output;
        self.tags[slot] = tag;
        copy_flit(&mut self.data[slot * self.words..][..self.words], data);
    }

    /// Flits that reach the pins in 0, 1, … cycles.
    pub fn stages(&self) -> impl Iterator<Item = u32> {
        (0..self.latency).map(|ahead| self.valid[(self.now + ahead) % PLACES])
    }

    fn flit(&self, place: usize, port: usize) -> TransmittedFlit<'_> {
        let slot = place * self.ports + port;
        TransmittedFlit {
            tag: self.tags[slot],
            data: &self.data[slot * self.words..][..self.words],
        }
    }
}
