//! What the serial cables of a run went through, as the registers of their link ports say in the end.

use std::fmt;

use mkns_contract::address::link_word::{PEER_BLOCK, PEER_PORT, STATE};
use mkns_design::Plan;
use mkns_topology::{BlockId, End, PortIndex};
use serde::Serialize;

/// Words of the counters (7.9).
pub const COUNTERS: std::ops::RangeInclusive<u32> = 17..=20;

/// What a link port says of itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct LinkReading {
    pub reason: u32,
    pub is_up: bool,
    pub has_signal: bool,
    /// A whole HELLO set was heard since.
    pub peer_known: bool,
    pub peer_block: u32,
    pub peer_port: u32,
    pub crc_errors: u32,
    pub replays: u32,
    pub deaths: u32,
    pub lost_flits: u32,
}

impl LinkReading {
    /// Takes in one register.
    pub fn note(&mut self, word: u32, value: u32) {
        match word {
            PEER_BLOCK => self.peer_block = value,
            PEER_PORT => self.peer_port = value,
            STATE => {
                self.reason = value & 31;
                self.is_up = value >> 5 & 1 == 1;
                self.has_signal = value >> 6 & 1 == 1;
                self.peer_known = value >> 7 & 1 == 1;
            }
            17 => self.crc_errors = value,
            18 => self.replays = value,
            19 => self.deaths = value,
            20 => self.lost_flits = value,
            _ => {}
        }
    }

    /// STATE's reason in words.
    pub fn reason_in_words(&self) -> &'static str {
        match self.reason {
            0 => "no reason",
            2 => "no hello",
            3 => "silence",
            4 => "no progress",
            5 => "peer restarted",
            6 => "refused by the peer",
            7 => "disabled",
            9 => "other version",
            10 => "other width",
            11 => "other channels",
            12 => "other buffers",
            13 | 14 => "other network",
            15 | 16 => "wrong peer",
            _ => "unknown reason",
        }
    }
}

/// A link that is down in the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LinkDown {
    /// `block port p`.
    pub end: String,
    pub reason: &'static str,
    /// Who is there, where a signal is.
    pub joined_to: Option<String>,
    /// Who should be.
    pub planned: String,
}

/// All of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct SerialReport {
    pub cables: usize,
    pub crc_errors: u64,
    pub replays: u64,
    pub deaths: u64,
    /// Flits that link ports counted as lost.
    pub lost_flits: u64,
    /// Packets whose header was lost with a session.
    pub packets_cut: u64,
    pub down: Vec<LinkDown>,
    /// Who is at the other end of every serial port with a signal, as far as it is known.
    #[serde(skip)]
    pub seen: Vec<(End, Option<End>)>,
}

impl SerialReport {
    pub fn add(&mut self, plan: &Plan, end: End, reading: &LinkReading) {
        self.crc_errors += u64::from(reading.crc_errors);
        self.replays += u64::from(reading.replays);
        self.deaths += u64::from(reading.deaths);
        self.lost_flits += u64::from(reading.lost_flits);
        let joined = End {
            block: BlockId(reading.peer_block),
            port: PortIndex(reading.peer_port as u8),
        };
        if reading.has_signal {
            let is_known = reading.is_up || reading.peer_known;
            self.seen.push((end, is_known.then_some(joined)));
        }
        if reading.is_up {
            return;
        }
        let name = |end: End| {
            let blocks = &plan.network.blocks;
            let block = blocks.get(end.block.0 as usize);
            let block = block.map_or("a block that is not in the plan", |block| &block.name);
            format!("{block} port {}", end.port)
        };
        let planned = plan.network.index().peer(end);
        self.down.push(LinkDown {
            end: name(end),
            reason: reading.reason_in_words(),
            joined_to: reading.has_signal.then(|| name(joined)),
            planned: planned.map_or_else(String::new, name),
        });
    }
}

impl fmt::Display for SerialReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "  {} serial cables: {} errors found, {} replays, {} dead sessions, which cut {} flits and {} packets",
            self.cables,
            self.crc_errors,
            self.replays,
            self.deaths,
            self.lost_flits,
            self.packets_cut
        )?;
        for down in &self.down {
            write!(f, "  {} is down ({})", down.end, down.reason)?;
            if let Some(joined) = &down.joined_to {
                write!(f, ": joined to {joined}, plan says {}", down.planned)?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
