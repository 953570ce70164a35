//! The cores' transmit side in the host core bench: when each core takes a beat, as the named cores
//! stall, and what it makes of the beats.

use mkns::fpga::HostCore;
use mkns::random::Random;

use super::packet::{Beat, announced, bytes, unframed};

/// Cycles of an Aurora core between two pauses for the gearbox, and for clock compensation (PG074).
const GEARBOX: u64 = 32;
const COMPENSATION: u64 = 2_500;
/// Idle cycles of a MAC between two frames: preamble, FCS and gap.
const BETWEEN_FRAMES: u64 = 2;
/// One in so many ready cycles begins a stall of so many cycles, beyond the block's time-out.
const SELDOM: u64 = 30_000;
const VERY_LATE: u64 = 2_000;

/// How the host behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Takes everything at once.
    Eager,
    /// Stalls as the core does.
    LikeTheCore,
    /// Takes nothing, for ever.
    Frozen,
}

/// What a core got.
#[derive(Debug, PartialEq, Eq)]
pub enum Arrival {
    Packet(Vec<u8>),
    /// Marked as bad (MAC), or not as long as its header says.
    Broken,
}

/// A core that takes packets.
pub struct Receiver {
    core: HostCore,
    random: Random,
    pub manner: Manner,
    ready: bool,
    cycle: u64,
    stall: u64,
    beats: Vec<Beat>,
}

impl Receiver {
    pub fn new(core: HostCore, port: usize, seed: u64) -> Self {
        Self {
            core,
            random: Random::branch(seed, 16 + port as u64),
            manner: Manner::LikeTheCore,
            ready: false,
            cycle: 0,
            stall: 0,
            beats: Vec::new(),
        }
    }

    /// At the clock edge: the beat on the pins, if any.
    pub fn edge(&mut self, beat: Option<Beat>) -> Result<Option<Arrival>, String> {
        self.cycle += 1;
        let Some(beat) = beat.filter(|_| self.ready) else {
            // A MAC that is ready and gets nothing in the middle of a frame has underrun.
            let starves = self.core == HostCore::EthMac10g && self.ready && !self.beats.is_empty();
            return if starves {
                Err("the MAC underruns".to_owned())
            } else {
                Ok(None)
            };
        };
        if self.core == HostCore::LitePcie && beat.user != self.beats.is_empty() {
            return Err("the first-beat mark is wrong".to_owned());
        }
        self.beats.push(beat);
        if !beat.last {
            return Ok(None);
        }
        if self.core == HostCore::EthMac10g {
            self.stall = BETWEEN_FRAMES;
        }
        let beats = std::mem::take(&mut self.beats);
        self.arrival(&beats).map(Some)
    }

    fn arrival(&self, beats: &[Beat]) -> Result<Arrival, String> {
        let mut bytes = bytes(beats)?;
        match self.core {
            HostCore::EthMac10g if beats.iter().any(|beat| beat.user) => {
                return Ok(Arrival::Broken);
            }
            HostCore::EthMac10g => bytes = unframed(&bytes)?,
            HostCore::LitePcie => {
                // Whole words: the length says what counts.
                let end = announced(&bytes).unwrap_or(0);
                if bytes.len() == end.next_multiple_of(8) {
                    bytes.truncate(end);
                }
            }
            HostCore::Xdma | HostCore::Aurora64b66b => {}
        }
        Ok(match announced(&bytes) {
            Some(end) if end == bytes.len() => Arrival::Packet(bytes),
            _ if self.core == HostCore::EthMac10g => {
                return Err("a damaged packet without its mark".to_owned());
            }
            _ => Arrival::Broken,
        })
    }

    /// Whether the core is ready in the next cycle.
    pub fn ready(&mut self, channel_up: bool) -> bool {
        if self.core == HostCore::Aurora64b66b && !channel_up {
            self.beats.clear();
        }
        if self.manner == Manner::Eager {
            self.stall = self.stall.min(BETWEEN_FRAMES);
        }
        let is_stalled = self.stall > 0;
        self.stall = self.stall.saturating_sub(1);
        self.ready = match self.manner {
            Manner::Eager => !is_stalled,
            Manner::Frozen => false,
            Manner::LikeTheCore => !is_stalled && self.core_is_ready(),
        };
        self.ready && (self.core != HostCore::Aurora64b66b || channel_up)
    }

    fn core_is_ready(&mut self) -> bool {
        match self.core {
            // Ready while descriptors are posted; software is late now and then, seldom very late.
            HostCore::Xdma | HostCore::LitePcie => {
                if self.random.below(SELDOM) == 0 {
                    self.stall = VERY_LATE;
                } else if self.random.below(200) == 0 {
                    self.stall = self.random.below(150);
                }
                self.stall == 0
            }
            HostCore::Aurora64b66b => {
                self.cycle % GEARBOX != GEARBOX - 1 && self.cycle % COMPENSATION >= 8
            }
            // Pause frames of the far end hold a MAC back for long.
            HostCore::EthMac10g => {
                if self.random.below(SELDOM) == 0 {
                    self.stall = VERY_LATE;
                }
                self.stall == 0 && !self.random.chance(30)
            }
        }
    }
}
