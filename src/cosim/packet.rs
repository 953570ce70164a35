//! Packets as the harness makes them: host packets good and bad. Knows nothing of ports and timing.

use mkns_routing::AddressLayout;

use mkns_contract::{Crc, Data, Header, StreamBeat, mask};
use mkns_random::Random;

/// A header word with the CRC of a destination that is no address train.
pub fn header(destination: u32, source: u32, length: u32, layer: u32) -> u64 {
    let header = Header {
        destination,
        source,
        length,
        layer,
        ..Header::default()
    };
    Crc::new(false).stamp(header.pack())
}

/// A header word that may travel in another way (bits 57:56).
pub fn with_travel(header: u64, travel: u64) -> u64 {
    Crc::new(false).stamp(header & !(3 << 56) | travel << 56)
}

/// A random address with every field in range.
pub fn random_address(layout: &AddressLayout, random: &mut Random) -> u32 {
    layout.fields.iter().fold(0, |address, field| {
        address | (random.below(u64::from(field.size)) as u32) << field.offset
    })
}

/// What is wrong with a host packet on purpose (section 3.1; the block counts the first fault).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PacketFault {
    HeaderKeepHole,
    HeaderKeepShort,
    PayloadKeepHole,
    PayloadKeepShort,
    LastKeepEmpty,
    LastKeepFewer,
    LastKeepMore,
    Reserved,
    Layer,
    FieldOutOfRange,
    OutsideFields,
    OverLength,
    TooShort,
    TooLong,
    Aborted,
    UserInTheMiddle,
    Noise,
}

/// Every fault, for picking one at random.
pub const FAULTS: [PacketFault; 17] = [
    PacketFault::HeaderKeepHole,
    PacketFault::HeaderKeepShort,
    PacketFault::PayloadKeepHole,
    PacketFault::PayloadKeepShort,
    PacketFault::LastKeepEmpty,
    PacketFault::LastKeepFewer,
    PacketFault::LastKeepMore,
    PacketFault::Reserved,
    PacketFault::Layer,
    PacketFault::FieldOutOfRange,
    PacketFault::OutsideFields,
    PacketFault::OverLength,
    PacketFault::TooShort,
    PacketFault::TooLong,
    PacketFault::Aborted,
    PacketFault::UserInTheMiddle,
    PacketFault::Noise,
];

/// Share of unordered packets among those of the hosts of adaptive blocks, per mille.
const UNORDERED: u32 = 750;

/// Limits that a host packet has to keep.
#[derive(Debug, Clone)]
pub struct HostRules {
    pub layout: AddressLayout,
    pub beat_bytes: u32,
    pub flit_bytes: u32,
    pub max_packet_flits: u32,
    pub layers: u32,
    /// Of adaptive blocks: hosts may send unordered packets.
    pub adaptive: bool,
}

impl HostRules {
    /// The longest payload whose packet is legal, bytes.
    pub fn longest_payload(&self) -> u32 {
        ((self.max_packet_flits - 1) * self.flit_bytes).min(0x1fff)
    }

    /// A good packet to `destination` with random contents; the host's own source and CRC bits are
    /// random too, because the block overwrites them.
    pub fn good(
        &self,
        destination: u32,
        layer: u32,
        length: u32,
        random: &mut Random,
    ) -> Vec<StreamBeat> {
        let payload = length.div_ceil(self.beat_bytes);
        let mut beats = vec![self.beat(random, payload == 0)];
        let unordered = self.adaptive && random.chance(UNORDERED);
        let word = header(destination, 0, length, layer) | u64::from(unordered) << 56;
        *beats[0].data.low_mut() = word & !(mask(6) << 58 | mask(20) << 20)
            | random.bits() & (mask(6) << 58 | mask(20) << 20);
        if payload == 0 && random.chance(300) {
            let spare = random.below(u64::from(self.beat_bytes) - 7) as usize;
            beats[0].keep = mask(self.beat_bytes as usize - spare);
        }
        for index in 1..=payload {
            let mut beat = self.beat(random, index == payload);
            if beat.last {
                beat.keep = mask((length - (payload - 1) * self.beat_bytes) as usize);
            }
            beats.push(beat);
        }
        beats
    }

