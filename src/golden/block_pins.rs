//! The packed words of a cycle as beats and control signals, and back.

use mkns_design::{Pins, StreamBeat};

use crate::control_port::{ControlPins, ControlPort};
use crate::{Beat, Data, HostPort};

/// The `link_up` pins.
pub fn link_up(pins: &Pins, words: &[u64]) -> u32 {
    words[pins.link_up] as u32
}

/// The beat on the `s_axis_pcie_*` pins of a PCIe port.
pub fn beat(pins: &Pins, words: &[u64], q: usize) -> Option<Beat> {
    let beat = pins.beat(&pins.ingress, words, q)?;
    Some(Beat {
        data: Data(beat.data),
        keep: beat.keep,
        last: beat.last,
        user: beat.user,
    })
}

/// The `m_axis_pcie_tready` pin of a PCIe port.
pub fn host_ready(pins: &Pins, words: &[u64], q: usize) -> bool {
    words[pins.egress.ready] >> q & 1 == 1
}

/// Puts the outputs of a PCIe port on its pins; they show 0 before.
pub fn set_host(pins: &Pins, words: &mut [u64], q: usize, host: &HostPort) {
    pins.set_ready(&pins.ingress, words, q, host.tready());
    let beat = host.beat().map(|beat| StreamBeat {
        data: beat.data.0,
        keep: beat.keep,
        last: beat.last,
        user: beat.user,
    });
    pins.set_beat(&pins.egress, words, q, beat.as_ref());
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
