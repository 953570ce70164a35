//! A machine for tests: blocks that are registers, cables as they are plugged, and a management unit in every block
//! (`docs/microarchitecture.md`, 8), seen through the control port of one board.

use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;

use mkns_contract::address::link_word::{CONTROL, EXPECTED_PEER};
use mkns_contract::{address, register_map};
use mkns_design::Plan;
use mkns_topology::{BlockId, End, PortIndex};

use super::message::Words;
use crate::Registers;

const OWN: u32 = 0;
const MANAGEMENT: u32 = 0x7000;
const SENDING_WORDS: std::ops::Range<u32> = 0..8;

/// What goes wrong between a manager's software and its window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Planted {
    Nothing,
    /// Every repetition has a number of its own.
    FreshNumbers,
    /// Keys are left out.
    NoKey,
    /// The answer to the message before comes instead of the answer, whatever was asked.
    StaleAnswers,
}

pub struct Machine {
    pub words: BTreeMap<(u32, u32), u32>,
    /// How often each register was written.
    pub written: BTreeMap<(u32, u32), u32>,
    pub cables: BTreeMap<End, End>,
    pub down: BTreeSet<End>,
    /// Ends of links that have a signal and refuse each other.
    pub fallen: BTreeSet<End>,
    /// Ends of links that are up and lose every message.
    pub deaf: BTreeSet<End>,
    pub keys: Vec<u64>,
    last: BTreeMap<(u32, u32), (u32, u32)>,
    sent: Words,
    received: Vec<Words>,
    before: Words,
    ports: Vec<u8>,
    /// Messages lost, of 100, on the way there and again on the way back.
    pub loss: u32,
    state: u32,
    pub planted: Planted,
    repetitions: u32,
    own_armed: bool,
    /// What the links of each block announced when they rose.
    pub announced: Vec<u32>,
    /// Ends at which messages left blocks.
    pub passed: BTreeSet<End>,
    /// Blocks whose LINK_UP was read.
    pub looked_at: BTreeSet<u32>,
}

impl Machine {
    pub fn of(plan: &Plan) -> Self {
        let mut words = BTreeMap::new();
        for instance in &plan.instances {
            let module = &plan.modules[instance.module];
            for register in register_map(module).registers {
                if ["ID", "VERSION", "BLOCK", "SIZES"].contains(&register.name) {
                    words.insert((instance.block.0, register.address), register.reset());
                }
            }
            words.insert((instance.block.0, address::VERSION), 0x101);
            words.insert((instance.block.0, address::BLOCK_NUMBER), instance.block.0);
            for (from, row) in (0..).zip(module.turns.rows()) {
                words.insert((instance.block.0, address::turns(from)), *row);
            }
        }
        let ends = plan.network.cables.iter();
        let ends = ends.flat_map(|cable| [(cable.a, cable.b), (cable.b, cable.a)]);
        Self {
            words,
            written: BTreeMap::new(),
            cables: ends.collect(),
            down: BTreeSet::new(),
            fallen: BTreeSet::new(),
            deaf: BTreeSet::new(),
            keys: vec![0; plan.instances.len()],
            last: BTreeMap::new(),
            sent: [0; 8],
            received: Vec::new(),
            before: [0; 8],
            ports: plan
                .network
                .blocks
                .iter()
                .map(|block| block.network_ports)
                .collect(),
            loss: 0,
            state: 1,
            planted: Planted::Nothing,
            repetitions: 0,
            own_armed: false,
            announced: plan.network.block_ids().map(|id| id.0).collect(),
            passed: BTreeSet::new(),
            looked_at: BTreeSet::new(),
        }
    }

    /// No block has a number.
    pub fn without_numbers(plan: &Plan) -> Self {
        let mut machine = Self::of(plan);
        let numbers = machine.words.iter_mut();
        let numbers = numbers.filter(|((_, at), _)| *at == address::BLOCK_NUMBER);
        numbers.for_each(|(_, number)| *number = address::UNNUMBERED);
        machine.announced.fill(address::UNNUMBERED);
        machine
    }

    /// A board is reset: it is empty, without number and key, and its links fall. They rise when both ends accept each other.
    pub fn reset(&mut self, block: u32) {
        self.announced[block as usize] = address::UNNUMBERED;
        self.keys[block as usize] = 0;
        self.last.retain(|(of, _), _| *of != block);
        self.words
            .retain(|(of, at), _| *of != block || *at < 0x40 || at >> 11 == 3);
        self.words
            .insert((block, address::BLOCK_NUMBER), address::UNNUMBERED);
        let ends = self.cables.iter();
        let ends = ends.filter(|(end, _)| end.block.0 == block);
        let ends: Vec<End> = ends.flat_map(|(end, peer)| [*end, *peer]).collect();
        self.fallen.extend(ends);
    }

