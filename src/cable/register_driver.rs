//! Software at the registers of a link port: it reads everything, damages words, and now and then holds the link down.

use mkns_random::Random;

use crate::pins::RegisterAccess;

/// Who accesses the registers of one end.
#[derive(Debug, Clone)]
pub struct RegisterDriver {
    random: Random,
    /// Number of the peer, as EXPECTED_PEER has it.
    peer: u32,
    waiting: Option<RegisterAccess>,
    /// What CONTROL was set to.
    holds_down: bool,
    /// EXPECTED_PEER is not the peer's number.
    expects_another: bool,
    /// Most of what it does is to hold the link down and let it rise.
    restless: bool,
    /// No more accesses but those that let the link rise.
    leaves: bool,
}

const EXPECTED_PEER: u32 = 21;
const CHECK: u32 = 1 << 31;
const CONTROL: u32 = 22;
const INJECT: u32 = 23;

impl RegisterDriver {
    /// At an end whose peer has the number `peer`: port above 16 bits of block, as EXPECTED_PEER has them.
    pub fn new(seed: u64, peer: u32) -> Self {
        Self {
            random: Random::new(seed),
            peer,
            waiting: None,
            holds_down: false,
            expects_another: false,
            restless: false,
            leaves: false,
        }
    }

    /// Holds the link down every few hundred cycles, and lets it rise at once; so a link dies hundreds of times.
    pub fn restless(seed: u64, peer: u32) -> Self {
        Self {
            restless: true,
            ..Self::new(seed, peer)
        }
    }

    /// Ends the work; the link can rise.
    pub fn leave(&mut self) {
        self.leaves = true;
    }

    /// The access of this cycle; `done` when the one before was served in the last.
    pub fn access(&mut self, done: Option<u32>) -> Option<RegisterAccess> {
        if self.waiting.is_none() || done.is_some() {
            self.waiting = match self.leaves {
                true if self.expects_another => Some(self.expect_peer()),
                true => self.holds_down.then(|| self.hold(false)),
                false => self.random.chance(200).then(|| self.choose()),
            };
        }
        self.waiting
    }

    fn hold(&mut self, down: bool) -> RegisterAccess {
        self.holds_down = down;
        write(CONTROL, u32::from(down))
    }

    fn choose(&mut self) -> RegisterAccess {
        if self.restless && (self.holds_down || self.random.chance(12)) {
            return self.hold(!self.holds_down);
        }
        match self.random.below(100) {
            0..5 => write(INJECT, 0),
            5 if self.random.chance(500) => self.expect_peer(),
            5 => self.expect_another(),
            6 if self.holds_down || self.random.chance(50) => self.hold(!self.holds_down),
            7 => write(self.random.below(20) as u32, self.random.bits() as u32),
            _ => RegisterAccess {
                write: false,
                address: self.random.below(32) as u32,
                wdata: 0,
            },
        }
    }

    fn expect_peer(&mut self) -> RegisterAccess {
        self.expects_another = false;
        write(EXPECTED_PEER, CHECK | self.peer)
    }

    /// Wrong in a bit, or anything that is not checked.
    fn expect_another(&mut self) -> RegisterAccess {
        self.expects_another = true;
        let wrong = CHECK | self.peer ^ 1 << self.random.below(24);
        let unchecked = self.random.bits() as u32 & !CHECK;
        write(EXPECTED_PEER, *self.random.pick(&[wrong, unchecked]))
    }
}

fn write(address: u32, wdata: u32) -> RegisterAccess {
    RegisterAccess {
        write: true,
        address,
        wdata,
    }
}
