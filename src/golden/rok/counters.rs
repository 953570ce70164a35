//! 6.3: the counters of a РОК's ports.

use mkns_spec::BlockParameters;

use crate::Flit;

const RX_FLITS: usize = 0;
const RX_PACKETS: usize = 1;
const TX_FLITS: usize = 2;
const TX_PACKETS: usize = 3;
const STALLS: usize = 4;
const NO_ROUTE: usize = 5;
const COUNTERS: usize = 9;

pub struct Counters {
    /// `COUNTERS`
    are_there: bool,
    start: u32,
    counts: Vec<[u32; COUNTERS]>,
}

impl Counters {
    pub fn new(ports: usize, block: &BlockParameters) -> Self {
        let start = if block.counters {
            block.counter_start
        } else {
            0
        };
        Self {
            are_there: block.counters,
            start,
            counts: vec![[start; COUNTERS]; ports],
        }
    }

    pub fn reset(&mut self) {
        self.counts.fill([self.start; COUNTERS]);
    }

    pub fn count(&self, port: usize, c: usize) -> u32 {
        self.counts[port][c]
    }

    /// A flit is on the rx pins.
    pub fn received(&mut self, port: usize, flit: &Flit) {
        self.add(port, RX_FLITS, true);
        self.add(port, RX_PACKETS, flit.last);
    }

    /// A flit was popped for the port.
    pub fn sent(&mut self, port: usize, flit: &Flit) {
        self.add(port, TX_FLITS, true);
        self.add(port, TX_PACKETS, flit.last);
    }

    /// Something waits for the port, and nothing was popped for it.
    pub fn stalled(&mut self, port: usize) {
        self.add(port, STALLS, true);
    }

    /// A header that came in by the port was dropped.
    pub fn no_route(&mut self, port: usize) {
        self.add(port, NO_ROUTE, true);
    }

    fn add(&mut self, port: usize, c: usize, happened: bool) {
        let count = &mut self.counts[port][c];
        *count = count.wrapping_add(u32::from(self.are_there && happened));
    }
}
