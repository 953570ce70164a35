//! 7.6: the state of sessions, and its reset values.

#[derive(Debug, Clone, Copy)]
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

impl Session {
    /// After a reset that does not touch `peer`.
    pub fn new(peer: [u16; 16]) -> Self {
        Self {
            up: false,
            alive: false,
            session: 1,
            peer_session: 0,
            heard: 0,
            fits: false,
            full: false,
            accept: false,
            peer,
            reason: 0,
            time: 0,
            silent: 0,
            stuck: 0,
            tail: 0,
            asked: 0,
            deaths: 0,
            replays: 0,
            crc_errors: 0,
        }
    }
}
