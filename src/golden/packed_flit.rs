//! A flit in one word: what decides where and when flits go, and nothing else.
//!
//! For simulations of whole networks, in which nobody reads the payload.

use super::flit::{Flit, FlitTag};
use super::header::{CRC_LSB, LENGTH_LSB};

/// Bits 57:0 of a flit's data, and its tag in the place of a header's CRC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PackedFlit(u64);

const CHANNEL_LSB: u32 = CRC_LSB;
const LAST: u64 = 1 << (CRC_LSB + 2);
const BAD: u64 = 1 << (CRC_LSB + 3);
const DATA: u64 = (1 << CRC_LSB) - 1;
/// The last flit of a packet counts blocks here: a header that is also the last flit has length 0,
/// and no other flit but a header has a length.
const BLOCKS: u64 = 0x1FFF << LENGTH_LSB;

impl PackedFlit {
    pub fn new(tag: FlitTag, data: u64) -> Self {
        let flag = |set: bool, bit: u64| if set { bit } else { 0 };
        let channel = u64::from(tag.channel) << CHANNEL_LSB;
        PackedFlit(data & DATA | channel | flag(tag.last, LAST) | flag(tag.bad, BAD))
    }

    /// A flit that leaves a block: the last one of a packet counts it.
    #[inline]
    pub fn counting_block(self) -> Self {
        // LAST becomes a 1 in the lowest bit of the count.
        PackedFlit(self.0 + ((self.0 & LAST) >> (CRC_LSB + 2 - LENGTH_LSB)))
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
            bad: self.0 & BAD != 0,
        }
    }

    #[inline]
    fn low_word(self) -> u64 {
        self.0 & DATA
    }

    #[inline]
    fn on_channel(self, channel: usize) -> Self {
        PackedFlit(self.0 & !(3 << CHANNEL_LSB) | (channel as u64) << CHANNEL_LSB)
    }

    fn made_up_tail(channel: usize) -> Self {
        PackedFlit(LAST | BAD | (channel as u64) << CHANNEL_LSB)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packed_flit_keeps_its_tag_apart_from_its_data() {
        for (channel, last, bad) in [(0, false, false), (3, true, false), (2, false, true)] {
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
