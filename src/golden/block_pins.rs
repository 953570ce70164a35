//! The packed words of a cycle as beats and control signals, and back.

use mkns_design::{Pins, StreamPins, get_bits, set_bits};

use crate::control_port::{ControlPins, ControlPort};
use crate::{Beat, Data, HostPort};

/// A bit of a port whose first word is `word`.
fn bit(words: &[u64], word: usize, bit: usize) -> bool {
    words[word + bit / 64] >> (bit % 64) & 1 == 1
}

/// The `link_up` pins.
pub fn link_up(pins: &Pins, words: &[u64]) -> u32 {
    words[pins.link_up] as u32
}

/// The beat on the `s_axis_pcie_*` pins of a PCIe port.
pub fn beat(pins: &Pins, words: &[u64], q: usize) -> Option<Beat> {
    let stream = pins.ingress.as_ref()?;
    if !bit(words, stream.valid, q) {
        return None;
    }
    let mut data = Data::default();
    let first = stream.data + q * pins.beat_words;
    data.0[..pins.beat_words].copy_from_slice(&words[first..first + pins.beat_words]);
    let keep_bits = keep_bits(pins);
    Some(Beat {
        data,
        keep: get_bits(&words[stream.keep..], q * keep_bits, keep_bits),
        last: bit(words, stream.last, q),
        user: bit(words, stream.user, q),
    })
}

/// The `m_axis_pcie_tready` pin of a PCIe port.
pub fn host_ready(pins: &Pins, words: &[u64], q: usize) -> bool {
    let stream = pins.egress.as_ref();
    stream.is_some_and(|stream| bit(words, stream.ready, q))
}

/// Puts the outputs of a PCIe port on its pins; they show 0 before.
pub fn set_host(pins: &Pins, words: &mut [u64], q: usize, host: &HostPort) {
    if let Some(ingress) = &pins.ingress {
        set_bits(&mut words[ingress.ready..], q, 1, host.tready().into());
    }
    if let (Some(egress), Some(beat)) = (&pins.egress, host.beat()) {
        set_beat(pins, egress, words, q, &beat);
    }
}

fn set_beat(pins: &Pins, stream: &StreamPins, words: &mut [u64], q: usize, beat: &Beat) {
    let keep_bits = keep_bits(pins);
    set_bits(&mut words[stream.valid..], q, 1, 1);
    set_bits(
        &mut words[stream.keep..],
        q * keep_bits,
        keep_bits,
        beat.keep,
    );
    set_bits(&mut words[stream.last..], q, 1, beat.last.into());
    set_bits(&mut words[stream.user..], q, 1, beat.user.into());
    let first = stream.data + q * pins.beat_words;
    words[first..first + pins.beat_words].copy_from_slice(&beat.data.0[..pins.beat_words]);
}

/// Bytes of a beat.
fn keep_bits(pins: &Pins) -> usize {
    pins.beat_words * 8
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
