//! What a packet says of itself: its identity in the first word of the payload, a hash of it in all others.

use mkns_design::mask;
use mkns_random::mix;

/// Who sent a packet, to whom, and its number within that flow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PacketIdentity {
    pub source: u32,
    pub destination: u32,
    pub sequence: u32,
}

impl PacketIdentity {
    /// 20 + 20 + 24 bits.
    pub fn word(self) -> u64 {
        u64::from(self.source) | u64::from(self.destination) << 20 | u64::from(self.sequence) << 40
    }

    /// Reads an identity back.
    pub fn of(word: u64) -> Self {
        Self {
            source: (word & mask(20)) as u32,
            destination: (word >> 20 & mask(20)) as u32,
            sequence: (word >> 40) as u32,
        }
    }

    /// 64-bit word `index` of the payload.
    pub fn payload(self, index: u64) -> u64 {
        match index {
            0 => self.word(),
            _ => mix(self.word() ^ index << 54),
        }
    }
}
