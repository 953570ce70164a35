//! The header flit: which bits hold what (`docs/microarchitecture.md`, 3.1).

use serde::Serialize;

use super::block_module::{BlockModule, ModuleKind};

/// One field of the low 64 bits of a header flit; higher bits are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct HeaderField {
    pub name: &'static str,
    /// Highest bit.
    pub msb: u32,
    /// Lowest bit.
    pub lsb: u32,
    pub meaning: &'static str,
}

/// All fields, bit 0 first, without gaps.
pub const HEADER: [HeaderField; 7] = [
    field("destination", 19, 0, "destination address"),
    field(
        "source",
        39,
        20,
        "source address, stamped by the adapter block",
    ),
    field("length", 52, 40, "payload length in bytes, 0 = header only"),
    field(
        "layer",
        55,
        53,
        "routing layer; a hint where blocks choose layers",
    ),
    field("multicast", 56, 56, "reserved, must be 0"),
    field("reserved", 57, 57, "reserved, must be 0"),
    field(
        "crc",
        63,
        58,
        "CRC-6 (x^6 + x + 1, start 0) of bits 57:0, bit 57 first",
    ),
];

const fn field(name: &'static str, msb: u32, lsb: u32, meaning: &'static str) -> HeaderField {
    HeaderField {
        name,
        msb,
        lsb,
        meaning,
    }
}

/// Bits of a destination or source address.
pub const ADDRESS_BITS: u32 = 20;
/// Lowest bit of the source address.
pub const SOURCE_LSB: u32 = 20;
/// Lowest bit of the payload length.
pub const LENGTH_LSB: u32 = 40;
/// Lowest bit of the layer number.
pub const LAYER_LSB: u32 = 53;
/// Lowest bit of the CRC; it covers all bits below.
pub const CRC_LSB: u32 = 58;

const ADDRESS_MASK: u64 = (1 << ADDRESS_BITS) - 1;

/// Which header bits the CRC covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crc {
    /// Bits that count as they are; the others count as 0.
    covered: u64,
}

impl Crc {
    /// Of headers whose destination is an address train, or is not. Splitters change a train: it is left out (section
    /// 6.4).
    pub fn new(has_train: bool) -> Self {
        let left_out = if has_train { ADDRESS_MASK } else { 0 };
        Self {
            covered: ((1 << CRC_LSB) - 1) & !left_out,
        }
    }

    /// Of the headers that a block's hosts send.
    pub fn of(module: &BlockModule) -> Self {
        Self::new(module.kind == ModuleKind::Terminal)
    }

    /// Replaces the CRC of a header word by the right one.
    #[inline]
    pub fn stamp(self, word: u64) -> u64 {
        word & ((1 << CRC_LSB) - 1) | u64::from(crc6(word & self.covered)) << CRC_LSB
    }

    /// Whether the CRC of a header word is right.
    #[inline]
    pub fn is_right(self, word: u64) -> bool {
        word == self.stamp(word)
    }
}

/// The fields of a header flit; the CRC is not among them, because it follows from the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Header {
    pub destination: u32,
    pub source: u32,
    /// Payload length in bytes, 0…8191.
    pub length: u32,
    /// Routing table layer, 0…7.
    pub layer: u32,
    pub multicast: bool,
    pub reserved: bool,
}

impl Header {
    /// The header word as a host writes it: bits 63:58 are 0.
    #[inline]
    pub fn pack(&self) -> u64 {
        (u64::from(self.destination) & ADDRESS_MASK)
            | (u64::from(self.source) & ADDRESS_MASK) << SOURCE_LSB
            | (u64::from(self.length) & 0x1FFF) << LENGTH_LSB
            | (u64::from(self.layer) & 7) << LAYER_LSB
            | u64::from(self.multicast) << 56
            | u64::from(self.reserved) << 57
    }

    /// The fields of a header word; its CRC is not looked at.
    #[inline]
    pub fn unpack(word: u64) -> Header {
        Header {
            destination: destination(word),
            source: source(word),
            length: length(word),
            layer: layer(word),
            multicast: word >> 56 & 1 == 1,
            reserved: word >> 57 & 1 == 1,
        }
    }
}

/// Destination address of a header word.
#[inline]
pub fn destination(word: u64) -> u32 {
    (word & ADDRESS_MASK) as u32
}