    /// Damages a good packet.
    pub fn damage(&self, beats: &mut Vec<StreamBeat>, fault: PacketFault, random: &mut Random) {
        let full = mask(self.beat_bytes as usize);
        let hole = full & !(1 << random.below(u64::from(self.beat_bytes) - 1));
        let end = beats.len() - 1;
        let middle = random.below(beats.len() as u64) as usize;
        match fault {
            PacketFault::HeaderKeepHole => beats[0].keep = hole,
            PacketFault::HeaderKeepShort => beats[0].keep = full >> random.between(1, 4),
            PacketFault::PayloadKeepHole => beats[middle].keep = hole,
            PacketFault::PayloadKeepShort => beats[middle].keep >>= 1,
            PacketFault::LastKeepEmpty => beats[end].keep = 0,
            PacketFault::LastKeepFewer => beats[end].keep >>= random.between(1, 3),
            PacketFault::LastKeepMore => beats[end].keep = (beats[end].keep << 1 | 1) & full,
            PacketFault::Reserved => {
                let least = if self.adaptive { 57 } else { 56 };
                *beats[0].data.low_mut() |= 1 << random.between(least, 57);
            }
            PacketFault::Layer if self.layers < 8 => {
                *beats[0].data.low_mut() &= !(7 << 53);
                *beats[0].data.low_mut() |= random.between(u64::from(self.layers), 7) << 53;
            }
            PacketFault::Layer => {}
            PacketFault::FieldOutOfRange | PacketFault::OutsideFields => {
                self.damage_destination(&mut beats[0], fault, random);
            }
            PacketFault::OverLength => self.over_length(beats, random),
            PacketFault::TooShort => {
                beats.truncate(random.between(1, beats.len() as u64) as usize);
                let end = beats.len() - 1;
                beats[end].last = true;
            }
            PacketFault::TooLong => {
                beats[end].last = false;
                beats[end].keep = full;
                for extra in (0..random.between(1, 3)).rev() {
                    let beat = self.beat(random, extra == 0);
                    beats.push(beat);
                }
            }
            PacketFault::Aborted => beats[end].user = true,
            PacketFault::UserInTheMiddle => beats[middle].user = true,
            PacketFault::Noise => self.noise(beats, random),
        }
    }

    fn damage_destination(&self, beat: &mut StreamBeat, fault: PacketFault, random: &mut Random) {
        let used: u64 = self.layout.fields.iter().fold(0, |used, field| {
            used | mask(field.bits as usize) << field.offset
        });
        if fault == PacketFault::OutsideFields {
            *beat.data.low_mut() |= random.bits() & !used & mask(20);
            return;
        }
        let field = random.pick(&self.layout.fields);
        let spare = (1u64 << field.bits) - u64::from(field.size);
        if spare > 0 {
            let value = u64::from(field.size) + random.below(spare);
            *beat.data.low_mut() &= !(mask(field.bits as usize) << field.offset);
            *beat.data.low_mut() |= value << field.offset;
        }
    }

    fn over_length(&self, beats: &mut [StreamBeat], random: &mut Random) {
        let least = self.longest_payload() + 1;
        let length = u64::from(least) + random.below(u64::from(4 * self.beat_bytes));
        *beats[0].data.low_mut() &= !(0x1fff << 40);
        *beats[0].data.low_mut() |= length.min(0x1fff) << 40;
        let end = beats.len() - 1;
        if end > 0 && random.chance(500) {
            beats[end].keep = mask(self.beat_bytes as usize);
        }
    }

    fn noise(&self, beats: &mut [StreamBeat], random: &mut Random) {
        let end = beats.len() - 1;
        for (index, beat) in beats.iter_mut().enumerate() {
            if random.chance(400) {
                beat.keep = random.bits() & mask(self.beat_bytes as usize);
            }
            beat.last = index == end || random.chance(150);
            beat.user = random.chance(100);
        }
        if random.chance(300) {
            *beats[0].data.low_mut() = random.bits();
        }
    }

    fn beat(&self, random: &mut Random, last: bool) -> StreamBeat {
        StreamBeat {
            data: Data::from_fn((self.beat_bytes / 8) as usize, |_| random.bits()),
            keep: mask(self.beat_bytes as usize),
            last,
            user: false,
        }
    }
}
