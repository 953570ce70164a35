//! One signal of one port: where its bits are among the packed words of a block, and how they are shown.

use mkns_design::{Pins, get_bits, packed_words};

use super::lockstep::Group;

/// Which pins of a block a bit belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PinGroup {
    Network(usize),
    Host(usize),
    Control,
}

impl PinGroup {
    /// The kind of port that a signal belongs to, as its port 0; none for the reset, which all share.
    pub fn of_signal(name: &str) -> Option<Self> {
        match name {
            "rst" => None,
            _ if name.starts_with("s_axil_") => Some(Self::Control),
            _ if name.contains("_pcie_") => Some(Self::Host(0)),
            // who this is, on a board
            "block_number" => None,
            _ => Some(Self::Network(0)),
        }
    }

    /// What reports call the port.
    pub fn label(self) -> String {
        match self {
            PinGroup::Network(port) => format!("port {port}"),
            PinGroup::Host(port) => format!("pcie port {port}"),
            PinGroup::Control => String::new(),
        }
    }
}

/// One signal of one port.
#[derive(Debug, Clone, Copy)]
pub struct PortSignal {
    pub signal: &'static str,
    pub kind: PinGroup,
    /// First word of the signal.
    word: usize,
    bit: usize,
    bits: usize,
}

impl PortSignal {
    /// The signal and port of the first bit in which two words of outputs differ.
    pub fn of(group: &Group, word: usize, expected: &[u64], actual: &[u64]) -> Self {
        let mut first = 0;
        for port in &group.table.outputs {
            let words = packed_words(std::slice::from_ref(port));
            if word < first + words {
                let inner = (expected[word] ^ actual[word]).trailing_zeros() as usize;
                let bit = (word - first) * 64 + inner;
                if let (Some(board), true) = (&group.board, is_of_link(port.name)) {
                    let bits = port.bits as usize / board.ports.len();
                    return Self {
                        signal: port.name,
                        kind: PinGroup::Network(board.ports[bit / bits]),
                        word: first,
                        bit: bit / bits * bits,
                        bits,
                    };
                }
                return Self::at(&group.pins, port.name, port.bits as usize, first, bit);
            }
            first += words;
        }
        unreachable!("the word is one of the port table's")
    }

    fn at(pins: &Pins, signal: &'static str, width: usize, word: usize, bit: usize) -> Self {
        let (bits, kind) = match PinGroup::of_signal(signal) {
            Some(PinGroup::Host(_)) => {
                let bits = width / pins.hosts;
                (bits, PinGroup::Host(bit / bits))
            }
            Some(PinGroup::Network(_)) => {
                let bits = width / pins.ports;
                (bits, PinGroup::Network(bit / bits))
            }
            Some(PinGroup::Control) | None => (width, PinGroup::Control),
        };
        let port_signal = bit / bits;
        Self {
            signal,
            kind,
            word,
            bit: port_signal * bits,
            bits,
        }
    }

    /// Its value as digits.
    pub fn show(&self, outputs: &[u64]) -> String {
        show_bits(&outputs[self.word..], self.bit, self.bits)
    }

    /// All outputs of the same port on one line.
    pub fn show_port(&self, pins: &Pins, outputs: &[u64]) -> String {
        match self.kind {
            PinGroup::Network(port) => show_link(pins, port, outputs),
            PinGroup::Host(port) => show_stream(pins, port, outputs),
            PinGroup::Control => show_control(pins, outputs),
        }
    }
}

/// Whether a signal is one of link ports, which serial ports alone have.
pub fn is_of_link(signal: &str) -> bool {
    signal.starts_with("line_") || signal.starts_with("port_")
}

fn show_bits(words: &[u64], bit: usize, bits: usize) -> String {
    if bits <= 64 {
        return match bits {
            1 => get_bits(words, bit, 1).to_string(),
            _ => format!(
                "{:#0width$x}",
                get_bits(words, bit, bits),
                width = bits.div_ceil(4) + 2
            ),
        };
    }
    let digits: String = (0..bits / 64)
        .rev()
        .map(|part| format!("{:016x}", get_bits(words, bit + part * 64, 64)))
        .collect();
    format!("0x{digits}")
}

fn show_link(pins: &Pins, port: usize, outputs: &[u64]) -> String {
    let bit = |word: usize| outputs[word] >> port & 1;
    let credit = get_bits(
        &outputs[pins.rx_credit..],
        port * pins.channels,
        pins.channels,
    );
    let flit = if bit(pins.tx.valid) == 0 {
        "idle".to_owned()
    } else {
        let channel = get_bits(
            &outputs[pins.tx.channel..],
            port * pins.channel_bits,
            pins.channel_bits,
        );
        let width = pins.flit_words * 64;
        format!(
            "vc {channel}{}{} data {}",
            if bit(pins.tx.last) == 1 { " last" } else { "" },
            if bit(pins.tx.bad) == 1 { " bad" } else { "" },
            show_bits(&outputs[pins.tx.data..], port * width, width)
        )
    };
    format!(
        "tx {flit}, rx_credit {credit:0width$b}",
        width = pins.channels
    )
}

fn show_stream(pins: &Pins, port: usize, outputs: &[u64]) -> String {
    let (ingress, egress) = (pins.ingress, pins.egress);
    let bit = |word: usize| outputs[word] >> port & 1;
    let beat = if bit(egress.valid) == 0 {
        "idle".to_owned()
    } else {
        let (width, bytes) = (pins.beat_words * 64, pins.beat_words * 8);
        format!(
            "{}{}keep {} data {}",
            if bit(egress.last) == 1 { "last " } else { "" },
            if bit(egress.user) == 1 { "user " } else { "" },
            show_bits(&outputs[egress.keep..], port * bytes, bytes),
            show_bits(&outputs[egress.data..], port * width, width)
        )
    };
    format!("m_axis {beat}, s_axis tready {}", bit(ingress.ready))
}

fn show_control(pins: &Pins, outputs: &[u64]) -> String {
    let at = &pins.control_out;
    format!(
        "awready {} bvalid {} bresp {} arready {} rvalid {} rresp {} rdata {:#010x}",
        outputs[at.awready],
        outputs[at.bvalid],
        outputs[at.bresp],
        outputs[at.arready],
        outputs[at.rvalid],
        outputs[at.rresp],
        outputs[at.rdata]
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_design as design;
    use mkns_spec as spec;

    /// Beats of 128 bits beside flits of 64.
    #[test]
    fn a_beat_is_shown_in_its_own_width() {
        let mut spec = spec::parse("MKNS(2,4,1,1)").expect("a valid spec");
        spec.block.pcie_bits = 128;
        let plan = design::build(&spec).expect("a plan");
        let pins = Pins::new(&plan.modules[0]);
        let egress = pins.egress;
        let mut outputs = vec![0; pins.output_words];
        outputs[egress.valid] = 0b10;
        outputs[egress.keep] = 0x0fff_0000;
        outputs[egress.data + 2] = 0xabc;
        outputs[egress.data + 3] = 1;
        let shown = show_stream(&pins, 1, &outputs);
        let beat = "m_axis keep 0x0fff data 0x00000000000000010000000000000abc";
        assert!(shown.starts_with(beat), "{shown}");
    }
}