/// Source address of a header word.
#[inline]
pub fn source(word: u64) -> u32 {
    (word >> SOURCE_LSB & ADDRESS_MASK) as u32
}

/// A header word with another destination address; all other bits stay.
#[inline]
pub fn with_destination(word: u64, destination: u32) -> u64 {
    word & !ADDRESS_MASK | u64::from(destination) & ADDRESS_MASK
}

/// Payload length of a header word, bytes.
#[inline]
pub fn length(word: u64) -> u32 {
    (word >> LENGTH_LSB & 0x1FFF) as u32
}

/// Layer of a header word.
#[inline]
pub fn layer(word: u64) -> u32 {
    (word >> LAYER_LSB & 7) as u32
}

/// CRC-6 (x⁶ + x + 1, initial value 0) of bits 57:0, bit 57 first.
///
/// Eight bits at a time: bits 63:58 count as 0, and leading zeros leave a register of 0 at 0.
#[inline]
fn crc6(word: u64) -> u8 {
    let covered = word & ((1 << CRC_LSB) - 1);
    covered.to_be_bytes().iter().fold(0, |register, &byte| {
        CRC_OF_BYTE[usize::from(register << 2 ^ byte)]
    })
}

/// The definition, bit by bit: the `bits` low bits of `word`, highest first.
const fn crc6_bitwise(word: u64, bits: u32) -> u8 {
    let mut register = 0u8;
    let mut bit = bits;
    while bit > 0 {
        bit -= 1;
        let feedback = (register >> 5 & 1) ^ (word >> bit & 1) as u8;
        register = (register << 1 & 0x3F) ^ (if feedback == 1 { 0b000011 } else { 0 });
    }
    register
}

const CRC_OF_BYTE: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = crc6_bitwise(byte as u64, 8);
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn crc_of_known_words() {
        // Worked by hand: a single 1 in bit 0 leaves the polynomial's low bits, and each place
        // higher multiplies by x modulo x⁶ + x + 1.
        assert_eq!(crc6(0), 0);
        assert_eq!(crc6(1), 0b000011);
        assert_eq!(crc6(1 << 1), 0b000110);
        assert_eq!(crc6(1 << 4), 0b110000);
        assert_eq!(crc6(1 << 5), 0b100011);
        assert_eq!(crc6(1 << 6), 0b000101);
        // x has order 63: bit 57 gives x^(57+6) = 1.
        assert_eq!(crc6(1 << 57), 0b000001);
    }

    #[test]
    fn a_train_does_not_count() {
        assert_eq!(Crc::new(true).stamp(1), 1);
        assert_eq!(Crc::new(false).stamp(1), 1 | 0b000011 << 58);
    }

    #[test]
    fn fields_fill_64_bits_without_gaps() {
        let mut next = 0;
        for field in HEADER {
            assert_eq!(field.lsb, next, "{}", field.name);
            next = field.msb + 1;
        }
        assert_eq!(next, 64);
    }

    #[test]
    fn every_single_and_double_bit_fault_is_seen() {
        let crc = Crc::new(false);
        let word = crc.stamp(0x0123_4567_89AB_CDEF);
        for first in 0..64 {
            for second in 0..64 {
                let flipped = 1 << first | 1u64 << second;
                // x has order 63, so bits 57 (x⁶³) and 58 (x⁰) hide each other: the one pair.
                let hidden = flipped == 1 << 57 | 1 << 58;
                assert_eq!(
                    crc.is_right(word ^ flipped),
                    hidden,
                    "bits {first} and {second}"
                );
            }
        }
    }

    proptest! {
        #[test]
        fn bytewise_crc_is_the_bitwise_definition(word: u64) {
            prop_assert_eq!(crc6(word), crc6_bitwise(word, CRC_LSB));
        }

        #[test]
        fn fields_survive_packing(
            destination in 0u32..1 << 20, source in 0u32..1 << 20, length in 0u32..1 << 13,
            layer in 0u32..8, multicast: bool, reserved: bool,
        ) {
            let header = Header { destination, source, length, layer, multicast, reserved };
            let crc = Crc::new(false);
            let word = crc.stamp(header.pack());
            prop_assert_eq!(Header::unpack(word), header);
            prop_assert!(crc.is_right(word));
        }
    }
}
