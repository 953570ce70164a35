//! Section 4, the control port: an AXI4-Lite slave.

use mkns_design::Pins;

use crate::counters::{Counter, CounterMap};

/// Answers of the port.
const OKAY: u32 = 0;
const SLAVE_ERROR: u32 = 2;

/// Cycles from the sampling of a counter to arready.
const COUNTER_WAY: u32 = 4;

/// Cycles from the sampling of a mask to arready.
const MASK_WAY: u32 = 1;

/// The `s_axil_*` inputs of a cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ControlPins {
    pub awaddr: u32,
    pub awvalid: bool,
    pub wdata: u32,
    pub wstrb: u32,
    pub wvalid: bool,
    pub bready: bool,
    pub araddr: u32,
    pub arvalid: bool,
    pub rready: bool,
}

impl ControlPins {
    /// What is on the pins.
    pub fn on(pins: &Pins, words: &[u64]) -> Self {
        let at = &pins.control_in;
        let bit = |word: usize| words[word] & 1 == 1;
        Self {
            awaddr: words[at.awaddr] as u32,
            awvalid: bit(at.awvalid),
            wdata: words[at.wdata] as u32,
            wstrb: words[at.wstrb] as u32,
            wvalid: bit(at.wvalid),
            bready: bit(at.bready),
            araddr: words[at.araddr] as u32,
            arvalid: bit(at.arvalid),
            rready: bit(at.rready),
        }
    }

    /// Puts them on the pins.
    pub fn put(&self, pins: &Pins, words: &mut [u64]) {
        let at = &pins.control_in;
        words[at.awaddr] = self.awaddr.into();
        words[at.awvalid] = self.awvalid.into();
        words[at.wdata] = self.wdata.into();
        words[at.wstrb] = self.wstrb.into();
        words[at.wvalid] = self.wvalid.into();
        words[at.bready] = self.bready.into();
        words[at.araddr] = self.araddr.into();
        words[at.arvalid] = self.arvalid.into();
        words[at.rready] = self.rready.into();
    }
}

/// The rdata and rresp of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadAnswer {
    pub data: u32,
    pub response: u32,
}

impl ReadAnswer {
    /// Of a register that may be read, or none.
    pub fn new(value: Option<u32>) -> Self {
        Self {
            data: value.unwrap_or(0),
            response: if value.is_some() { OKAY } else { SLAVE_ERROR },
        }
    }
}

/// What is sampled in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sample {
    Register(u32),
    Counter(Counter),
    /// The mask at araddr.
    Mask,
}

/// A counter or a mask on its way to rdata.
#[derive(Debug, Clone, Copy)]
struct OnItsWay {
    value: u32,
    /// Cycles until rvalid.
    left: u32,
}

/// The state of the port, whose registers are the outputs.
#[derive(Debug, Clone)]
pub struct ControlPort {
    counters: CounterMap,
    /// `COUNTERS`: without them they read 0, like any other register.
    has_counters: bool,

    pub write_ready: bool,
    /// bresp while bvalid.
    pub write_answer: Option<u32>,
    pub arready: bool,
    /// While rvalid.
    pub read_answer: Option<ReadAnswer>,
    turn: u32,
    on_its_way: Option<OnItsWay>,
}

impl ControlPort {
    /// In reset.
    pub fn new(counters: CounterMap, has_counters: bool) -> Self {
        Self {
            counters,
            has_counters,
            write_ready: false,
            write_answer: None,
            arready: false,
            read_answer: None,
            turn: 0,
            on_its_way: None,
        }
    }

    /// A cycle with `rst`.
    pub fn reset(&mut self) {
        *self = Self::new(self.counters, self.has_counters);
    }

