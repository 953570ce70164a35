//! A flit in one word: what decides where and when flits go, and nothing else.
//!
//! For simulations of whole networks, in which nobody reads the payload.

use super::flit::{Flit, FlitTag};
use mkns_contract::header::{self, LAYER_LSB, LENGTH_LSB};

/// Bits 55:0 of a flit's data (in a header: all but what is always 0 in a simulation, and the CRC),
/// its channel and what kind of flit it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PackedFlit(u64);

const DATA: u64 = (1 << CHANNEL_LSB) - 1;
const CHANNEL_LSB: u32 = LAYER_LSB + 3;
/// Two bits: 1 a flit that is not the last of its packet, 2 the last, 3 a bad last one.
const KIND_LSB: u32 = CHANNEL_LSB + 2;
const KIND: u64 = 3 << KIND_LSB;
const LAST: u64 = 2 << KIND_LSB;
const CHANNEL: u64 = 3 << CHANNEL_LSB;
/// A blank flit of channel 0.
const BLANK: u64 = 1 << KIND_LSB;
/// The last flit of a packet counts blocks here: a header that is also the last flit has length 0,
/// and no other flit but a header has a length.
const BLOCKS: u64 = 0x1FFF << LENGTH_LSB;

impl PackedFlit {
    /// A flit that is not the last of its packet is not bad (section 1.2).
    pub fn new(tag: FlitTag, data: u64) -> Self {
        let kind = match (tag.last, tag.bad) {
            (false, _) => 1,
            (true, false) => 2,
            (true, true) => 3,
        };
        PackedFlit(data & DATA | u64::from(tag.channel) << CHANNEL_LSB | kind << KIND_LSB)
    }

    /// A flit that leaves a block: the last one of a packet counts it.
    #[inline]
    pub fn counting_block(self) -> Self {
        // LAST becomes a 1 in the lowest bit of the count.
        PackedFlit(self.0 + ((self.0 & LAST) >> (KIND_LSB + 1 - LENGTH_LSB)))
    }

    /// All of it, for a message.
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// A flit from [`Self::to_bits`].
    pub fn from_bits(bits: u64) -> Self {
        PackedFlit(bits)
    }

    /// Blocks that a last flit has left.
    pub fn blocks(self) -> u32 {
        ((self.0 & BLOCKS) >> LENGTH_LSB) as u32
    }

    /// The data without the count of blocks.
    pub fn data(self) -> u64 {
        let data = self.0 & DATA;
        if self.0 & LAST != 0 {
            data & !BLOCKS
        } else {
            data
        }
    }
}

impl Flit for PackedFlit {
    #[inline]
    fn tag(self) -> FlitTag {
        FlitTag {
            channel: (self.0 >> CHANNEL_LSB & 3) as u8,
            last: self.0 & LAST != 0,
            bad: self.0 & KIND == KIND,
        }
    }

    #[inline]
    fn low_word(self) -> u64 {
        self.0 & DATA
    }

    #[inline]
    fn on_channel(self, channel: usize) -> Self {
        PackedFlit(self.0 & !CHANNEL | (channel as u64) << CHANNEL_LSB)
    }

    fn with_destination(self, destination: u32) -> Self {
        PackedFlit(header::with_destination(self.0, destination))
    }

    fn made_up_tail(channel: usize) -> Self {
        PackedFlit(KIND | (channel as u64) << CHANNEL_LSB)
    }

    #[inline]
    fn is_blank(self) -> bool {
        self.0 & !CHANNEL == BLANK
    }

    #[inline]
    fn blank(channel: usize) -> Self {
        PackedFlit(BLANK | (channel as u64) << CHANNEL_LSB)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_flit_keeps_its_tag_apart_from_its_data() {
        for (channel, last, bad) in [(0, false, false), (3, true, false), (2, true, true)] {
            let tag = FlitTag { channel, last, bad };
            let flit = PackedFlit::new(tag, u64::MAX);
            assert_eq!((flit.tag(), flit.low_word()), (tag, DATA));
            let moved = flit.on_channel(1);
            let expected = FlitTag { channel: 1, ..tag };
            assert_eq!((moved.tag(), moved.low_word()), (expected, DATA));
        }
        let tail = PackedFlit::made_up_tail(3).tag();
        assert_eq!((tail.channel, tail.last, tail.bad), (3, true, true));
    }

    #[test]
    fn a_flit_in_the_middle_without_data_is_blank() {
        for (last, data) in [(false, 0), (false, 1), (true, 0)] {
            let tag = FlitTag {
                channel: 2,
                last,
                bad: false,
            };
            let flit = PackedFlit::new(tag, data);
            assert_eq!(flit.is_blank(), !last && data == 0);
            assert_eq!(flit == PackedFlit::blank(2), flit.is_blank());
        }
    }

    #[test]
    fn only_last_flits_count_blocks() {
        let tag = |last| FlitTag {
            channel: 1,
            last,
            bad: false,
        };
        let header = PackedFlit::new(tag(false), 9 << LENGTH_LSB | 5).counting_block();
        assert_eq!(header.data(), 9 << LENGTH_LSB | 5);
        let tail = PackedFlit::new(tag(true), 5)
            .counting_block()
            .counting_block();
        assert_eq!((tail.blocks(), tail.data(), tail.tag()), (2, 5, tag(true)));
    }
}
