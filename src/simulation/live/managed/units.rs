//! The management units of a simulated network (`docs/microarchitecture.md`, 8): how long a message takes, and what it does
//! at its end.
//!
//! A message is moved as a whole, from unit to unit, when it is sent. It waits for those that were sent before it where
//! they meet at a unit; links are idle when it comes. How long it waits for its slots on the line is taken to be the mean.

use mkns_contract::address::management_word::KEY;
use mkns_contract::address::{BLOCK_NUMBER, UNNUMBERED, management};
use mkns_design::Plan;
use mkns_topology::{BlockId, End, NetworkIndex, PortIndex};

use super::link_registers;
use super::notices::Notices;
use super::timed_blocks::TimedBlocks;
use super::visits::{Visit, Visits};

/// Eight words.
pub type Words = [u32; 8];

/// Cycles from the one in which a unit finds a message (8.3): until it looks where the message goes, and until the message
/// is sent.
const READ: u64 = 11;
const PASS: u64 = READ + 10;
/// Cycles of *accessing*, and the one of them in which the register is sampled.
const ACCESS: u64 = 4;
const SAMPLED: u64 = 2;
/// More cycles for a register of a link, whose words cross clocks (7.9), and for one of the unit.
const OF_LINK: u64 = 24;
const OF_UNIT: u64 = 2;
/// Slots of the line: those that a message waits for on average, and those up to its M.
const SLOTS: u64 = 8 + 8;
/// Cycles of both link ports besides the slots and the flight (7.10): 3 until it waits, 3 until M is on the pins, 14.
const PORTS: u64 = 20;
/// Phases before a unit looks for messages: those of *clearing*.
const CLEARING: u64 = 16;

/// Bits of word 0, and statuses.
const IS_WRITE: u32 = 1;
const ANSWER: u32 = 2;
const ERROR: u32 = 3;
const SLAVE_ERROR: u32 = 2;
const WRONG_KEY: u32 = 4;
const OLD: u32 = 5;
const NO_LINK: u32 = 8;

/// The unit of a block.
#[derive(Debug, Clone, Default)]
struct Unit {
    key: u64,
    /// BLOCK_NUMBER, of the window behind the unit.
    number: u32,
    /// The last write of each requester mod 16, and its status.
    last: [Option<(u32, u32)>; 16],
    visits: Visits,
}

/// All units of a network.
#[derive(Debug)]
pub struct Units {
    units: Vec<Unit>,
    /// Places of each: links, window and notice.
    places: Vec<u64>,
    index: NetworkIndex,
    notices: Notices,
    /// Cycles from the sending of a message by a unit until the next one finds it.
    flight: u64,
}

/// An access that a message makes at its end.
struct Access {
    status: u32,
    data: u32,
    /// The cycle in which the answer leaves.
    left: u64,
}

impl Units {
    pub fn new(plan: &Plan) -> Self {
        let link = plan.spec.link.as_ref().expect("links with messages");
        let words = SLOTS + u64::from(link.flight_words);
        let places = plan.network.blocks.iter();
        let unit = Unit {
            number: UNNUMBERED,
            visits: Visits::from(CLEARING),
            ..Unit::default()
        };
        Self {
            units: vec![unit; plan.network.blocks.len()],
            places: places
                .map(|block| u64::from(block.network_ports) + 2)
                .collect(),
            index: plan.network.index(),
            notices: Notices::default(),
            flight: PORTS + (100 * words).div_ceil(link.words_per_100_cycles.into()),
        }
    }

    /// The clock begins again.
    pub fn restart(&mut self) {
        for unit in &mut self.units {
            unit.visits = Visits::default();
        }
    }

