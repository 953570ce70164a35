//! 3.1: header words as hosts write and read them.

use crate::header;

/// The fields of a header; those that a host leaves to the block are 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Header {
    pub destination: u32,
    pub source: u32,
    /// Bytes of payload.
    pub length: u32,
    pub layer: u32,
    /// Bits 56 and 57.
    pub multicast: bool,
    pub reserved: bool,
}

impl Header {
    /// The word without its CRC, which the block fills in.
    pub fn pack_without_crc(&self) -> u64 {
        let word = header::with_source(self.destination.into(), self.source);
        let word = header::with_layer(header::with_length(word, self.length), self.layer);
        word | u64::from(self.multicast) << 56 | u64::from(self.reserved) << 57
    }

    pub fn pack(&self) -> u64 {
        header::with_crc(self.pack_without_crc(), false)
    }

    pub fn unpack(word: u64) -> Self {
        Self {
            destination: header::destination(word),
            source: (word >> 20 & 0xf_ffff) as u32,
            length: header::length(word),
            layer: header::layer(word),
            multicast: word >> 56 & 1 == 1,
            reserved: word >> 57 & 1 == 1,
        }
    }
}

/// The header of a packet to this address, from nowhere.
pub fn header(destination: u32) -> u64 {
    packet(destination, 0)
}

/// A header whose source tells packets apart.
pub fn packet(destination: u32, source: u32) -> u64 {
    let header = Header {
        destination,
        source,
        ..Header::default()
    };
    header.pack()
}
