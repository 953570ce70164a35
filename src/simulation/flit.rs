//! What moves through the fast model: a flit in one word, with what decides where and when flits go, and nothing else.
//!
//! Nobody reads the payload of a simulation.

use mkns_contract::header::{self, LAYER_LSB, LENGTH_LSB};

/// A flit without its data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FlitTag {
    pub channel: u8,
    pub last: bool,
    pub bad: bool,
}

/// What an ingress takes in a cycle, of the width of a flit: the low word of its data.
#[derive(Debug, Clone, Copy)]
pub struct Piece {
    pub word: u64,
    pub last: bool,
}

/// A flit on the core's tx pins, with the low word of the data that a host will see.
#[derive(Debug, Clone, Copy, Default)]
pub struct TransmittedFlit {
    pub tag: FlitTag,
    pub word: u64,
}

/// Bits 55:0 of a flit's data (in a header: all but what is always 0 in a simulation, and the CRC),
/// its channel and what kind of flit it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flit(u64);

const DATA: u64 = (1 << CHANNEL_LSB) - 1;
const CHANNEL_LSB: u32 = LAYER_LSB + 3;
/// Two bits: 1 a flit that is not the last of its packet, 2 the last, 3 a bad last one.
const KIND_LSB: u32 = CHANNEL_LSB + 2;
const KIND: u64 = 3 << KIND_LSB;
const LAST: u64 = 2 << KIND_LSB;
const CHANNEL: u64 = 3 << CHANNEL_LSB;
/// Bits 57:56 of a header (section 1.8).
const TRAVEL_LSB: u32 = KIND_LSB + 2;
/// The packet leaves its block on the adaptive channel; set in each lookup of an adaptive block, in the header.
const ADAPTIVE: u64 = 1 << (TRAVEL_LSB + 2);
/// All data of a bad last flit of an adaptive packet: promised flits that did not come.
const MISSING: u64 = DATA & !BLOCKS;
/// A blank flit of channel 0.
const BLANK: u64 = 1 << KIND_LSB;
/// The last flit of a packet counts blocks here: a header that is also the last flit has length 0,
/// and no other flit but a header has a length.
const BLOCKS: u64 = 0x1FFF << LENGTH_LSB;

impl Flit {
    /// A flit that is not the last of its packet is not bad (section 1.2).
    pub fn new(tag: FlitTag, data: u64) -> Self {
        let kind = match (tag.last, tag.bad) {
            (false, _) => 1,
            (true, false) => 2,
            (true, true) => 3,
        };
        Flit(data & DATA | u64::from(tag.channel) << CHANNEL_LSB | kind << KIND_LSB)
    }

    /// A flit that leaves a block: the last one of a packet counts it.
    #[inline]
    pub fn counting_block(self) -> Self {
        // LAST becomes a 1 in the lowest bit of the count.
        Flit(self.0 + ((self.0 & LAST) >> (KIND_LSB + 1 - LENGTH_LSB)))
    }

    /// All of it, for a message.
    pub fn to_bits(self) -> u64 {
        self.0
    }

    /// A flit from [`Self::to_bits`].
    pub fn from_bits(bits: u64) -> Self {
        Flit(bits)
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

    #[inline]
    pub fn tag(self) -> FlitTag {
        FlitTag {
            channel: (self.0 >> CHANNEL_LSB & 3) as u8,
            last: self.0 & LAST != 0,
            bad: self.0 & KIND == KIND,
        }
    }

    /// Its data with the count of blocks; in a header it holds the address.
    #[inline]
    pub fn low_word(self) -> u64 {
        self.0 & DATA
    }

    /// This flit on another channel.
    #[inline]
    pub fn on_channel(self, channel: usize) -> Self {
        Flit(self.0 & !CHANNEL | (channel as u64) << CHANNEL_LSB)
    }

    /// How a packet may travel: bits 57:56 of its header (section 1.8).
    #[inline]
    pub fn travel(self) -> u8 {
        (self.0 >> TRAVEL_LSB & 3) as u8
    }

    /// This header with another [`Self::travel`].
    pub fn with_travel(self, travel: u8) -> Self {
        Flit(self.0 & !(3 << TRAVEL_LSB) | u64::from(travel) << TRAVEL_LSB)
    }

    /// Whether this header's packet leaves on the adaptive channel.
    #[inline]
    pub fn is_adaptive(self) -> bool {
        self.0 & ADAPTIVE != 0
    }

    /// This header of a packet that leaves on the adaptive channel, or on another.
    pub fn as_adaptive(self, adaptive: bool) -> Self {
        Flit(self.0 & !ADAPTIVE | if adaptive { ADAPTIVE } else { 0 })
    }

    /// Promised flits that a bad last flit stands for.
    pub fn missing(self) -> u16 {
        (self.0 & MISSING) as u16
    }

    /// This last flit, bad, in the place of itself and of promised flits that do not come.
    pub fn with_missing(self, missing: u16) -> Self {
        Flit(self.0 & !MISSING | KIND | u64::from(missing))
    }

    /// This header with another destination address.
    pub fn with_destination(self, destination: u32) -> Self {
        Flit(header::with_destination(self.0, destination))
    }

    /// A flit without data: last and bad are set (section 1.2).
    pub fn made_up_tail(channel: usize) -> Self {
        Flit(KIND | (channel as u64) << CHANNEL_LSB)
    }

    /// Whether it is what [`Self::blank`] gives. Such flits need not be stored.
    #[inline]
    pub fn is_blank(self) -> bool {
        self.0 & !CHANNEL == BLANK
    }

    /// A flit that is not the last of its packet and whose data is 0.
    #[inline]
    pub fn blank(channel: usize) -> Self {
        Flit(BLANK | (channel as u64) << CHANNEL_LSB)
    }
}

/// Takes the flits that the core pops and the credits that it gives back.
pub trait FlitSink {
    /// `flit` will be on the tx pins of `output` after the stages of section 1.7.
    fn send(&mut self, output: usize, flit: Flit);

    /// A blank flit will be on the tx pins of `output` after the stages of section 1.7.
    fn send_blank(&mut self, output: usize, channel: usize);

    /// A credit for the sender of (input, channel): on the rx_credit pins when a flit popped now is on the
    /// tx pins. Every credit is told once.
    #[inline]
    fn give_back(&mut self, _input: usize, _channel: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flit_keeps_its_tag_apart_from_its_data() {
        for (channel, last, bad) in [(0, false, false), (3, true, false), (2, true, true)] {
            let tag = FlitTag { channel, last, bad };
            let flit = Flit::new(tag, u64::MAX);
            assert_eq!((flit.tag(), flit.low_word()), (tag, DATA));
            let moved = flit.on_channel(1);
            let expected = FlitTag { channel: 1, ..tag };
            assert_eq!((moved.tag(), moved.low_word()), (expected, DATA));
        }
        let tail = Flit::made_up_tail(3).tag();
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
            let flit = Flit::new(tag, data);
            assert_eq!(flit.is_blank(), !last && data == 0);
            assert_eq!(flit == Flit::blank(2), flit.is_blank());
        }
    }

    #[test]
    fn only_last_flits_count_blocks() {
        let tag = |last| FlitTag {
            channel: 1,
            last,
            bad: false,
        };
        let header = Flit::new(tag(false), 9 << LENGTH_LSB | 5).counting_block();
        assert_eq!(header.data(), 9 << LENGTH_LSB | 5);
        let tail = Flit::new(tag(true), 5).counting_block().counting_block();
        assert_eq!((tail.blocks(), tail.data(), tail.tag()), (2, 5, tag(true)));
    }
}