    /// EXPECTED_PEER of an end fits what its peer announces.
    fn accepts(&self, end: End) -> bool {
        let peer = self.cables[&end];
        let at = address::link(end.port.0.into(), EXPECTED_PEER);
        let expected = self.words.get(&(end.block.0, at)).copied().unwrap_or(0);
        expected >> 31 == 0 || expected & 0xffff == self.announced[peer.block.0 as usize]
    }

    /// All links rise again, and announce what their blocks are now.
    pub fn restart_links(&mut self) {
        for (id, announced) in (0..).zip(&mut self.announced) {
            *announced = self.words[&(id, address::BLOCK_NUMBER)];
        }
    }

    /// The cable at an end works no more.
    pub fn cut(&mut self, end: End) {
        self.down.extend([end, self.cables[&end]]);
    }

    /// The notice of a block leaves, if it is armed; whether it comes to the window.
    pub fn tell(&mut self, block: BlockId) -> bool {
        let word = |n: u32| self.words.get(&(block.0, MANAGEMENT + 4 * n)).copied();
        let notice: Words = std::array::from_fn(|n| word(24 + n as u32).unwrap_or(0));
        let is_armed = match block.0 {
            OWN => self.own_armed,
            _ => word(16).is_some_and(|word| word & 8 != 0),
        };
        let Some(end) = self.end_of_notice(block, &notice).filter(|_| is_armed) else {
            return false;
        };
        if end == BlockId(OWN) {
            self.received.push(notice);
        }
        end == BlockId(OWN)
    }

    /// Where a notice ends.
    fn end_of_notice(&self, mut block: BlockId, notice: &Words) -> Option<BlockId> {
        assert_eq!(notice[0] & 0xfff, 0x601, "a notify of version 1");
        for hop in (1..notice[0] >> 12 & 15).rev() {
            let port = notice[2 + hop as usize / 8] >> (4 * (hop % 8)) & 15;
            let end = End {
                block,
                port: PortIndex(port as u8),
            };
            block = self.is_up(end).then(|| self.cables[&end].block)?;
        }
        Some(block)
    }

    fn is_lost(&mut self) -> bool {
        self.state = self.state.wrapping_mul(1_103_515_245).wrapping_add(12_345);
        (self.state >> 16) % 100 < self.loss
    }

    fn is_up(&self, end: End) -> bool {
        self.cables.contains_key(&end) && !self.down.contains(&end) && !self.fallen.contains(&end)
    }

    fn get(&self, block: u32, at: u32) -> Option<u32> {
        let end = |port| End {
            block: BlockId(block),
            port: PortIndex(port),
        };
        if at == address::LINK_UP {
            let ports = (0..self.ports[block as usize]).filter(|port| self.is_up(end(*port)));
            return Some(ports.fold(0, |word, port| word | 1 << port));
        }
        if at >> 12 == 5 {
            let own = end((at >> 7 & 31) as u8);
            let peer = self.cables.get(&own).filter(|_| !self.down.contains(&own));
            return match (at >> 2 & 31, peer) {
                (7, Some(peer)) => Some(self.announced[peer.block.0 as usize]),
                (8, Some(peer)) => Some(peer.port.0.into()),
                (16, Some(_)) => Some(if self.is_up(own) { 0xe0 } else { 0xc0 }),
                (7 | 8 | 16, None) => Some(0),
                _ => self.words.get(&(block, at)).copied(),
            };
        }
        self.words.get(&(block, at)).copied()
    }

    fn put(&mut self, block: u32, at: u32, value: u32) {
        match at - at.min(MANAGEMENT) {
            0x44 => {
                self.keys[block as usize] = self.keys[block as usize] >> 32 << 32 | u64::from(value)
            }
            0x48 => {
                let low = self.keys[block as usize] as u32;
                self.keys[block as usize] = u64::from(value) << 32 | u64::from(low);
            }
            _ => {
                self.words.insert((block, at), value);
                match at {
                    address::BLOCK_NUMBER => self.announce(block, value),
                    _ => self.judge(block, at),
                }
            }
        }
        *self.written.entry((block, at)).or_default() += 1;
    }

    /// Links that are down announce a new number at once, and rise where both ends accept each other.
    fn announce(&mut self, block: u32, number: u32) {
        let fallen = self.fallen.iter().filter(|end| end.block.0 == block);
        let fallen: Vec<End> = fallen.copied().collect();
        if !fallen.is_empty() {
            self.announced[block as usize] = number;
        }
        for end in fallen {
            self.judge(block, address::link(end.port.0.into(), CONTROL));
        }
    }

