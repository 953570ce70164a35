//! Packets of the host core bench as beats of 64 bits, with and without an Ethernet frame around them.

use mkns::contract::Crc;
use mkns::random::Random;

/// Addresses of the MAC's wrapper in `tests/data/host_cores_bench.v`.
const LOCAL: [u8; 6] = [0x02, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5];
const REMOTE: [u8; 6] = [0x02, 0xb1, 0xb2, 0xb3, 0xb4, 0xb5];
const ETHER_TYPE: [u8; 2] = [0x88, 0xb5];
/// Shortest Ethernet frame without its FCS, bytes.
const SHORTEST: usize = 60;
/// Longest payload that fits `max_packet_flits = 9`, bytes.
const LONGEST_PAYLOAD: u64 = 64;

/// One transfer of a stream.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Beat {
    pub data: u64,
    pub keep: u8,
    pub last: bool,
    pub user: bool,
}

/// What a host sends: destination and payload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packet {
    pub destination: usize,
    pub payload: Vec<u8>,
}

impl Packet {
    pub fn random(destination: usize, random: &mut Random) -> Self {
        let bytes = if random.chance(100) {
            0
        } else {
            random.between(1, LONGEST_PAYLOAD)
        };
        Self {
            destination,
            payload: (0..bytes).map(|_| random.bits() as u8).collect(),
        }
    }

    /// Header and payload as the host writes them; the bits that the block fills in are noise.
    pub fn sent(&self, random: &mut Random) -> Vec<u8> {
        let noise = random.bits() & (0x3f << 58 | 0xf_ffff << 20);
        self.bytes(self.word() | noise)
    }

    /// Header and payload as they arrive from `source`.
    pub fn received(&self, source: usize) -> Vec<u8> {
        self.bytes(Crc::new(false).stamp(self.word() | (source as u64) << 20))
    }

    fn word(&self) -> u64 {
        self.destination as u64 | (self.payload.len() as u64) << 40
    }

    fn bytes(&self, header: u64) -> Vec<u8> {
        [&header.to_le_bytes(), &self.payload[..]].concat()
    }
}

/// Source of a packet that arrived.
pub fn source(bytes: &[u8]) -> Option<usize> {
    Some((header(bytes)? >> 20 & 0xf_ffff) as usize)
}

/// Bytes of the packet that its header announces.
pub fn announced(bytes: &[u8]) -> Option<usize> {
    Some(8 + (header(bytes)? >> 40 & 0x1fff) as usize)
}

fn header(bytes: &[u8]) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(..8)?.try_into().ok()?))
}

/// Bytes as beats; the bytes of the last one that do not count are noise.
pub fn beats(bytes: &[u8], random: &mut Random) -> Vec<Beat> {
    let count = bytes.len().div_ceil(8);
    let beat = |(part, n): (&[u8], usize)| {
        let mut word = random.bits().to_le_bytes();
        word[..part.len()].copy_from_slice(part);
        Beat {
            data: u64::from_le_bytes(word),
            keep: (0xff_u16 >> (8 - part.len())) as u8,
            last: n + 1 == count,
            user: false,
        }
    };
    bytes.chunks(8).zip(0..).map(beat).collect()
}

/// The bytes of beats; an error when tkeep has a hole or a beat before the last is not full.
pub fn bytes(beats: &[Beat]) -> Result<Vec<u8>, String> {
    let mut list = Vec::new();
    for beat in beats {
        let ones = beat.keep.count_ones() as usize;
        let is_legal = u32::from(beat.keep) == (1 << ones) - 1 && ones > 0;
        if !is_legal || (ones < 8 && !beat.last) {
            return Err(format!("tkeep {:02x} in {beats:x?}", beat.keep));
        }
        list.extend(&beat.data.to_le_bytes()[..ones]);
    }
    Ok(list)
}

/// A frame to the wrapper (or to all), or one that is not for it.
pub fn frame(packet: &[u8], is_ours: bool, random: &mut Random) -> Vec<u8> {
    let to_all = random.chance(200);
    let mut destination = if to_all { [0xff; 6] } else { LOCAL };
    let mut kind = ETHER_TYPE;
    if !is_ours && random.chance(500) {
        destination = LOCAL;
        destination[random.below(6) as usize] ^= 0x10;
    } else if !is_ours {
        kind[random.below(2) as usize] ^= 1;
    }
    let mut frame = [&destination[..], &REMOTE, &kind, &[0, 0], packet].concat();
    frame.resize(frame.len().max(SHORTEST), 0);
    frame
}

/// The packet in a frame from the wrapper, with an exact look at what is around it.
pub fn unframed(frame: &[u8]) -> Result<Vec<u8>, String> {
    let front = [&REMOTE[..], &LOCAL, &ETHER_TYPE, &[0, 0]].concat();
    let packet = frame.strip_prefix(&front[..]);
    let packet = packet.ok_or_else(|| format!("the frame begins with {:x?}", &frame[..16]))?;
    let end = announced(packet).unwrap_or(0).min(packet.len());
    let (packet, padding) = packet.split_at(end);
    let shortest = SHORTEST.saturating_sub(front.len() + packet.len());
    if padding.len() != shortest || padding.iter().any(|byte| *byte != 0) {
        return Err(format!(
            "{} bytes of packet are followed by {padding:x?}",
            packet.len()
        ));
    }
    Ok(packet.to_vec())
}