    /// A message that the window of a block sends from `cycle` on: the answer and the cycle in which it is there; none
    /// when it is dropped.
    pub fn send(
        &mut self,
        blocks: &mut impl TimedBlocks,
        own: BlockId,
        message: &Words,
        cycle: u64,
    ) -> Option<(u64, Words)> {
        let length = message[0] >> 16 & 15;
        let is_request = message[0] & 0xff == 1 && message[0] >> 8 & 15 <= IS_WRITE;
        if !is_request {
            return None;
        }
        // The ends through which it has left.
        let mut way = Vec::new();
        let (mut block, mut now) = (own, cycle);
        let mut place = self.places[own.0 as usize] - 2;
        let mut refused = None;
        for hop in 0..length {
            let found = self.find(block, place, now);
            let port = message[2 + hop as usize / 8] >> (4 * (hop % 8)) & 15;
            let end = End {
                block,
                port: PortIndex(port as u8),
            };
            let peer = self.peer_over_link(blocks, end, found + READ);
            let Some(peer) = peer else {
                // One more cycle of *leaving*.
                self.leave(block, place, found, PASS + 1);
                refused = Some((NO_LINK | hop << 4, found + PASS + 1));
                break;
            };
            self.leave(block, place, found, PASS);
            way.push(end);
            (block, place) = (peer.block, peer.port.0.into());
            now = found + PASS + self.flight;
        }
        let access = match refused {
            Some((status, left)) => Access {
                status,
                data: message[7],
                left,
            },
            None => self.carry_out(blocks, (block, place), message, now),
        };
        let there = self.go_back(blocks, &way, access.left)?;
        let mut answer = *message;
        let operation = if access.status >> 2 & 3 == 0 {
            ANSWER
        } else {
            ERROR
        };
        answer[0] = message[0] & !0xf00 | operation << 8;
        (answer[4], answer[5]) = (0, 0);
        answer[6] = message[6] & 0xf_ffff | access.status << 20;
        answer[7] = access.data;
        Some((there, answer))
    }

    /// An answer passes the same blocks; the cycle in which the window has it, none when a link is down by then.
    fn go_back(
        &mut self,
        blocks: &mut impl TimedBlocks,
        way: &[End],
        mut left: u64,
    ) -> Option<u64> {
        for &end in way.iter().rev() {
            let back = self.index.peer(end)?;
            self.peer_over_link(blocks, back, left - PASS + READ)?;
            let port = u64::from(end.port.0);
            let found = self.find(end.block, port, left + self.flight);
            self.leave(end.block, port, found, PASS);
            left = found + PASS;
        }
        Some(left + 1)
    }

    /// A notice that is sent by now and comes to the window: when, and its words.
    pub fn notice(&mut self, blocks: &mut impl TimedBlocks, now: u64) -> Option<(u64, Words)> {
        self.notices.note(blocks.take_changed());
        while let Some((block, cycle, words)) = self.notices.next(now) {
            if let Some(there) = self.tell(blocks, block, &words, cycle) {
                return Some((there, words));
            }
        }
        None
    }

    /// A notice leaves its block; the cycle in which the window has it, none when a link on its way is down.
    fn tell(
        &mut self,
        blocks: &mut impl TimedBlocks,
        mut block: BlockId,
        words: &Words,
        cycle: u64,
    ) -> Option<u64> {
        let links = words[0] >> 16 & 15;
        let mut place = self.places[block.0 as usize] - 1;
        let mut now = cycle;
        for hop in (1..=links).rev() {
            let found = self.find(block, place, now);
            let port = words[2 + hop as usize / 8] >> (4 * (hop % 8)) & 15;
            let end = End {
                block,
                port: PortIndex(port as u8),
            };
            let peer = self.peer_over_link(blocks, end, found + READ)?;
            self.leave(block, place, found, PASS);
            (block, place) = (peer.block, peer.port.0.into());
            now = found + PASS + self.flight;
        }
        let found = self.find(block, place, now);
        self.leave(block, place, found, PASS);
        Some(found + PASS + 1)
    }

    /// The cycle in which a unit finds a message that is at a place from `cycle` on: it looks at one place per cycle.
    fn find(&self, block: BlockId, place: u64, cycle: u64) -> u64 {
        let (unit, places) = (&self.units[block.0 as usize], self.places[block.0 as usize]);
        unit.visits.find(places, place, cycle, PASS)
    }

    /// A message that was found at a place leaves this many cycles later.
    fn leave(&mut self, block: BlockId, place: u64, found: u64, cycles: u64) {
        self.units[block.0 as usize].visits.add(Visit {
            place,
            found,
            left: found + cycles,
        });
    }

