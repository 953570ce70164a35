//! Section 4: counters of core ports, and why a core throws packets away.

use mkns_spec::BlockParameters;

use crate::Flit;

const RX_FLITS: usize = 0;
const RX_PACKETS: usize = 1;
const TX_FLITS: usize = 2;
const TX_PACKETS: usize = 3;
const STALLS: usize = 4;
const FIRST_CAUSE: usize = 5;
const FIRST_CHOICE: usize = 9;
/// Of adaptive blocks; the others have the first nine.
const COUNTERS: usize = 12;

/// Why a packet is dropped: counters 5 to 8, bits 0 to 3 of ERRORS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    NoRoute,
    UTurn,
    LinkDown,
    LinkDownAtOutput,
}

/// What the header of a packet chose in an adaptive block (1.8): counters 9 to 11.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// It committed.
    Adaptive,
    /// The escape to a network port.
    Escape,
    /// The escape to a network port with a change of bits 57:56, which counts as an escape, too.
    Detour,
}

impl Cause {
    /// The bit of ERRORS, as a mask.
    pub fn error(self) -> u32 {
        1 << self as u32
    }

    /// As the page calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::NoRoute => "no route",
            Self::UTurn => "U-turn",
            Self::LinkDown => "link down",
            Self::LinkDownAtOutput => "link down at output",
        }
    }
}

/// The counters of all ports of a core.
#[derive(Debug, Clone)]
pub struct CoreCounters {
    /// `COUNTER_START`
    start: u32,
    counts: Vec<[u32; COUNTERS]>,
}

impl CoreCounters {
    pub fn new(ports: usize, block: &BlockParameters) -> Self {
        let start = block.counter_start;
        Self {
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

    /// A flit came in.
    pub fn received(&mut self, port: usize, flit: &Flit) {
        self.add(port, RX_FLITS, true);
        self.add(port, RX_PACKETS, flit.last);
    }

    /// A flit was popped for the port, and sent.
    pub fn sent(&mut self, port: usize, flit: &Flit) {
        self.add(port, TX_FLITS, true);
        self.add(port, TX_PACKETS, flit.last);
    }

    /// Something waits for the port, and nothing was popped for it.
    pub fn stalled(&mut self, port: usize) {
        self.add(port, STALLS, true);
    }

    /// A packet was dropped.
    pub fn dropped(&mut self, port: usize, cause: Cause) {
        self.add(port, FIRST_CAUSE + cause as usize, true);
    }

    /// A header chose.
    pub fn chosen(&mut self, port: usize, choice: Choice) {
        self.add(port, FIRST_CHOICE, choice == Choice::Adaptive);
        self.add(port, FIRST_CHOICE + 1, choice != Choice::Adaptive);
        self.add(port, FIRST_CHOICE + 2, choice == Choice::Detour);
    }

    fn add(&mut self, port: usize, c: usize, happened: bool) {
        let count = &mut self.counts[port][c];
        *count = count.wrapping_add(u32::from(happened));
    }
}
