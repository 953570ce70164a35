//! The AXI4-Lite handshakes of the control port (section 4 of `docs/microarchitecture.md`).
//!
//! Knows when a register is read or written, not what it holds.

use mkns_design::Pins;

const OKAY: u8 = 0;
const SLAVE_ERROR: u8 = 2;
/// Cycles from the turn of a counter that is read to arready.
const COUNTER_LATENCY: u8 = 4;

/// A write that is carried out at the end of this cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Write {
    pub address: u32,
    pub data: u32,
    /// All four byte strobes are 1.
    pub whole_word: bool,
}

/// What a read that is asked for in this cycle comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// A register: it is sampled in the next cycle.
    Register,
    /// A counter whose turn has yet to come.
    CounterLater,
    /// A counter that is sampled in this cycle.
    CounterNow(u32),
    /// A mask, which is sampled in this cycle.
    MaskNow(u32),
    /// A mask, while a write is carried out.
    MaskLater,
}

/// Handshake state; starts in reset.
#[derive(Debug, Clone, Default)]
pub struct ControlPort {
    write_ready: bool,
    /// bresp while bvalid = 1.
    write_response: Option<u8>,
    read_ready: bool,
    /// A counter or a mask that has been sampled, and the cycles until its arready.
    counter: Option<(u32, u8)>,
    /// rdata and rresp while rvalid = 1.
    read_response: Option<(u32, u8)>,
}

impl ControlPort {
    /// Whether a cycle with these inputs changes nothing.
    pub fn is_at_rest(&self, pins: &Pins, inputs: &[u64]) -> bool {
        !self.write_ready
            && self.write_response.is_none()
            && !self.read_ready
            && self.counter.is_none()
            && self.read_response.is_none()
            && inputs[pins.control_in.awvalid] & inputs[pins.control_in.wvalid] & 1 == 0
            && inputs[pins.control_in.arvalid] & 1 == 0
    }

    /// Outputs of this cycle; the words are 0 before.
    pub fn write_outputs(&self, pins: &Pins, outputs: &mut [u64]) {
        outputs[pins.control_out.awready] = u64::from(self.write_ready);
        outputs[pins.control_out.wready] = u64::from(self.write_ready);
        if let Some(response) = self.write_response {
            outputs[pins.control_out.bvalid] = 1;
            outputs[pins.control_out.bresp] = u64::from(response);
        }
        outputs[pins.control_out.arready] = u64::from(self.read_ready);
        if let Some((data, response)) = self.read_response {
            outputs[pins.control_out.rvalid] = 1;
            outputs[pins.control_out.rdata] = u64::from(data);
            outputs[pins.control_out.rresp] = u64::from(response);
        }
    }

    /// Address of the read that is asked for in this cycle.
    pub fn asked_address(&self, pins: &Pins, inputs: &[u64]) -> Option<u32> {
        let free = !self.read_ready && self.read_response.is_none();
        (free && inputs[pins.control_in.arvalid] & 1 == 1)
            .then_some((inputs[pins.control_in.araddr] & 0xF_FFFF) as u32)
    }

    /// Whether this is the handshake of a write.
    pub fn is_writing(&self) -> bool {
        self.write_ready
    }

    /// Address of the register that is sampled in this cycle.
    pub fn read_address(&self, pins: &Pins, inputs: &[u64]) -> Option<u32> {
        self.read_ready
            .then_some((inputs[pins.control_in.araddr] & 0xF_FFFF) as u32)
    }

    /// The write that happens in this cycle.
    pub fn write(&self, pins: &Pins, inputs: &[u64]) -> Option<Write> {
        self.write_ready.then(|| Write {
            address: (inputs[pins.control_in.awaddr] & 0xF_FFFF) as u32,
            data: inputs[pins.control_in.wdata] as u32,
            whole_word: inputs[pins.control_in.wstrb] & 15 == 15,
        })
    }

    /// The clock edge. `asked` is what [`Self::asked_address`] leads to, `sampled` what the register at [`Self::read_address`] held (none: not
    /// readable), `written` whether [`Self::write`] could be carried out.
    pub fn step(
        &mut self,
        pins: &Pins,
        inputs: &[u64],
        asked: Option<Asked>,
        sampled: Option<u32>,
        written: bool,
    ) {
        let set = |word: usize| inputs[word] & 1 == 1;
        if self.write_ready {
            self.write_ready = false;
            self.write_response = Some(if written { OKAY } else { SLAVE_ERROR });
        } else if self.write_response.is_some() {
            if set(pins.control_in.bready) {
                self.write_response = None;
            }
        } else {
            self.write_ready = set(pins.control_in.awvalid) && set(pins.control_in.wvalid);
        }
        if self.read_ready {
            self.read_ready = false;
            let counter = self.counter.take().map(|(value, _)| value);
            let sampled = counter.or(sampled);
            self.read_response = Some(sampled.map_or((0, SLAVE_ERROR), |data| (data, OKAY)));
        } else if self.read_response.is_some() {
            if set(pins.control_in.rready) {
                self.read_response = None;
            }
        } else if let Some((_, cycles)) = &mut self.counter {
            *cycles -= 1;
            self.read_ready = *cycles == 0;
        } else {
            match asked {
                Some(Asked::Register) => self.read_ready = true,
                Some(Asked::CounterNow(value)) => {
                    self.counter = Some((value, COUNTER_LATENCY - 1));
                }
                Some(Asked::MaskNow(value)) => {
                    (self.counter, self.read_ready) = (Some((value, 0)), true);
                }
                Some(Asked::CounterLater | Asked::MaskLater) | None => {}
            }
        }
    }
}
