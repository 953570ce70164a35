//! A datagram in segments, one per packet of the network. Every segment says what it is a part of, in eight bytes:
//!
//! | byte | what |
//! |---|---|
//! | 0 | 0x49 |
//! | 1 | 0 |
//! | 2, 3 | number of the datagram, counted by its sender modulo 65,536 |
//! | 4, 5 | where the segment starts in the datagram |
//! | 6, 7 | length of the datagram |
//!
//! Numbers have their lowest byte first. The length of the segment follows from that of its packet.

/// Bytes in front of a segment.
pub const HEADER_BYTES: usize = 8;
/// Bytes of the longest datagram.
pub const MOST_MTU: u32 = 9_000;
/// The shortest that IPv6 allows.
pub const LEAST_MTU: u32 = 1_280;
/// What a segment begins with.
const KIND: u8 = 0x49;

/// What a segment says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SegmentHeader {
    pub datagram: u16,
    pub start: u16,
    pub length: u16,
}

impl SegmentHeader {
    fn bytes(self) -> [u8; HEADER_BYTES] {
        let [a, b] = self.datagram.to_le_bytes();
        let [c, d] = self.start.to_le_bytes();
        let [e, f] = self.length.to_le_bytes();
        [KIND, 0, a, b, c, d, e, f]
    }

    /// A segment's header and its data; none where it is no segment.
    pub fn of(packet: &[u8]) -> Option<(Self, &[u8])> {
        let (header, data) = packet.split_first_chunk::<HEADER_BYTES>()?;
        let [KIND, 0, a, b, c, d, e, f] = *header else {
            return None;
        };
        let header = Self {
            datagram: u16::from_le_bytes([a, b]),
            start: u16::from_le_bytes([c, d]),
            length: u16::from_le_bytes([e, f]),
        };
        Some((header, data))
    }
}

/// The packets of a datagram with this number; each holds up to `most` bytes, with the header.
pub fn segments(datagram: &[u8], number: u16, most: usize) -> impl Iterator<Item = Vec<u8>> + '_ {
    let step = most - HEADER_BYTES;
    let length = datagram.len() as u16;
    datagram.chunks(step).enumerate().map(move |(index, data)| {
        let header = SegmentHeader {
            datagram: number,
            start: (index * step) as u16,
            length,
        };
        let mut packet = Vec::with_capacity(HEADER_BYTES + data.len());
        packet.extend(header.bytes());
        packet.extend(data);
        packet
    })
}
