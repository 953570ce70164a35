//! What is on its way to the pins of every block: flits and credits by the cycle in which they
//! arrive.
//!
//! The stages after a pop (section 1.7), the rx_credit register and the link registers (section 5)
//! all move in every cycle, so a flit or credit is put where it will be found after all of them.
//! Slots are cycles modulo their number. All that a neighbour sends to a port in the next cycles
//! shares a cache line.

use crate::golden::packed_flit::PackedFlit;
use crate::golden::prefetch::{prefetch, prefetch_at};

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

/// What arrives at a port in a cycle: a flit, and credits for what the port sends.
#[derive(Debug, Clone, Copy, Default)]
pub struct Arrival(u64);

impl Arrival {
    pub fn flit(flit: PackedFlit) -> Arrival {
        Arrival(flit.word())
    }

    /// A credit of a channel.
    pub fn credit(channel: usize) -> Arrival {
        Arrival(1 << (PackedFlit::BITS as usize + channel))
    }

    pub fn has_flit(self) -> bool {
        PackedFlit::is_in(self.0)
    }

    /// The flit, if [`Self::has_flit`].
    pub fn as_flit(self) -> PackedFlit {
        PackedFlit::of_word(self.0)
    }

    /// 1 for a credit of the channel, or 0.
    pub fn credits(self, channel: usize) -> u32 {
        (self.0 >> (PackedFlit::BITS as usize + channel)) as u32 & 1
    }
}

/// An arrival in another part.
#[derive(Debug, Clone, Copy)]
pub struct Message {
    pub to: Inlet,
    pub slot: u32,
    pub arrival: Arrival,
}

/// The arrivals of the blocks of a part.
#[derive(Debug)]
pub struct Wires {
    slots: usize,
    /// By port and slot.
    arrivals: Box<[Arrival]>,
    /// Ports with an arrival, by block and slot. Where there is none, `arrivals` means nothing.
    occupied: Box<[u32]>,
}

impl Wires {
    /// Arrivals up to `farthest` cycles ahead.
    pub fn new(blocks: usize, ports: usize, farthest: usize) -> Wires {
        let slots = (farthest + 1).next_power_of_two();
        Wires {
            slots,
            arrivals: vec![Arrival::default(); ports * slots].into(),
            occupied: vec![0; blocks * slots].into(),
        }
    }

    /// The slot of a cycle.
    #[inline]
    pub fn slot(&self, cycle: u64) -> usize {
        cycle as usize & (self.slots - 1)
    }

    /// Ports of a block with an arrival in a slot; from now on there is none.
    #[inline]
    pub fn take(&mut self, block: u32, slot: usize) -> u32 {
        std::mem::take(&mut self.occupied[block as usize * self.slots + slot])
    }

    /// What arrived at a port that [`Self::take`] named.
    #[inline]
    pub fn arrival(&self, line: u32, slot: usize) -> Arrival {
        self.arrivals[line as usize * self.slots + slot]
    }

    /// Prefetches all that arrives at some ports one after the other.
    #[inline]
    pub fn prefetch(&self, first_line: u32, ports: usize) {
        let first = first_line as usize * self.slots;
        prefetch(&self.arrivals[first..][..ports * self.slots]);
    }

    /// Prefetches where something will be put.
    #[inline]
    pub fn prefetch_inlet(&self, to: Inlet) {
        prefetch_at(&self.arrivals, to.line as usize * self.slots);
    }

    /// Adds to what arrives.
    #[inline]
    pub fn put(&mut self, to: Inlet, slot: usize, arrival: Arrival) {
        let occupied = &mut self.occupied[to.block as usize * self.slots + slot];
        let place = &mut self.arrivals[to.line as usize * self.slots + slot];
        let before = if *occupied >> to.port & 1 == 1 {
            place.0
        } else {
            0
        };
        *place = Arrival(before | arrival.0);
        *occupied |= 1 << to.port;
    }

    /// Bytes of all arrivals.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.arrivals) + size_of_val(&*self.occupied)
    }
}
