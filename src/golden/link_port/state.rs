//! 7: everything that a link port holds, and its reset values.

use mkns_cable::{Flit, Word};

use super::crossings::{Carrier, Crossing};
use super::parameters::LinkParameters;
use super::words::Crc;

/// Everything but the memories.
#[derive(Debug, Clone, Copy, Default)]
pub struct State {
    pub core: CoreSide,
    pub sender: Sender,
    pub session: Session,
    pub receiver: Receiver,
    pub registers: Registers,
    pub messages: Messages,
    pub ring_write_seen: Crossing<u32>,
    pub place_write_seen: Crossing<[u32; 2]>,
    pub place_read_seen: Crossing<[u32; 2], 3>,
    pub core_idle_seen: Crossing<bool>,
    pub disabled_seen: Crossing<bool>,
    pub inject_seen: Crossing<bool>,
    /// The toggle as it was seen in the cycle before.
    pub inject_before: bool,
    pub carrier: Carrier,
    pub message_sent_seen: Crossing<bool>,
    pub message_taken_seen: Crossing<bool>,
    pub message_arrived_seen: Crossing<bool>,
    pub message_released_seen: Crossing<bool>,
}

#[derive(Debug, Clone)]
pub struct LinkPort {
    pub parameters: LinkParameters,
    pub state: State,
    pub ring: Vec<Flit>,
    /// By channel.
    pub places: [Vec<Flit>; 2],
    /// The message to be sent and the one that was received.
    pub message_to_send: [u32; 8],
    pub message_received: [u32; 8],
}

impl State {
    /// After a reset, which does not touch `peer`.
    pub fn new(parameters: &LinkParameters, peer: [u16; 16]) -> Self {
        let credits = parameters.rx_buffer_flits;
        Self {
            core: CoreSide {
                granted: [credits; 2],
                total: parameters.channels as u32 * credits,
                credit: [credits; 2],
                ..CoreSide::default()
            },
            sender: Sender {
                limit: [parameters.line_flits; 2],
                ..Sender::default()
            },
            session: Session {
                session: 1,
                peer,
                ..Session::default()
            },
            registers: Registers {
                expected_peer: parameters.expected_peer & KEPT,
                ..Registers::default()
            },
            ..Self::default()
        }
    }
}

/// 7.4: the side of the block.
#[derive(Debug, Clone, Copy, Default)]
pub struct CoreSide {
    pub link_up: bool,
    pub down_cycles: u32,
    pub core_idle: bool,
    /// The last box.
    pub core_alive: bool,
    pub core_ack: u32,
    pub core_limit: [u32; 2],
    /// Mod 512.
    pub ring_write: u32,
    pub owed: [u32; 2],
    /// Mod 256.
    pub granted: [u32; 2],
    /// Mod 512.
    pub total: u32,
    pub grant_turn: usize,
    pub turn: usize,
    pub credit: [u32; 2],
    /// Mod 256.
    pub place_read: [u32; 2],
    pub fetched: Option<Flit>,
    /// Registers of the pins.
    pub tx_credit: u32,
    pub rx: Option<Flit>,
    /// LOST_FLITS
    pub lost: u16,
}

impl CoreSide {
    /// Nothing is between the places and the block.
    pub fn rests(&self) -> bool {
        self.fetched.is_none() && self.rx.is_none()
    }
}

/// 7.5
#[derive(Debug, Clone, Copy, Default)]
pub struct Sender {
    /// Mod 1024.
    pub slot: u32,
    /// Mod 512.
    pub send: u32,
    pub ack: u32,
    /// Mod 256.
    pub limit: [u32; 2],
    pub at_hand: bool,
    /// Flits in the open block, their `last` and `vc`.
    pub held: usize,
    pub ends: [(bool, usize); 8],
    /// The data words before it.
    pub data: [u64; 8],
    pub first: u32,
    pub ends_bad: bool,
    pub due: bool,
    pub channel: usize,
    pub resume: bool,
    pub served: bool,
    pub damage: bool,
    /// The words chosen in the last steps; that of three steps ago, the last, is on the pins.
    pub chosen: [Option<Word>; 3],
}

/// 7.6
#[derive(Debug, Clone, Copy, Default)]
pub struct Session {
    pub up: bool,
    pub alive: bool,
    pub session: u8,
    pub peer_session: u8,
    /// Mod 16.
    pub heard: usize,
    pub fits: bool,
    pub full: bool,
    pub accept: bool,
    pub peer: [u16; 16],
    pub reason: u32,
    /// Mod 64.
    pub time: u32,
    pub silent: u32,
    pub stuck: u32,
    pub tail: u32,
    pub asked: u32,
    pub deaths: u16,
    pub replays: u16,
    pub crc_errors: u16,
}

/// 7.7
#[derive(Debug, Clone, Copy, Default)]
pub struct Receiver {
    /// Mod 512.
    pub expected: u32,
    pub error: bool,
    pub request: bool,
    /// 9: too many.
    pub pending: usize,
    /// The first eight words of those, and the CRC over all.
    pub words: [u64; 8],
    pub crc: Option<Crc>,
    pub accepted: Accepted,
    /// Mod 256.
    pub place_write: [u32; 2],
    /// Words that came in the last three cycles; the last one is judged.
    pub came: [Option<Word>; 3],
}

/// What was accepted: a flit, or a word of a message with its number.
#[derive(Debug, Clone, Copy)]
pub enum AcceptedWord {
    Flit(Flit),
    Message(usize, u32),
}

/// `accepted`: what did not yet move, the first at place 0.
#[derive(Debug, Clone, Copy)]
pub struct Accepted {
    pub words: [AcceptedWord; 16],
    pub count: usize,
}

impl Default for Accepted {
    fn default() -> Self {
        Self {
            words: [AcceptedWord::Message(0, 0); 16],
            count: 0,
        }
    }
}

impl Accepted {
    pub fn join(&mut self, word: AcceptedWord) {
        self.words[self.count] = word;
        self.count += 1;
    }

    pub fn leave(&mut self) {
        self.words.rotate_left(1);
        self.count -= 1;
    }
}

impl Receiver {
    /// Nothing is accepted that did not move.
    pub fn rests(&self) -> bool {
        self.accepted.count == 0
    }

    /// 7.6, *Rise*.
    pub fn rise(&mut self) {
        self.expected = 0;
        self.place_write = [0; 2];
        self.error = false;
        self.request = false;
        self.accepted = Accepted::default();
    }
}

/// 7.9
#[derive(Debug, Clone, Copy, Default)]
pub struct Registers {
    pub reading: u32,
    pub index: u32,
    /// `reg_ready` and `reg_rdata`.
    pub ready: bool,
    pub rdata: u32,
    pub expected_peer: u32,
    pub disabled: bool,
    /// INJECT's toggle.
    pub inject: bool,
}

/// 7.10
#[derive(Debug, Clone, Copy, Default)]
pub struct Messages {
    pub sent: bool,
    pub released: bool,
    pub turn: bool,
    /// Number of the next word, 8 for M.
    pub message: usize,
    pub taken: bool,
    pub waits: bool,
    pub held: bool,
    pub arrived: bool,
    /// `message_word`
    pub word: u32,
}

/// Of EXPECTED_PEER: 31 check, 23:16 port, 15:0 block.
pub const KEPT: u32 = 0x80ff_ffff;
