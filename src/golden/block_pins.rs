//! The packed words of a cycle as what a data path and a control port see, and back.

use mkns_design::Pins;

use crate::control_port::{ControlPins, ControlPort};
use crate::{PathInputs, PathOutputs, link_pins};

/// The `link_up` pins.
pub fn link_up(pins: &Pins, words: &[u64]) -> u32 {
    words[pins.link_up] as u32
}

/// The pins of the data path, but for the node address.
pub fn path(pins: &Pins, words: &[u64], inputs: &mut PathInputs) {
    inputs.link_up = link_up(pins, words);
    inputs.rx.clear();
    let arrives = |port: &usize| words[pins.rx.valid] >> port & 1 == 1;
    for port in (0..pins.ports).filter(arrives) {
        if let Some(flit) = link_pins::flit(pins, &pins.rx, words, port) {
            inputs.rx.push((port, flit));
        }
    }
    inputs.tx_credit = words[pins.tx_credit].into();
    if credit_words(pins) > 1 {
        inputs.tx_credit |= u128::from(words[pins.tx_credit + 1]) << 64;
    }
    inputs.beats.clear();
    if pins.hosts > 0 {
        inputs.ready = words[pins.egress.ready] as u32;
    }
    for q in 0..pins.hosts {
        if let Some(beat) = pins.beat(&pins.ingress, words, q) {
            inputs.beats.push((q, beat));
        }
    }
}

/// Puts the outputs of the data path on its pins; all other words become 0.
pub fn set_path(pins: &Pins, words: &mut [u64], outputs: &PathOutputs) {
    words.fill(0);
    for (port, flit) in &outputs.tx {
        link_pins::set_flit(pins, &pins.tx, words, *port, Some(flit));
    }
    words[pins.rx_credit] = outputs.rx_credit as u64;
    if credit_words(pins) > 1 {
        words[pins.rx_credit + 1] = (outputs.rx_credit >> 64) as u64;
    }
    if pins.hosts > 0 {
        words[pins.ingress.ready] = outputs.ready.into();
    }
    for (q, beat) in &outputs.beats {
        pins.set_beat(&pins.egress, words, *q, Some(beat));
    }
}

/// Words of the credits of all network ports.
fn credit_words(pins: &Pins) -> usize {
    (pins.ports * pins.channels).div_ceil(64)
}

/// The AXI4-Lite inputs.
pub fn control(pins: &Pins, words: &[u64]) -> ControlPins {
    let at = &pins.control_in;
    let bit = |word: usize| words[word] & 1 == 1;
    ControlPins {
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

/// Puts the control port's registers on the AXI4-Lite outputs.
pub fn set_control(pins: &Pins, words: &mut [u64], port: &ControlPort) {
    let at = &pins.control_out;
    words[at.awready] = port.write_ready.into();
    words[at.wready] = port.write_ready.into();
    words[at.bvalid] = port.write_answer.is_some().into();
    words[at.bresp] = port.write_answer.unwrap_or(0).into();
    words[at.arready] = port.arready.into();
    if let Some(answer) = port.read_answer {
        words[at.rvalid] = 1;
        words[at.rdata] = answer.data.into();
        words[at.rresp] = answer.response.into();
    }
}
