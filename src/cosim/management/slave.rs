//! The control port behind a unit: it takes as long as it likes, and leads to the registers of the unit itself.

use mkns_cable::RegisterAccess;
use mkns_golden::ControlPins;
use mkns_golden::management_unit::{ControlAnswers, has_register};
use mkns_random::Random;

use super::messages::OWN_REGISTERS;

/// Where an access of one kind is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    Rests,
    /// Cycles until the handshake.
    Waits(u64),
    /// The unit's register is asked.
    Asks,
    Handshake,
    Answers,
}

/// An AXI4-Lite slave whose outputs are registers.
#[derive(Debug, Clone)]
pub struct Slave {
    random: Random,
    write: Step,
    read: Step,
    /// Accesses that were answered.
    pub served: u64,
    pub shown: ControlAnswers,
    /// The register pins of the unit.
    pub register: Option<RegisterAccess>,
}

impl Slave {
    pub fn new(seed: u64) -> Self {
        Self {
            random: Random::branch(seed, 22),
            write: Step::Rests,
            read: Step::Rests,
            served: 0,
            shown: ControlAnswers::default(),
            register: None,
        }
    }

    pub fn reset(&mut self) {
        (self.write, self.read) = (Step::Rests, Step::Rests);
        self.shown = ControlAnswers::default();
        self.register = None;
    }

    /// The edge of a cycle in which the unit showed these pins, and this at its registers.
    pub fn clock(&mut self, pins: &ControlPins, ready: Option<u32>) {
        self.write = match self.write {
            Step::Rests if pins.awvalid && pins.wvalid => self.begins(),
            Step::Waits(0) => self.accepts(true, pins.awaddr, pins.wdata),
            Step::Waits(left) => Step::Waits(left - 1),
            Step::Asks if ready.is_some() => {
                self.shown.bresp = 0;
                Step::Handshake
            }
            Step::Handshake => Step::Answers,
            Step::Answers if pins.bready => Step::Rests,
            step => step,
        };
        self.read = match self.read {
            Step::Rests if pins.arvalid => self.begins(),
            Step::Waits(0) => self.accepts(false, pins.araddr, 0),
            Step::Waits(left) => Step::Waits(left - 1),
            Step::Asks if ready.is_some() && self.write != Step::Asks => {
                self.shown.rdata = ready.unwrap_or(0);
                self.shown.rresp = 0;
                Step::Handshake
            }
            Step::Handshake => Step::Answers,
            Step::Answers if pins.rready => Step::Rests,
            step => step,
        };
        if ready.is_some() {
            self.register = None;
        }
        self.show();
    }

    fn begins(&mut self) -> Step {
        Step::Waits(self.random.below(5))
    }

    /// The handshake comes; an access of the unit's registers first has to be done, one after the other.
    fn accepts(&mut self, write: bool, address: u32, wdata: u32) -> Step {
        if self.register.is_some() {
            return Step::Waits(0);
        }
        let n = address >> 2 & 31;
        let is_own = address >> 7 == OWN_REGISTERS >> 7 && address & 3 == 0;
        let fails = match is_own {
            true => !has_register(write, n),
            false => self.random.chance(250),
        };
        let response = if fails { 2 } else { 0 };
        match write {
            true => self.shown.bresp = response,
            false => {
                let data = self.random.bits() as u32;
                (self.shown.rresp, self.shown.rdata) = (response, if fails { 0 } else { data });
            }
        }
        if !is_own || fails {
            return Step::Handshake;
        }
        self.register = Some(RegisterAccess {
            write,
            address: n,
            wdata,
        });
        Step::Asks
    }

    fn show(&mut self) {
        let shown = &mut self.shown;
        shown.awready = self.write == Step::Handshake;
        shown.wready = shown.awready;
        shown.bvalid = self.write == Step::Answers;
        shown.arready = self.read == Step::Handshake;
        shown.rvalid = self.read == Step::Answers;
        self.served += u64::from(shown.awready) + u64::from(shown.arready);
    }
}
