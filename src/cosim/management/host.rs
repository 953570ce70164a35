//! Who has the AXI4-Lite pins of a board: a host that sends through the window, takes what came, and reads and writes
//! other registers between.

use mkns_contract::address::management_word::{KEY, MANAGEMENT};
use mkns_golden::ControlPins;
use mkns_golden::management_unit::ControlAnswers;
use mkns_random::Random;

use super::messages::{Message, MessageSource, OWN_REGISTERS};

/// A master whose outputs are registers.
#[derive(Debug, Clone)]
pub struct Host {
    random: Random,
    messages: MessageSource,
    /// What it writes into the window, and the number of the next word; then the same of the notice.
    writing: (Message, usize),
    noting: (Message, usize),
    /// An answer is waited for.
    awaits_write: bool,
    awaits_read: bool,
    /// Chance of a cycle in which something begins, of 1000.
    rate: u32,
    pub pins: ControlPins,
}

impl Host {
    pub fn new(seed: u64, mut messages: MessageSource, rate: u32) -> Self {
        Self {
            random: Random::branch(seed, 23),
            writing: (messages.message(), 0),
            noting: (messages.notice(), 0),
            messages,
            awaits_write: false,
            awaits_read: false,
            rate,
            pins: ControlPins::default(),
        }
    }

    pub fn reset(&mut self) {
        (self.awaits_write, self.awaits_read) = (false, false);
        self.pins = ControlPins::default();
    }

    /// The edge of a cycle in which the unit showed this.
    pub fn clock(&mut self, shown: &ControlAnswers) {
        self.write(shown);
        self.read(shown);
    }

    fn write(&mut self, shown: &ControlAnswers) {
        let pins = &mut self.pins;
        if pins.awvalid && pins.wvalid && shown.awready {
            (pins.awvalid, pins.wvalid) = (false, false);
            self.awaits_write = true;
        } else if shown.bvalid && pins.bready {
            self.awaits_write = false;
        } else if pins.awvalid || pins.wvalid {
            // One of the two may come later.
            if self.random.chance(400) {
                (pins.awvalid, pins.wvalid) = (true, true);
            }
        } else if !self.awaits_write && self.random.chance(self.rate) {
            let (awaddr, wdata) = self.written();
            let first = self.random.below(4);
            self.pins = ControlPins {
                awaddr,
                wdata,
                wstrb: 15,
                awvalid: first != 0,
                wvalid: first != 1,
                ..self.pins
            };
        }
        self.pins.bready = self.random.chance(600);
    }

    /// The next word of a message, what sends it or takes one, a half of the key, or something else.
    fn written(&mut self) -> (u32, u32) {
        let own = |n: u32| OWN_REGISTERS + 4 * n;
        match self.random.below(40) {
            0 => (own(KEY + self.random.below(2) as u32), self.messages.half()),
            1..4 => (own(MANAGEMENT), self.random.bits() as u32),
            4..8 => (self.messages.address() & !1, self.messages.half()),
            8..16 => self.noted(),
            _ if self.writing.1 == 8 => {
                self.writing = (self.messages.message(), 0);
                (own(MANAGEMENT), 1 | self.random.below(4) as u32)
            }
            _ => {
                let (message, next) = &mut self.writing;
                *next += 1;
                (own(*next as u32 - 1), message[*next - 1])
            }
        }
    }

    /// The next word of a notice, or what arms it.
    fn noted(&mut self) -> (u32, u32) {
        let own = |n: usize| OWN_REGISTERS + 4 * n as u32;
        let (message, next) = &mut self.noting;
        *next += 1;
        match *next {
            9 => {
                self.noting = (self.messages.notice(), 0);
                (own(16), 0xc)
            }
            next => (own(23 + next), message[next - 1]),
        }
    }

    fn read(&mut self, shown: &ControlAnswers) {
        let pins = &mut self.pins;
        if pins.arvalid && shown.arready {
            pins.arvalid = false;
            self.awaits_read = true;
        } else if shown.rvalid && pins.rready {
            self.awaits_read = false;
        } else if !pins.arvalid && !self.awaits_read && self.random.chance(self.rate) {
            pins.arvalid = true;
            pins.araddr = match self.random.chance(700) {
                true => OWN_REGISTERS + 4 * (8 + self.random.below(12) as u32),
                false => self.messages.address(),
            };
        }
        self.pins.rready = self.random.chance(600);
    }
}