    /// A link that is down and is no longer disabled rises, if both ends accept each other.
    fn judge(&mut self, block: u32, at: u32) {
        let port = PortIndex((at >> 7 & 31) as u8);
        let block = BlockId(block);
        let end = End { block, port };
        if at >> 12 == 5 && at >> 2 & 31 == CONTROL && self.fallen.contains(&end) {
            let peer = self.cables[&end];
            if self.accepts(end) && self.accepts(peer) {
                self.fallen.remove(&end);
                self.fallen.remove(&peer);
            }
        }
    }

    /// The unit at the end of a route.
    fn carry_out(&mut self, block: u32, message: &Words) -> (u32, u32, u32) {
        let (at, number) = (message[6] & 0xf_ffff, message[1]);
        if message[0] >> 8 & 3 == 0 {
            if at == address::LINK_UP {
                self.looked_at.insert(block);
            }
            return match self.get(block, at) {
                Some(value) => (2, 0, value),
                None => (2, 2, 0),
            };
        }
        let key = u64::from(message[5]) << 32 | u64::from(message[4]);
        if key != self.keys[block as usize] {
            return (3, 4, message[7]);
        }
        let place = (block, number >> 16 & 15);
        if let Some((last, status)) = self.last.get(&place)
            && last >> 16 == number >> 16
        {
            if *last == number {
                return (2, *status, message[7]);
            }
            if (number.wrapping_sub(*last) & 0xffff) >= 0x8000 {
                return (3, 5, message[7]);
            }
        }
        self.put(block, at, message[7]);
        self.last.insert(place, (number, 0));
        (2, 0, message[7])
    }

    /// Messages that the window has received, or that wait for it.
    pub fn waiting(&self) -> usize {
        self.received.len()
    }

    fn send(&mut self) {
        let mut message = self.sent;
        if self.planted == Planted::FreshNumbers && message[0] >> 8 & 3 == 1 {
            self.repetitions += 1;
            message[1] = message[1] & 0xffff_0000 | self.repetitions;
        }
        if self.planted == Planted::NoKey && message[6] & 0xff000 != MANAGEMENT {
            (message[4], message[5]) = (0, 0);
        }
        if self.is_lost() {
            return;
        }
        let mut block = OWN;
        let mut failure = None;
        for hop in 0..message[0] >> 16 & 15 {
            let port = message[2 + hop as usize / 8] >> (4 * (hop % 8)) & 15;
            let end = End {
                block: BlockId(block),
                port: PortIndex(port as u8),
            };
            if !self.is_up(end) {
                failure = Some((3, 8 | hop << 4, message[7]));
                break;
            }
            if self.deaf.contains(&end) {
                return;
            }
            self.passed.insert(end);
            block = self.cables[&end].block.0;
        }
        let (operation, status, data) = failure.unwrap_or_else(|| self.carry_out(block, &message));
        if self.is_lost() {
            return;
        }
        let mut answer = self.sent;
        answer[0] = answer[0] & !0xf00 | operation << 8;
        (answer[4], answer[5]) = (0, 0);
        answer[6] = message[6] & 0xf_ffff | status << 20;
        answer[7] = data;
        if self.planted == Planted::StaleAnswers {
            self.received
                .push(std::mem::replace(&mut self.before, answer));
        }
        self.received.push(answer);
    }
}

impl Registers for Machine {
    type Error = Infallible;

    fn read(&mut self, board: BlockId, at: u32) -> Result<Option<u32>, Infallible> {
        assert_eq!(board.0, OWN, "only one board has pins");
        Ok(match at.checked_sub(MANAGEMENT).map(|offset| offset / 4) {
            Some(16) => Some(u32::from(!self.received.is_empty()) << 1),
            Some(word @ 8..16) => Some(self.received[0][word as usize - 8]),
            _ => self.get(OWN, at),
        })
    }

    fn write(&mut self, board: BlockId, at: u32, value: u32) -> Result<bool, Infallible> {
        assert_eq!(board.0, OWN, "only one board has pins");
        match at.checked_sub(MANAGEMENT).map(|offset| offset / 4) {
            Some(word) if SENDING_WORDS.contains(&word) => self.sent[word as usize] = value,
            Some(16) => {
                if value & 2 != 0 && !self.received.is_empty() {
                    self.received.remove(0);
                }
                if value & 4 != 0 {
                    self.own_armed = value & 8 != 0;
                }
                if value & 1 != 0 {
                    self.send();
                }
            }
            _ => self.put(OWN, at, value),
        }
        Ok(true)
    }
}
