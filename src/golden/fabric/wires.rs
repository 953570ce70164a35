//! What is on its way to the pins of every block: flits and credits by the cycle in which they
//! arrive.
//!
//! The stages after a pop (section 1.7), the rx_credit register and the link registers (section 5)
//! all move in every cycle, so a flit or credit is put where it will be found after all of them.
//! Slots are cycles modulo their number. The flits that a neighbour sends to a port in the next cycles
//! share a cache line.

use crate::golden::packed_flit::PackedFlit;
use crate::golden::prefetch::{prefetch, prefetch_at};
use crate::golden::switch_core::KeySet;

/// A port of a block of a part, where something can arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Inlet {
    pub part: u16,
    pub port: u8,
    /// Number of the block in its part.
    pub block: u32,
    /// Number of the port in its part.
    pub line: u32,
}

impl Inlet {
    /// Another port of the block whose first port this is.
    pub fn of_port(self, port: u8) -> Inlet {
        Inlet {
            port,
            line: self.line + u32::from(port),
            ..self
        }
    }
}

/// A flit or credit for a port of another part.
#[derive(Debug, Clone, Copy)]
pub struct Message {
    pub to: Inlet,
    pub slot: u32,
    pub content: Content,
}

#[derive(Debug, Clone, Copy)]
pub enum Content {
    Flit(PackedFlit),
    /// Of a channel.
    Credit(u8),
}

/// What arrives at a block in a cycle, but for the flits themselves.
#[derive(Debug, Clone, Copy)]
pub struct Arrivals<K> {
    /// Ports with a flit.
    pub flits: u32,
    /// For (output, channel).
    pub credits: K,
}

impl<K: KeySet> Arrivals<K> {
    const NOTHING: Self = Arrivals {
        flits: 0,
        credits: K::EMPTY,
    };

    pub fn is_nothing(self) -> bool {
        self.flits == 0 && self.credits.is_empty()
    }
}

/// The arrivals at the blocks of a part.
#[derive(Debug)]
pub struct Wires<K> {
    slots: usize,
    /// By block and slot.
    arrivals: Box<[Arrivals<K>]>,
    /// By port and slot; where no flit arrives, it means nothing.
    flits: Box<[PackedFlit]>,
}

impl<K: KeySet> Wires<K> {
    /// Arrivals up to `farthest` cycles ahead.
    pub fn new(blocks: usize, ports: usize, farthest: usize) -> Self {
        let slots = (farthest + 1).next_power_of_two();
        Wires {
            slots,
            arrivals: vec![Arrivals::NOTHING; blocks * slots].into(),
            flits: vec![PackedFlit::default(); ports * slots].into(),
        }
    }

    /// The slot of a cycle.
    #[inline]
    pub fn slot(&self, cycle: u64) -> usize {
        cycle as usize & (self.slots - 1)
    }

    /// What arrives at a block in a slot; from now on there is nothing.
    #[inline]
    pub fn take(&mut self, block: u32, slot: usize) -> Arrivals<K> {
        let arrivals = &mut self.arrivals[block as usize * self.slots + slot];
        std::mem::replace(arrivals, Arrivals::NOTHING)
    }

    /// The flit that arrived at a port that [`Self::take`] named.
    #[inline]
    pub fn flit(&self, line: u32, slot: usize) -> PackedFlit {
        self.flits[line as usize * self.slots + slot]
    }

    #[inline]
    pub fn put_flit(&mut self, to: &Inlet, slot: usize, flit: PackedFlit) {
        self.flits[to.line as usize * self.slots + slot] = flit;
        self.arrivals[to.block as usize * self.slots + slot].flits |= 1 << to.port;
    }

    /// A credit for a channel of the port as an output.
    #[inline]
    pub fn put_credit(&mut self, to: &Inlet, slot: usize, channel: usize) {
        let arrivals = &mut self.arrivals[to.block as usize * self.slots + slot];
        arrivals.credits.insert(K::key(to.port.into(), channel));
    }

    /// Prefetches the flits that arrive at some ports one after the other.
    #[inline]
    pub fn prefetch(&self, first_line: u32, ports: usize) {
        let first = first_line as usize * self.slots;
        prefetch(&self.flits[first..][..ports * self.slots]);
    }

    /// Prefetches where something will be put.
    #[inline]
    pub fn prefetch_inlet(&self, to: Inlet) {
        prefetch_at(&self.flits, to.line as usize * self.slots);
        prefetch_at(&self.arrivals, to.block as usize * self.slots);
    }

    /// Bytes of all arrivals.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.arrivals) + size_of_val(&*self.flits)
    }
}
