//! The header flit: which bits hold what (`docs/microarchitecture.md`, 3.1).

use serde::Serialize;

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

/// Lowest bit of the CRC.
const CRC_LSB: u32 = 58;

/// CRC-6 of bits 57:0 of a header, bit 57 first.
fn crc6(header: u64) -> u64 {
    (0..CRC_LSB).rev().fold(0, |register, bit| {
        let feedback = (register >> 5 ^ header >> bit) & 1;
        (register << 1 & 0x3f) ^ (feedback * 0b000011)
    })
}

/// A header with the CRC that a block gives it. `train`: the destination is an address train, which
/// the CRC leaves out.
pub fn with_crc(header: u64, train: bool) -> u64 {
    let plain = header & ((1 << CRC_LSB) - 1);
    let covered = match train {
        true => plain >> HEADER[1].lsb << HEADER[1].lsb,
        false => plain,
    };
    plain | crc6(covered) << CRC_LSB
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crc_of_known_words() {
        assert_eq!(crc6(0), 0);
        assert_eq!(crc6(1), 0b000011);
        assert_eq!(crc6(1 << 1), 0b000110);
        assert_eq!(with_crc(1, true), 1);
        assert_eq!(with_crc(1, false), 1 | 0b000011 << 58);
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
}
