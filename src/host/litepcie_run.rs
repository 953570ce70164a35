//! Packets in runs, as a card with LitePCIe sends and expects them (`run_to_packets.v`, `packets_to_run.v`;
//! `docs/microarchitecture.md`, 9): a word that begins the run, packets that are padded to whole words, each with a mark in its
//! header, and words of 0 between them.

use crate::wire::{self, HEADER_BYTES};
use crate::{PortError, ReceivedPacket};

/// Bytes of a word.
const WORD: usize = HEADER_BYTES;
/// Bits 63:32 of the word that begins a run.
const BEGIN: u32 = 0x524e_4b4d;
/// Bits 63:58 of a header.
const MARK: u64 = 0x2b;
const MARK_AT: u32 = 58;
/// Where a header would be, this ends the run.
const END: u64 = u64::MAX;

/// The buffers of a run to the card: its number, then packets as [`wire::append`] puts them.
pub fn to_card(number: u32, packets: &[u8], buffer_bytes: usize) -> Result<Vec<u8>, PortError> {
    let begin = u64::from(BEGIN) << 32 | u64::from(number);
    let mut run = begin.to_le_bytes().to_vec();
    let mut rest = packets;
    while !rest.is_empty() {
        let (header, payload, after) = wire::split(rest)?;
        let word = header.pack() & !(0x3f << MARK_AT) | MARK << MARK_AT;
        run.extend(word.to_le_bytes());
        run.extend(payload);
        run.resize(run.len().next_multiple_of(WORD), 0);
        rest = after;
    }
    run.extend(END.to_le_bytes());
    run.resize(run.len().next_multiple_of(buffer_bytes), 0);
    Ok(run)
}

/// What a run from the card has held so far.
#[derive(Debug, Default)]
pub struct RunFromCard {
    /// Packets that the card had sent before the run.
    sent_before: Option<u32>,
    /// Packets of this run.
    packets: u32,
    /// Words that do not make a packet yet.
    rest: Vec<u8>,
}

impl RunFromCard {
    /// Takes buffers of the run and gives its packets to `packet`.
    ///
    /// # Errors
    /// When the words are not a run.
    pub fn take(
        &mut self,
        buffers: &[u8],
        mut packet: impl FnMut(ReceivedPacket),
    ) -> Result<(), PortError> {
        self.rest.extend(buffers);
        let mut at = 0;
        while let Some(word) = self.rest[at..].first_chunk::<WORD>() {
            let word = u64::from_le_bytes(*word);
            if self.sent_before.is_none() {
                if word >> 32 != u64::from(BEGIN) {
                    let fact = format!("a run from the card begins with {word:#018x}");
                    return Err(PortError::Damaged(fact));
                }
                self.sent_before = Some(word as u32);
                at += WORD;
            } else if word == 0 {
                at += WORD;
            } else if word >> MARK_AT == MARK {
                let Ok((received, after)) = wire::split_received(&self.rest[at..]) else {
                    break;
                };
                let length = (self.rest.len() - at - after.len()).next_multiple_of(WORD);
                if length > self.rest.len() - at {
                    break;
                }
                packet(received);
                self.packets = self.packets.wrapping_add(1);
                at += length;
            } else {
                let fact = format!("{word:#018x} is no header");
                return Err(PortError::Damaged(fact));
            }
        }
        self.rest.drain(..at);
        Ok(())
    }

    /// Packets that the card had sent before this run, once its first word has come.
    pub fn sent_before(&self) -> Option<u32> {
        self.sent_before
    }

    /// Packets that the card has sent by the end of this run, when all have been seen; none before its first word.
    pub fn sent(&self) -> Option<u32> {
        Some(self.sent_before?.wrapping_add(self.packets))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the card would send, of packets from addresses.
    fn run(sent_before: u32, packets: &[(u32, &[u8])]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (destination, payload) in packets {
            wire::append(&mut bytes, *destination, 0, payload).expect("a packet");
        }
        let mut run = to_card(sent_before, &bytes, WORD).expect("a run");
        run.truncate(run.len() - WORD);
        run
    }

    fn all(from_card: &mut RunFromCard, bytes: &[u8]) -> Result<Vec<Vec<u8>>, String> {
        let mut payloads = Vec::new();
        let taken = from_card.take(bytes, |packet| payloads.push(packet.payload));
        taken.map_err(|error| error.to_string())?;
        Ok(payloads)
    }

    #[test]
    fn packets_survive_every_split_into_buffers() {
        let packets: &[(u32, &[u8])] = &[(1, b""), (2, b"123456789"), (3, &[0; 16]), (4, b"end")];
        let mut bytes = run(7, packets);
        // filler between packets
        bytes.splice(16..16, [0; 24]);
        bytes.extend([0; 40]);
        for size in [8, 16, 24, 64, 1024] {
            let mut from_card = RunFromCard::default();
            let payloads = bytes
                .chunks(size)
                .flat_map(|buffer| all(&mut from_card, buffer).expect("a run"));
            let payloads: Vec<_> = payloads.collect();
            let wanted: Vec<_> = packets
                .iter()
                .map(|(_, payload)| payload.to_vec())
                .collect();
            assert_eq!(payloads, wanted);
            assert_eq!(
                (from_card.sent_before(), from_card.sent()),
                (Some(7), Some(11))
            );
        }
    }

    #[test]
    fn what_is_no_run_is_refused() {
        let error = all(&mut RunFromCard::default(), &[0; 16]).expect_err("no begin");
        assert!(error.contains("begins with 0x0000000000000000"), "{error}");
        let mut bytes = run(0, &[(1, b"12345678")]);
        bytes[15] ^= 0x80;
        let error = all(&mut RunFromCard::default(), &bytes).expect_err("no mark");
        assert!(error.contains("is no header"), "{error}");
    }

    #[test]
    fn a_run_to_the_card_fills_whole_buffers() {
        let mut packets = Vec::new();
        wire::append(&mut packets, 5, 1, &[9; 9]).expect("a packet");
        let run = to_card(3, &packets, 64).expect("a run");
        let word = |at: usize| {
            let word = run[8 * at..].first_chunk().expect("a word");
            u64::from_le_bytes(*word)
        };
        assert_eq!(run.len(), 64);
        assert_eq!(word(0), 0x524e_4b4d_0000_0003);
        assert_eq!(word(1) >> 58, 0x2b);
        assert_eq!((word(2), word(3)), (0x0909_0909_0909_0909, 9));
        assert_eq!((word(4), word(5)), (END, 0));
    }
}
