//! 8.1: the fields of a message's words.

/// Bits 7:0 of word 0 of a message that the unit knows.
const VERSION: u32 = 1;

const NOTIFY: u32 = 6;

/// Whether the version of word 0 is known, and its operation.
pub(super) fn version_good(word: u32) -> bool {
    let operation = word >> 8 & 15;
    word & 0xff == VERSION && (operation < 4 || operation == NOTIFY)
}

pub(super) fn hop(word: u32) -> u32 {
    word >> 12 & 15
}

pub(super) fn length(word: u32) -> u32 {
    word >> 16 & 15
}

pub(super) fn with_operation(word: u32, operation: u32) -> u32 {
    word & !(15 << 8) | operation << 8
}

pub(super) fn with_hop(word: u32, hop: u32) -> u32 {
    word & !(15 << 12) | (hop & 15) << 12
}

/// The word that holds an entry of the route.
pub(super) fn word_of_entry(entry: u32) -> usize {
    2 + entry as usize / 8
}

pub(super) fn entry(word: u32, entry: u32) -> usize {
    (word >> (4 * (entry % 8)) & 15) as usize
}

pub(super) fn with_entry(word: u32, entry: u32, place: usize) -> u32 {
    let low = 4 * (entry % 8);
    word & !(15 << low) | (place as u32 & 15) << low
}

pub(super) fn address(word: u32) -> u32 {
    word & 0xf_ffff
}

pub(super) fn with_status(word: u32, status: u32) -> u32 {
    address(word) | status << 20
}

pub(super) fn requester(number: u32) -> u32 {
    number >> 16
}

pub(super) fn sequence(number: u32) -> u16 {
    number as u16
}