    fn peer_over_link(&self, blocks: &mut impl TimedBlocks, end: End, cycle: u64) -> Option<End> {
        let links = blocks.links_at(cycle, end.block);
        self.index
            .peer(end)
            .filter(|_| links >> end.port.0 & 1 == 1)
    }

    /// The unit at the end of a route, where the message is from `cycle` on.
    fn carry_out(
        &mut self,
        blocks: &mut impl TimedBlocks,
        (block, place): (BlockId, u64),
        message: &Words,
        cycle: u64,
    ) -> Access {
        let found = self.find(block, place, cycle);
        let (address, is_write) = (message[6] & 0xf_ffff, message[0] >> 8 & 15 == IS_WRITE);
        let data = message[7];
        let known = match is_write {
            true => self.known(block, message),
            false => None,
        };
        let (status, data, more) = match known {
            Some(status) => (status, data, 0),
            None => {
                let more = extra_cycles(address);
                let sampled = found + READ + SAMPLED + more;
                let (status, data) = match is_write {
                    true => {
                        let is_done = self.write(blocks, (block, address), data, sampled);
                        let status = if is_done { 0 } else { SLAVE_ERROR };
                        let number = message[1];
                        let last = &mut self.units[block.0 as usize].last;
                        last[(number >> 16 & 15) as usize] = Some((number, status));
                        (status, data)
                    }
                    false => match self.read(blocks, block, address, sampled) {
                        Some(value) => (0, value),
                        None => (SLAVE_ERROR, 0),
                    },
                };
                (status, data, ACCESS + more)
            }
        };
        self.leave(block, place, found, PASS + more);
        let left = found + PASS + more;
        Access { status, data, left }
    }

    /// The status of a write that is not carried out: it has another key, or is old or repeated.
    fn known(&self, block: BlockId, message: &Words) -> Option<u32> {
        let unit = &self.units[block.0 as usize];
        let key = u64::from(message[5]) << 32 | u64::from(message[4]);
        if key != unit.key {
            return Some(WRONG_KEY);
        }
        let number = message[1];
        let (last, status) = unit.last[(number >> 16 & 15) as usize]?;
        if last >> 16 != number >> 16 {
            return None;
        }
        match number.wrapping_sub(last) as u16 {
            0 => Some(status),
            1..0x8000 => None,
            _ => Some(OLD),
        }
    }

    /// Reads a register of a block, of its links or of its unit.
    pub fn read(
        &self,
        blocks: &mut impl TimedBlocks,
        block: BlockId,
        address: u32,
        cycle: u64,
    ) -> Option<u32> {
        if address == BLOCK_NUMBER {
            return Some(self.units[block.0 as usize].number);
        }
        match address >> 12 {
            5 => link_registers::read(&self.index, blocks, (block, address), cycle),
            7 => None,
            _ => blocks.read_at(cycle, block, address),
        }
    }

    /// Writes such a register; false when there is none, or none that is simulated.
    pub fn write(
        &mut self,
        blocks: &mut impl TimedBlocks,
        (block, address): (BlockId, u32),
        value: u32,
        cycle: u64,
    ) -> bool {
        let unit = &mut self.units[block.0 as usize];
        let key = &mut unit.key;
        match address {
            BLOCK_NUMBER => unit.number = value & 0xffff,
            _ if address == management(KEY) => *key = *key >> 32 << 32 | u64::from(value),
            _ if address == management(KEY + 1) => {
                *key = u64::from(value) << 32 | *key & 0xffff_ffff;
            }
            _ if address >> 12 == 7 => {
                let n = address >> 2 & 31;
                return self.notices.write(block, n, value);
            }
            _ if address >> 12 == 5 => return link_registers::is_written(address),
            _ => return blocks.write_at(cycle, block, address, value),
        }
        true
    }
}

/// More cycles than a register of the block takes.
fn extra_cycles(address: u32) -> u64 {
    match address >> 12 {
        5 => OF_LINK,
        7 => OF_UNIT,
        _ => 0,
    }
}
