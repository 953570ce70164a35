//! The virtual output queues `queue[i][o][v]`: flit memory and fill levels.
//!
//! Knows nothing of who may push or pop.

use super::{CoreShape, FlitTag};

const LAST: u64 = 1;
const BAD: u64 = 2;

/// First flit and number of flits of one ring.
#[derive(Debug, Clone, Copy, Default)]
struct Ring {
    head: u16,
    length: u16,
}

/// All queues of a core, flits in one array: a tag word, then the data words.
#[derive(Debug, Clone)]
pub struct Queues {
    ports: usize,
    stride: usize,
    flits: usize,
    rings: Vec<Ring>,
    memory: Vec<u64>,
}

impl Queues {
    /// Queue `queue[input][output][channel]`.
    #[inline]
    pub fn queue(&self, input: usize, channel: usize, output: usize) -> usize {
        (channel * self.ports + input) * self.ports + output
    }

    pub fn new(shape: &CoreShape) -> Queues {
        let stride = shape.words + 1;
        let flits = usize::from(shape.queue_flits);
        let queues = shape.channels * shape.ports * shape.ports;
        Queues {
            ports: shape.ports,
            stride,
            flits,
            rings: vec![Ring::default(); queues],
            memory: vec![0; queues * flits * stride],
        }
    }

    pub fn reset(&mut self) {
        self.rings.fill(Ring::default());
    }

    #[inline]
    pub fn length(&self, queue: usize) -> u16 {
        self.rings[queue].length
    }

    /// Writes a flit behind the last one; it counts only from [`Self::push`] on.
    #[inline]
    pub fn write_behind(&mut self, queue: usize, tag: FlitTag, data: &[u64]) {
        let Ring { head, length } = self.rings[queue];
        let place = usize::from(head + length) & (self.flits - 1);
        let start = (queue * self.flits + place) * self.stride;
        let slot = &mut self.memory[start..start + self.stride];
        slot[0] = (u64::from(tag.last) * LAST) | (u64::from(tag.bad) * BAD);
        copy_flit(&mut slot[1..], data);
    }

    /// Counts the flit written last; returns the new length.
    #[inline]
    pub fn push(&mut self, queue: usize) -> u16 {
        let ring = &mut self.rings[queue];
        ring.length += 1;
        ring.length
    }

    /// Removes the oldest flit; returns the new length, its last and bad flags, its data.
    #[inline]
    pub fn pop(&mut self, queue: usize) -> (u16, bool, bool, &[u64]) {
        let ring = &mut self.rings[queue];
        let start = (queue * self.flits + usize::from(ring.head)) * self.stride;
        ring.length -= 1;
        // An empty queue starts again at its first place: few cache lines at low load.
        ring.head = if ring.length == 0 {
            0
        } else {
            (ring.head + 1) & (self.flits as u16 - 1)
        };
        let slot = &self.memory[start..start + self.stride];
        (
            ring.length,
            slot[0] & LAST != 0,
            slot[0] & BAD != 0,
            &slot[1..],
        )
    }
}

/// Copies the data of one flit.
#[inline]
pub fn copy_flit(to: &mut [u64], from: &[u64]) {
    // The common width without a call of memcpy.
    if let ([to], [from]) = (&mut *to, from) {
        *to = *from;
    } else {
        to.copy_from_slice(from);
    }
}
