//! Messages as managers, strangers and worn memories make them: most make sense, some do not.

use mkns_random::Random;

/// Eight words.
pub type Message = [u32; 8];

/// Where the registers of the unit begin.
pub const OWN_REGISTERS: u32 = 0x07000;

/// Word 7 of the notices of the unit.
pub const OWN_NOTICE: u32 = 0x6e6f_7465;

/// Halves of keys, so that keys often fit.
const HALVES: [u32; 3] = [0, 7, 0xffff_0001];

/// Requesters, of which two share an entry of the last writes, and two have entries that differ in the highest bit.
const REQUESTERS: [u32; 4] = [2, 0x12, 0x305, 0x30d];

/// Makes messages.
#[derive(Debug, Clone)]
pub struct MessageSource {
    random: Random,
    /// The next number of each requester.
    sequences: [u32; 4],
    ports: u64,
}

impl MessageSource {
    pub fn new(seed: u64, ports: usize) -> Self {
        Self {
            random: Random::branch(seed, 21),
            sequences: [0xfff0, 5, 0x7ff0, 0x1234],
            ports: ports as u64,
        }
    }

    /// A half of a key.
    pub fn half(&mut self) -> u32 {
        HALVES[self.random.below(4).min(2) as usize]
    }

    /// An address of a register; half of them the unit's own.
    pub fn address(&mut self) -> u32 {
        match self.random.chance(500) {
            true => OWN_REGISTERS + 4 * self.random.below(32) as u32,
            false => self.random.below(1 << 20) as u32,
        }
    }

    pub fn message(&mut self) -> Message {
        let address = self.address();
        let mut message = [
            self.first_word(),
            self.number(),
            self.route(),
            self.route(),
            self.half(),
            self.half(),
            address,
            self.random.bits() as u32,
        ];
        // A key is made of the halves that messages carry, and does not change all the time.
        if address / 4 * 4 == OWN_REGISTERS + 4 * 17 || address / 4 * 4 == OWN_REGISTERS + 4 * 18 {
            message[7] = self.half();
        }
        if self.random.chance(30) {
            message[6] |= (self.random.bits() as u32) << 20;
        }
        message
    }

    /// A notify for NOTICE; some are something else.
    pub fn notice(&mut self) -> Message {
        let mut message = self.message();
        if self.random.chance(900) {
            message[0] = 1 | 6 << 8 | (1 + self.random.below(4) as u32) << 12;
        }
        message[7] = OWN_NOTICE;
        message
    }

    fn first_word(&mut self) -> u32 {
        let operation = [0, 1, 1, 1, 2, 3, 6][self.random.below(7) as usize];
        let hop = match self.random.chance(700) {
            true => self.random.below(4) as u32,
            false => self.random.below(16) as u32,
        };
        let length = match self.random.chance(600) {
            true => hop,
            false => self.random.below(16) as u32,
        };
        let word = 1 | operation << 8 | hop << 12 | length << 16;
        match self.random.chance(950) {
            true => word,
            false => word ^ 1 << self.random.below(32),
        }
    }

    /// New, repeated or old.
    fn number(&mut self) -> u32 {
        let which = self.random.below(4) as usize;
        let next = &mut self.sequences[which];
        let sequence = match self.random.below(10) {
            0..4 => {
                *next = next.wrapping_add(1);
                *next
            }
            4..6 => *next,
            6..9 => next.wrapping_sub(1 + self.random.below(3) as u32),
            // In one bit alone.
            _ => *next ^ 1 << self.random.below(16),
        };
        let requester = match self.random.chance(60) {
            // One that differs in a bit, and often shares the entry.
            true => REQUESTERS[which] ^ 1 << self.random.below(16),
            false => REQUESTERS[which],
        };
        requester << 16 | sequence & 0xffff
    }

    fn route(&mut self) -> u32 {
        let ports = self.ports;
        let mut entry = || match self.random.chance(900) {
            true => self.random.below(ports) as u32,
            false => self.random.below(16) as u32,
        };
        (0..8).fold(0, |route, _| route << 4 | entry())
    }
}
