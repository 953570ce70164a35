//! What is on its way to the pins of every block: flits and credits by the cycle in which they
//! arrive.
//!
//! The stages after a pop (section 1.7), the rx_credit register and the link registers (section 5)
//! all move in every cycle, so a flit or credit is put where it will be found after all of them.
//! Slots are cycles modulo their number. The flits that a neighbour sends to a port in the next cycles
//! share a cache line.

use crate::flit::Flit;
use crate::prefetch::{prefetch, prefetch_at};
use crate::switch_core::KeySet;

/// A port of a block of a part, where something can arrive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InputSlot {
    pub part: u16,
    pub port: u8,
    /// Place of the block's slot 0, and of the port's: products that are needed for every flit.
    arrivals: u32,
    flits: u32,
}

impl InputSlot {
    /// The first port, number `line` of its part, of block number `block` of a part.
    pub fn first(part: u16, block: u32, line: u32, slots: Slots) -> InputSlot {
        InputSlot {
            part,
            port: 0,
            arrivals: block << slots.log2,
            flits: line << slots.log2,
        }
    }

    /// Another port of the block whose first port this is.
    #[inline]
    pub fn of_port(self, port: u8, slots: Slots) -> InputSlot {
        InputSlot {
            port,
            flits: self.flits + (u32::from(port) << slots.log2),
            ..self
        }
    }

    /// The port with the block's number in its part, for a message to another process.
    pub fn to_word(self, slots: Slots) -> u32 {
        (self.block(slots) as u32) << 8 | u32::from(self.port)
    }

    /// Number of the block in its part.
    #[inline]
    pub fn block(self, slots: Slots) -> usize {
        (self.arrivals >> slots.log2) as usize
    }
}

/// How many slots there are: a power of two.
#[derive(Debug, Clone, Copy)]
pub struct Slots {
    log2: u32,
}

impl Slots {
    /// For arrivals up to `farthest` cycles ahead.
    pub fn up_to(farthest: u64) -> Slots {
        Slots {
            log2: (farthest + 1).next_power_of_two().trailing_zeros(),
        }
    }

    /// The slot of a cycle.
    #[inline]
    pub fn of(self, cycle: u64) -> usize {
        cycle as usize & ((1 << self.log2) - 1)
    }
}

/// A flit or credit for a port of another part.
#[derive(Debug, Clone, Copy)]
pub struct Message {
    pub to: InputSlot,
    pub slot: u32,
    pub content: Content,
}

#[derive(Debug, Clone, Copy)]
pub enum Content {
    Flit(Flit),
    /// Of a channel.
    Credit(u8),
}

/// What arrives at a block in a cycle, but for the flits themselves.
#[derive(Debug, Clone, Copy)]
pub struct Arrivals<K> {
    /// Ports whose flit lies in memory.
    pub flits: u32,
    /// Blank flits that do not, by (input, channel): all but a few.
    pub blanks: K,
    /// For (output, channel).
    pub credits: K,
}

impl<K: KeySet> Arrivals<K> {
    const NOTHING: Self = Arrivals {
        flits: 0,
        blanks: K::EMPTY,
        credits: K::EMPTY,
    };

    pub fn is_nothing(self) -> bool {
        self.flits == 0 && (self.blanks | self.credits).is_empty()
    }
}

/// The arrivals at the blocks of a part.
#[derive(Debug)]
pub struct Wires<K> {
    pub slots: Slots,
    /// By block and slot.
    arrivals: Box<[Arrivals<K>]>,
    /// By port and slot; where no flit arrives, it means nothing.
    flits: Box<[Flit]>,
    #[cfg(test)]
    pub probe: Option<super::probe::Probe>,
}

impl<K: KeySet> Wires<K> {
    pub fn new(blocks: usize, ports: usize, slots: Slots) -> Self {
        Wires {
            slots,
            arrivals: vec![Arrivals::NOTHING; blocks << slots.log2].into(),
            flits: vec![Flit::default(); ports << slots.log2].into(),
            #[cfg(test)]
            probe: None,
        }
    }

    /// What arrives at a block in a slot; from now on there is nothing.
    #[inline]
    pub fn take(&mut self, block: &InputSlot, slot: usize) -> Arrivals<K> {
        let arrivals = &mut self.arrivals[block.arrivals as usize + slot];
        std::mem::replace(arrivals, Arrivals::NOTHING)
    }

    /// The flit that arrived at a port that [`Self::take`] named.
    #[inline]
    pub fn flit(&self, at: &InputSlot, slot: usize) -> Flit {
        self.flits[at.flits as usize + slot]
    }

    #[inline]
    pub fn put_flit(&mut self, to: &InputSlot, slot: usize, flit: Flit) {
        self.flits[to.flits as usize + slot] = flit;
        self.arrivals[to.arrivals as usize + slot].flits |= 1 << to.port;
    }

    /// The flit of a port whose block has taken what arrives.
    #[inline]
    pub fn put_flit_now(&mut self, to: &InputSlot, slot: usize, flit: Flit) {
        self.flits[to.flits as usize + slot] = flit;
    }

    #[inline]
    pub fn put_blank(&mut self, to: &InputSlot, slot: usize, channel: usize) {
        let arrivals = &mut self.arrivals[to.arrivals as usize + slot];
        arrivals.blanks.insert(K::key(to.port.into(), channel));
    }

    /// A credit for a channel of the port as an output.
    #[inline]
    pub fn put_credit(&mut self, to: &InputSlot, slot: usize, channel: usize) {
        let arrivals = &mut self.arrivals[to.arrivals as usize + slot];
        arrivals.credits.insert(K::key(to.port.into(), channel));
    }

    /// Prefetches the flits that arrive at the first ports of a block.
    #[inline]
    pub fn prefetch(&self, block: &InputSlot, ports: usize) {
        prefetch(&self.flits[block.flits as usize..][..ports << self.slots.log2]);
    }

    /// Prefetches where something will be put.
    #[inline]
    pub fn prefetch_inlet(&self, to: &InputSlot) {
        prefetch_at(&self.flits, to.flits as usize);
        prefetch_at(&self.arrivals, to.arrivals as usize);
    }

    /// Whether nothing is on its way.
    pub fn is_empty(&self) -> bool {
        self.arrivals.iter().all(|arrivals| arrivals.is_nothing())
    }

    /// Bytes of all arrivals.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.arrivals) + size_of_val(&*self.flits)
    }
}