    /// Puts the registers on the AXI4-Lite outputs.
    pub fn show(&self, pins: &Pins, words: &mut [u64]) {
        let at = &pins.control_out;
        words[at.awready] = self.write_ready.into();
        words[at.wready] = self.write_ready.into();
        words[at.bvalid] = self.write_answer.is_some().into();
        words[at.bresp] = self.write_answer.unwrap_or(0).into();
        words[at.arready] = self.arready.into();
        if let Some(answer) = self.read_answer {
            words[at.rvalid] = 1;
            words[at.rdata] = answer.data.into();
            words[at.rresp] = answer.response.into();
        }
    }

    /// Address and data of a write that is carried out at the end of the cycle: its handshake.
    pub fn write(&self, pins: &ControlPins) -> Option<(u32, u32)> {
        (self.write_ready && pins.wstrb == 15).then_some((pins.awaddr, pins.wdata))
    }

    /// What is read in this cycle: a register in that of arready, a counter in its turn, a mask
    /// (`is_mask`: araddr is the address of one) when no write is carried out.
    pub fn sample(&self, pins: &ControlPins, is_mask: bool) -> Option<Sample> {
        if is_mask {
            let begins = self.begins_read(pins) && !self.write_ready;
            return begins.then_some(Sample::Mask);
        }
        let counter = self.counter_at(pins.araddr);
        match counter {
            Some(counter) => {
                let in_turn = self.turn == self.counters.turn(counter);
                (self.begins_read(pins) && in_turn).then_some(Sample::Counter(counter))
            }
            None => self.arready.then_some(Sample::Register(pins.araddr)),
        }
    }

    /// The counter at an address whose turn has to be waited for.
    fn counter_at(&self, address: u32) -> Option<Counter> {
        self.counters.at(address).filter(|_| self.has_counters)
    }

    /// A read is asked for and has not begun.
    fn begins_read(&self, pins: &ControlPins) -> bool {
        let idle = !self.arready && self.read_answer.is_none() && self.on_its_way.is_none();
        pins.arvalid && idle
    }

    /// The edge of a cycle: `sampled` is the value of what [`Self::sample`] names, `writable` says
    /// whether the address of [`Self::write`] is.
    pub fn clock(
        &mut self,
        pins: &ControlPins,
        is_mask: bool,
        sampled: Option<ReadAnswer>,
        writable: bool,
    ) {
        let mut next = self.clone();
        self.clock_write(pins, writable, &mut next);
        self.clock_read(pins, is_mask, sampled, &mut next);
        next.turn = (self.turn + 1) % self.counters.turns();
        *self = next;
    }

    fn clock_write(&self, pins: &ControlPins, writable: bool, next: &mut Self) {
        if self.write_answer.is_some() && pins.bready {
            next.write_answer = None;
        }
        if self.write_ready {
            next.write_ready = false;
            next.write_answer = Some(if writable { OKAY } else { SLAVE_ERROR });
        } else if pins.awvalid && pins.wvalid && self.write_answer.is_none() {
            next.write_ready = true;
        }
    }

    fn clock_read(
        &self,
        pins: &ControlPins,
        is_mask: bool,
        sampled: Option<ReadAnswer>,
        next: &mut Self,
    ) {
        if self.read_answer.is_some() && pins.rready {
            next.read_answer = None;
        }
        next.arready = false;
        if let Some(counter) = self.on_its_way {
            let left = counter.left - 1;
            next.arready = left == 1;
            next.on_its_way = (left > 0).then_some(OnItsWay { left, ..counter });
            if left == 0 {
                next.read_answer = Some(ReadAnswer::new(Some(counter.value)));
            }
        } else if self.arready {
            next.read_answer = sampled;
        } else if self.begins_read(pins) {
            let on_its_way = |left: u32| {
                let answer = |answer: ReadAnswer| OnItsWay {
                    value: answer.data,
                    left,
                };
                sampled.map(answer)
            };
            if is_mask {
                next.on_its_way = on_its_way(MASK_WAY);
                next.arready = next.on_its_way.is_some();
            } else if self.counter_at(pins.araddr).is_some() {
                next.on_its_way = on_its_way(COUNTER_WAY);
            } else {
                next.arready = true;
            }
        }
    }
}
