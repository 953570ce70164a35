//! The pins of a management unit (section 8).

use mkns_cable::{MessageInputs, MessageOutputs, RegisterAccess};
use mkns_design::Pins;

use crate::control_port::ControlPins;

/// What a slave answers on its AXI4-Lite outputs in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ControlAnswers {
    pub awready: bool,
    pub wready: bool,
    pub bvalid: bool,
    pub bresp: u32,
    pub arready: bool,
    pub rvalid: bool,
    pub rdata: u32,
    pub rresp: u32,
}

impl ControlAnswers {
    /// What is on the pins.
    pub fn on(pins: &Pins, words: &[u64]) -> Self {
        let at = &pins.control_out;
        let bit = |word: usize| words[word] & 1 == 1;
        Self {
            awready: bit(at.awready),
            wready: bit(at.wready),
            bvalid: bit(at.bvalid),
            bresp: words[at.bresp] as u32,
            arready: bit(at.arready),
            rvalid: bit(at.rvalid),
            rdata: words[at.rdata] as u32,
            rresp: words[at.rresp] as u32,
        }
    }

    /// Puts them on the pins.
    pub fn put(&self, pins: &Pins, words: &mut [u64]) {
        let at = &pins.control_out;
        words[at.awready] = self.awready.into();
        words[at.wready] = self.wready.into();
        words[at.bvalid] = self.bvalid.into();
        words[at.bresp] = self.bresp.into();
        words[at.arready] = self.arready.into();
        words[at.rvalid] = self.rvalid.into();
        words[at.rdata] = self.rdata.into();
        words[at.rresp] = self.rresp.into();
    }
}

/// What comes to the pins in a cycle.
#[derive(Debug, Clone, Default)]
pub struct UnitInputs {
    pub rst: bool,
    /// `s_axil_*`
    pub master: ControlPins,
    /// `window_*`
    pub window: ControlAnswers,
    pub register: Option<RegisterAccess>,
    /// Bit p.
    pub link_up: u32,
    /// Of every network port.
    pub messages: Vec<MessageOutputs>,
}

/// What the pins show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnitOutputs {
    /// `s_axil_*`
    pub master: ControlAnswers,
    /// `window_*`
    pub window: ControlPins,
    /// What was read, or 0 when a write is done.
    pub register: Option<u32>,
    /// Of every network port.
    pub messages: Vec<MessageInputs>,
}
