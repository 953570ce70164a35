//! The master of a block's AXI4-Lite port: reads of every register, writes good and refused.
//!
//! Keeps the AXI4-Lite rules: valid and payload stay until the handshake; responses may be made to
//! wait. Knows the register map of `docs/microarchitecture.md` section 4 as addresses only.

use std::collections::VecDeque;

use mkns_design::Pins;
use mkns_random::Random;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Write {
    pub address: u32,
    pub data: u32,
    pub strobe: u8,
}

impl Write {
    /// A full-word write.
    pub fn new(address: u32, data: u32) -> Self {
        Self {
            address,
            data,
            strobe: 15,
        }
    }
}

/// One finished read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadBack {
    pub address: u32,
    pub data: u32,
    pub response: u8,
}

/// The two state machines of the master.
#[derive(Debug, Default)]
pub struct ControlMaster {
    writes: VecDeque<Write>,
    reads: VecDeque<u32>,
    writing: Option<Write>,
    address_shown: bool,
    data_shown: bool,
    awaited_responses: u32,
    reading: Option<u32>,
    awaiting_data: bool,
    /// Address of the read whose data is awaited.
    awaited_address: u32,
    bready: bool,
    rready: bool,
    finished: Option<ReadBack>,
    /// Writes that the block answered with an error so far.
    pub refused_writes: u64,
}

impl ControlMaster {
    /// Queues a write.
    pub fn write(&mut self, write: Write) {
        self.writes.push_back(write);
    }

    /// Queues a read.
    pub fn read(&mut self, address: u32) {
        self.reads.push_back(address);
    }

    /// Nothing queued, nothing in progress.
    pub fn idle(&self) -> bool {
        self.writes.is_empty()
            && self.reads.is_empty()
            && self.writing.is_none()
            && self.reading.is_none()
            && self.awaited_responses == 0
            && !self.awaiting_data
    }

    /// The read that finished in the last observed cycle.
    pub fn finished_read(&mut self) -> Option<ReadBack> {
        self.finished.take()
    }

    /// The operation in progress, for reports.
    pub fn describe(&self) -> String {
        let mut text = String::new();
        if self.awaiting_data {
            text += &format!("reading {:#07x} ", self.awaited_address);
        }
        if let Some(write) = self.writing {
            text += &format!("writing {:#010x} to {:#07x}", write.data, write.address);
        }
        text.trim_end().to_owned()
    }

    /// Sets the control pins of a cycle; `delay` (per mille) is the chance that each valid or ready
    /// waits for another cycle.
    pub fn drive(&mut self, pins: &Pins, delay: u32, random: &mut Random, inputs: &mut [u64]) {
        let at = &pins.control_in;
        let mut go = || delay == 0 || !random.chance(delay);
        // The next write may be offered before the last one is answered.
        if self.writing.is_none() && (self.awaited_responses == 0 || delay > 0 && go()) {
            self.writing = self.writes.pop_front();
            (self.address_shown, self.data_shown) = (false, false);
        }
        if self.reading.is_none() && !self.awaiting_data && go() {
            self.reading = self.reads.pop_front();
        }
        let write = self.writing.unwrap_or(Write::new(0, 0));
        self.address_shown = self.writing.is_some() && (self.address_shown || go());
        self.data_shown = self.writing.is_some() && (self.data_shown || go());
        self.bready = go();
        self.rready = go();
        inputs[at.awvalid] = u64::from(self.address_shown);
        inputs[at.awaddr] = u64::from(write.address);
        inputs[at.wvalid] = u64::from(self.data_shown);
        inputs[at.wdata] = u64::from(write.data);
        inputs[at.wstrb] = u64::from(write.strobe);
        inputs[at.bready] = u64::from(self.bready);
        inputs[at.arvalid] = u64::from(self.reading.is_some());
        inputs[at.araddr] = u64::from(self.reading.unwrap_or(0));
        inputs[at.rready] = u64::from(self.rready);
    }

    /// Random addresses and data where nothing is offered, after [`ControlMaster::drive`].
    pub fn drive_noise(&self, pins: &Pins, random: &mut Random, inputs: &mut [u64]) {
        let at = &pins.control_in;
        if !self.address_shown {
            inputs[at.awaddr] = random.below(1 << 20);
        }
        if !self.data_shown {
            inputs[at.wdata] = random.below(1 << 32);
            inputs[at.wstrb] = random.below(16);
        }
        if self.reading.is_none() {
            inputs[at.araddr] = random.below(1 << 20);
        }
    }

    /// Takes the control outputs of the cycle that [`ControlMaster::drive`] set up.
    pub fn observe(&mut self, pins: &Pins, outputs: &[u64]) {
        let at = &pins.control_out;
        let both = self.address_shown && self.data_shown;
        if both && outputs[at.awready] & 1 == 1 {
            self.writing = None;
            (self.address_shown, self.data_shown) = (false, false);
            self.awaited_responses += 1;
        }
        if outputs[at.bvalid] & 1 == 1 && self.bready {
            self.awaited_responses = self.awaited_responses.saturating_sub(1);
            self.refused_writes += u64::from(outputs[at.bresp] != 0);
        }
        if outputs[at.rvalid] & 1 == 1 && self.rready {
            self.awaiting_data = false;
            let address = self.awaited_address;
            self.finished = Some(ReadBack {
                address,
                data: outputs[at.rdata] as u32,
                response: outputs[at.rresp] as u8,
            });
        }
        if let (Some(address), 1) = (self.reading, outputs[at.arready] & 1) {
            self.reading = None;
            self.awaiting_data = true;
            self.awaited_address = address;
        }
    }
}
