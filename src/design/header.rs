//! The header flit: which bits hold what (`docs/microarchitecture.md`, 3.1; contract 1.3).

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
    field("layer", 55, 53, "routing layer"),
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

#[cfg(test)]
mod tests {
    use super::*;

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
