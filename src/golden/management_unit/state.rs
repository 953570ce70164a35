//! 8.2: the state of the unit.

use super::notice::Notice;

/// Words of a message.
pub const WORDS: usize = 8;

/// Cycles from the one in which a word is asked for to the one in which it is *word*.
pub(super) const WORD_AFTER: usize = 2;

/// `at` in the last cycle of *reading* and *sending*.
pub(super) const LAST_AT: usize = WORDS - 1 + WORD_AFTER;

/// Places of `last`.
pub const REQUESTERS: usize = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Clearing,
    Looking,
    Reading,
    Accessing,
    Leaving,
    Sending,
}

/// 8.1
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Read,
    Write,
    Answer,
    Error,
}

impl Operation {
    /// Of bits 9:8 of word 0.
    pub(super) fn of(bits: u32) -> Self {
        match bits & 3 {
            0 => Self::Read,
            1 => Self::Write,
            2 => Self::Answer,
            _ => Self::Error,
        }
    }

    /// Whether a message is on its way to where it is carried out.
    pub(super) fn is_request(self) -> bool {
        matches!(self, Self::Read | Self::Write)
    }
}

/// What is kept of the message at `place`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kept {
    pub version_good: bool,
    pub operation: Operation,
    pub hop: u32,
    pub length: u32,
    pub number: u32,
    pub port: usize,
    pub key_good: bool,
    pub address: u32,
}

/// The registers that a reset changes.
#[derive(Debug, Clone, Copy)]
pub(super) struct State {
    pub phase: Phase,
    pub at: usize,
    pub place: usize,
    pub kept: Kept,
    pub back: bool,
    pub records: bool,
    pub status: u32,
    pub owner: bool,
    pub asking: bool,
    /// The control port is given back.
    pub finished: bool,
    pub pin_writes: bool,
    pub pin_reads: bool,
    pub key: [u32; 2],
    pub sending: bool,
    pub received: bool,
    pub dropped: u8,
    pub notice: Notice,
    /// `reg_rdata` while `reg_ready` is 1.
    pub register: Option<u32>,
}

impl State {
    pub(super) fn new() -> Self {
        Self {
            phase: Phase::Clearing,
            at: 0,
            place: 0,
            kept: Kept {
                version_good: false,
                operation: Operation::Read,
                hop: 0,
                length: 0,
                number: 0,
                port: 0,
                key_good: false,
                address: 0,
            },
            back: false,
            records: false,
            status: 0,
            owner: false,
            asking: false,
            finished: false,
            pin_writes: false,
            pin_reads: false,
            key: [0; 2],
            sending: false,
            received: false,
            dropped: 0,
            notice: Notice::default(),
            register: None,
        }
    }
}

/// A write that was carried out.
#[derive(Debug, Clone, Copy)]
pub(super) struct LastWrite {
    pub number: u32,
    pub response: u32,
}

/// The unit of a block.
#[derive(Debug, Clone)]
pub struct ManagementUnit {
    /// P.
    pub(super) ports: usize,
    /// Bit p for a link at port p.
    pub(super) links: u32,
    pub(super) state: State,
    pub(super) last: [Option<LastWrite>; REQUESTERS],
    pub(super) send: [u32; WORDS],
    /// NOTICE.
    pub(super) told: [u32; WORDS],
    pub(super) received: [u32; WORDS],
    /// The word of SEND or NOTICE that was asked for in the cycle before, otherwise 0.
    pub(super) word_of_window: u32,
    /// *Word*.
    pub(super) word: u32,
}
