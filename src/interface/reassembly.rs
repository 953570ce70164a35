//! Datagrams put together from their segments. The packets of a sender arrive in their order, so a datagram is complete
//! or lost as soon as the next one of its sender begins.

use std::collections::HashMap;

use crate::segment::{MOST_MTU, SegmentHeader};

/// The datagram of one sender that is arriving.
#[derive(Debug, Default)]
struct Arriving {
    number: u16,
    length: u16,
    bytes: Vec<u8>,
}

/// What a segment led to.
#[derive(Debug, PartialEq, Eq)]
pub enum Assembled {
    /// More segments have to come.
    Waits,
    /// The datagram is complete.
    Whole(Vec<u8>),
    /// It is no segment, or it follows one that is missing.
    Refused,
}

/// The datagrams of all senders.
#[derive(Debug, Default)]
pub struct Reassembly {
    arriving: HashMap<u32, Arriving>,
    /// Datagrams of which segments are missing.
    pub incomplete: u64,
}

impl Reassembly {
    /// A packet arrived from a sender, which its address names.
    pub fn take(&mut self, source: u32, packet: &[u8]) -> Assembled {
        let Some((header, data)) = SegmentHeader::of(packet) else {
            return Assembled::Refused;
        };
        let end = usize::from(header.start) + data.len();
        if u32::from(header.length) > MOST_MTU
            || end > usize::from(header.length)
            || data.is_empty()
        {
            return Assembled::Refused;
        }
        let arriving = self.arriving.entry(source).or_default();
        if header.start == 0 {
            self.incomplete += u64::from(!arriving.bytes.is_empty());
            arriving.number = header.datagram;
            arriving.length = header.length;
            arriving.bytes.clear();
        }
        let follows = (arriving.number, arriving.length) == (header.datagram, header.length)
            && arriving.bytes.len() == usize::from(header.start);
        if !follows {
            self.incomplete += u64::from(!arriving.bytes.is_empty());
            arriving.bytes.clear();
            return Assembled::Refused;
        }
        arriving.bytes.extend(data);
        match end == usize::from(header.length) {
            true => Assembled::Whole(std::mem::take(&mut arriving.bytes)),
            false => Assembled::Waits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::segment::{HEADER_BYTES, segments};
    use proptest::prelude::*;

    fn datagram(length: usize, seed: u8) -> Vec<u8> {
        (0..length)
            .map(|index| (index as u8).wrapping_mul(31) ^ seed)
            .collect()
    }

    proptest! {
        #[test]
        fn every_datagram_comes_out_as_it_went_in(length in 1usize..=9000, most in 9usize..2000, number: u16) {
            let sent = datagram(length, number as u8);
            let mut reassembly = Reassembly::default();
            let mut came = Vec::new();
            for packet in segments(&sent, number, most) {
                prop_assert!(packet.len() <= most && packet.len() > HEADER_BYTES);
                came.push(reassembly.take(7, &packet));
            }
            prop_assert_eq!(came.pop(), Some(Assembled::Whole(sent)));
            prop_assert!(came.iter().all(|result| *result == Assembled::Waits));
        }

        /// Whatever is lost, cut or changed in its order: what comes out whole is what somebody sent.
        #[test]
        fn nothing_wrong_comes_out_whole(
            lengths in prop::collection::vec(1usize..1500, 1..6),
            kept in prop::collection::vec(any::<bool>(), 60),
            swapped in 0usize..20,
        ) {
            let sent: Vec<Vec<u8>> =
                lengths.iter().zip(0..).map(|(&length, seed)| datagram(length, seed)).collect();
            let numbered = (0..).zip(&sent);
            let mut packets: Vec<Vec<u8>> =
                numbered.flat_map(|(number, bytes)| segments(bytes, number, 100).collect::<Vec<_>>()).collect();
            if swapped + 1 < packets.len() {
                packets.swap(swapped, swapped + 1);
            }
            let mut reassembly = Reassembly::default();
            for (packet, kept) in packets.iter().zip(kept.iter().cycle()) {
                if !kept {
                    continue;
                }
                if let Assembled::Whole(whole) = reassembly.take(3, packet) {
                    prop_assert!(sent.contains(&whole));
                }
            }
        }
    }

    #[test]
    fn a_lost_segment_costs_its_datagram_and_no_other() {
        let sent = datagram(250, 1);
        let mut packets: Vec<Vec<u8>> = segments(&sent, 1, 108).collect();
        packets.remove(1);
        packets.extend(segments(&sent, 2, 108));
        let mut reassembly = Reassembly::default();
        let results = packets.iter().map(|packet| reassembly.take(3, packet));
        let whole = results.filter(|result| *result == Assembled::Whole(sent.clone()));
        assert_eq!((whole.count(), reassembly.incomplete), (1, 1));
    }

    #[test]
    fn senders_do_not_disturb_each_other() {
        let (first, second) = (datagram(150, 1), datagram(160, 2));
        let mut reassembly = Reassembly::default();
        let mut whole = Vec::new();
        for (a, b) in segments(&first, 9, 108).zip(segments(&second, 9, 108)) {
            whole.push(reassembly.take(1, &a));
            whole.push(reassembly.take(2, &b));
        }
        assert_eq!(
            whole[2..],
            [Assembled::Whole(first), Assembled::Whole(second)]
        );
    }

    #[test]
    fn a_wrong_length_is_refused() {
        let mut packet = segments(&datagram(50, 1), 1, 108)
            .next()
            .expect("one segment");
        packet[6] = 40;
        assert_eq!(Reassembly::default().take(1, &packet), Assembled::Refused);
        assert_eq!(
            Reassembly::default().take(1, b"no segment"),
            Assembled::Refused
        );
    }
}
