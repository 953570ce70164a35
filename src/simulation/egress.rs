//! Egress of a PCIe-side port: packets go to the host one at a time (section 3.2 of `docs/microarchitecture.md`).
//!
//! Hosts of a simulation take every beat at once, so that none is refused and no packet is thrown away; and a packet
//! that a failing link cut ends with a bad flit, so that nothing else has to be judged.

use super::fifos::{FifoShape, Fifos};
use super::flit::{FlitTag, TransmittedFlit};
use mkns_contract::header;
use mkns_design::BlockModule;

/// A beat for the host: the low word of its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputBeat {
    pub word: u64,
    pub last: bool,
    /// Its packet is bad.
    pub user: bool,
}

/// What all ports of a module have in common.
#[derive(Debug)]
pub struct EgressShape {
    fifos: FifoShape,
    crc: header::Crc,
}

#[derive(Debug, Clone)]
pub struct Egress {
    fifos: Fifos<TransmittedFlit>,
    /// Channel of the packet under way.
    current: Option<u8>,
    next_channel: u8,
    /// The output register.
    pub beat: Option<OutputBeat>,
    /// The tx_credit registers, one bit a channel.
    pub credit: u8,
}

impl EgressShape {
    pub fn new(module: &BlockModule) -> EgressShape {
        let parameters = &module.parameters;
        // E, in terminal blocks C.
        let capacity = match module.pok {
            None => parameters.host_buffer_flits(),
            Some(_) => parameters.rx_buffer_flits,
        };
        EgressShape {
            fifos: FifoShape::new(parameters.virtual_channels, capacity),
            crc: header::Crc::of(module),
        }
    }

    /// A header word with the CRC that is right here.
    pub fn with_crc(&self, word: u64) -> u64 {
        self.crc.stamp(word)
    }
}

impl Egress {
    pub fn new(shape: &EgressShape) -> Egress {
        Egress {
            fifos: Fifos::new(&shape.fifos),
            current: None,
            next_channel: 0,
            beat: None,
            credit: 0,
        }
    }

    /// Whether a cycle in which nothing arrives changes nothing.
    #[inline]
    pub fn is_at_rest(&self) -> bool {
        self.beat.is_none() && self.credit == 0 && self.fifos.are_empty()
    }

    /// The clock edge; `arriving` is on the core's tx pins in this cycle. `ready`: the beat in the
    /// register, if there is one, is taken.
    #[inline(always)]
    pub fn step(&mut self, shape: &EgressShape, ready: bool, arriving: Option<TransmittedFlit>) {
        self.credit = 0;
        if self.beat.is_none() || ready {
            self.beat = self.load(shape);
        }
        if let Some(flit) = arriving {
            self.fifos.store(&shape.fifos, flit.tag.channel, flit);
        }
    }

    /// A flit that arrives at rest: in the next cycle it is loaded, in the one after the host takes its beat and the
    /// tx_credit register shows its credit. False, and nothing done, while another channel's packet is under way: then
    /// the flit has to wait in its FIFO.
    #[inline]
    pub fn pass(&mut self, shape: &EgressShape, tag: FlitTag) -> bool {
        debug_assert!(self.is_at_rest());
        let passes = self.current.is_none_or(|current| current == tag.channel);
        if passes {
            self.follow(shape, tag);
        }
        passes
    }

    /// Takes a blank flit in the middle of the packet under way as `pass` does; false, and nothing done, for another one.
    #[inline(always)]
    pub fn pass_blank(&self, channel: u8) -> bool {
        debug_assert!(self.is_at_rest());
        self.current == Some(channel)
    }

    /// Prefetches where the next flits are written and read, if any wait: others need no memory.
    #[inline]
    pub fn prefetch(&self, shape: &EgressShape) {
        if !self.is_at_rest() {
            self.fifos.prefetch(&shape.fifos);
        }
    }

    /// The channel of the packet under way, and the first one asked for the next packet.
    #[cfg(test)]
    pub fn turn(&self) -> (Option<u8>, u8) {
        (self.current, self.next_channel)
    }

    /// Bytes of the stored flits.
    pub fn buffer_bytes(&self) -> usize {
        self.fifos.bytes()
    }

    /// The packet of a flit that leaves is the one under way, unless this was its last flit.
    #[inline(always)]
    fn follow(&mut self, shape: &EgressShape, tag: FlitTag) {
        self.current = (!tag.last).then_some(tag.channel);
        if tag.last {
            // V is a power of two.
            self.next_channel = (tag.channel + 1) & (shape.fifos.channels - 1);
        }
    }

    /// The next flit, if there is one, leaves its FIFO and gives its credit back.
    #[inline]
    fn load(&mut self, shape: &EgressShape) -> Option<OutputBeat> {
        let channel = self.fifos.next_channel(self.current, self.next_channel)?;
        let TransmittedFlit { tag, word } = self.fifos.take(&shape.fifos, channel);
        self.credit |= 1 << channel;
        self.follow(shape, tag);
        Some(OutputBeat {
            word,
            last: tag.last,
            user: tag.bad,
        })
    }
}
