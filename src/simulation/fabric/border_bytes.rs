//! What crosses the borders between ranks, as bytes.
//!
//! For every part that something goes to: its number (2 bytes), how many messages (4), and each as the block's number
//! and port (4 bytes), slot (2), kind with channel (1), and for flits with data the flit (8). Packets that have arrived
//! are told to the rank of their source in 16 bytes.

use super::arrived::Arrived;
use super::wires::{Content, InputSlot, Message, Slots};
use crate::flit::Flit;

const CREDIT: u8 = 0;
const BLANK: u8 = 8;
const FLIT: u8 = 16;

/// Bytes of the number of a part and of messages.
const HEAD: usize = 6;
/// Bytes of a message without a flit's data.
const MESSAGE: usize = 7;
/// Bytes of a flit's data.
const DATA: usize = 8;

/// Appends the messages to one part.
pub fn pack(bytes: &mut Vec<u8>, part: u16, messages: &[Message], slots: Slots) {
    let length = |message: &Message| match &message.content {
        Content::Flit(flit) if !flit.is_blank() => MESSAGE + DATA,
        _ => MESSAGE,
    };
    bytes.reserve_exact(HEAD + messages.iter().map(length).sum::<usize>());
    bytes.extend(part.to_le_bytes());
    bytes.extend((messages.len() as u32).to_le_bytes());
    for Message { to, slot, content } in messages {
        bytes.extend(to.to_word(slots).to_le_bytes());
        bytes.extend((*slot as u16).to_le_bytes());
        match content {
            Content::Credit(channel) => bytes.push(CREDIT | channel),
            Content::Flit(flit) if flit.is_blank() => bytes.push(BLANK | flit.tag().channel),
            Content::Flit(flit) => {
                bytes.push(FLIT);
                bytes.extend(flit.to_bits().to_le_bytes());
            }
        }
    }
}

/// Calls `accept` for every message; `inlets` are the first ports of the blocks of a part.
pub fn unpack<'a>(
    mut bytes: &[u8],
    slots: Slots,
    inlets: impl Fn(u16) -> &'a [InputSlot],
    mut accept: impl FnMut(Message),
) {
    while !bytes.is_empty() {
        let (head, rest) = bytes.split_at(HEAD);
        bytes = rest;
        let inlets = inlets(u16::from_le_bytes([head[0], head[1]]));
        for _ in 0..u32::from_le_bytes([head[2], head[3], head[4], head[5]]) {
            let (message, rest) = bytes.split_at(MESSAGE);
            bytes = rest;
            let to = u32::from_le_bytes([message[0], message[1], message[2], message[3]]);
            let channel = message[6] & 7;
            let content = match message[6] & !7 {
                CREDIT => Content::Credit(channel),
                BLANK => Content::Flit(Flit::blank(channel.into())),
                _ => {
                    let (flit, rest) = bytes.split_at(DATA);
                    bytes = rest;
                    let flit = flit.try_into().expect("8 bytes");
                    Content::Flit(Flit::from_bits(u64::from_le_bytes(flit)))
                }
            };
            accept(Message {
                to: inlets[(to >> 8) as usize].of_port(to as u8, slots),
                slot: u16::from_le_bytes([message[4], message[5]]).into(),
                content,
            });
        }
    }
}

/// Appends a packet that has arrived.
pub fn pack_arrived(bytes: &mut Vec<u8>, arrived: &Arrived) {
    bytes.extend(arrived.cycle.to_le_bytes());
    bytes.extend(arrived.source.to_le_bytes());
    bytes.extend(arrived.destination.to_le_bytes());
}

/// The packets of [`pack_arrived`].
pub fn unpack_arrived(bytes: &[u8]) -> impl Iterator<Item = Arrived> {
    bytes.chunks_exact(16).map(|bytes| {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
        Arrived {
            cycle: u64::from(word(0)) | u64::from(word(4)) << 32,
            source: word(8),
            destination: word(12),
            number: 0,
            bad: false,
        }
    })
}
