//! The report of the first thing that went wrong: which block, port and cycle, both values, the
//! packet concerned, the cycles before, and how to see it again.
//!
//! Decodes packed words into pin values; nothing here runs unless a comparison has failed.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::design::packed_words;

use super::lockstep::{Difference, Group, HISTORY};
use super::packet;
use super::pins::{Pins, get_bits};
use super::stimulus::Traffic;

/// What kind of failure ended the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// RTL and golden model gave different outputs.
    Divergence,
    /// Both agree, and both break the contract, or nothing moves any more.
    Contract,
    /// An assertion in the RTL stopped it.
    Assertion,
    /// A packet was lost, duplicated, damaged, misdelivered or overtaken.
    Scoreboard,
}

/// The packet that a signal belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PacketNote {
    /// Source VM, or the source address in hexadecimal where there are no VMs.
    pub source: String,
    pub destination: String,
    /// Number of the packet within its flow, where the traffic carries one.
    pub sequence: Option<u64>,
    /// 0 = the header flit.
    pub flit: u32,
}

impl PacketNote {
    /// A packet known by its header alone.
    pub fn from_header(header: u64, flit: u32) -> Self {
        Self {
            source: format!("{:#07x}", packet::source(header)),
            destination: format!("{:#07x}", packet::destination(header)),
            sequence: None,
            flit,
        }
    }
}

/// Outputs of the port concerned in one cycle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortCycle {
    pub cycle: u64,
    pub rtl: String,
    pub golden: String,
}

/// The first failure of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    pub kind: FailureKind,
    /// Stable name of the block, or of the module in a run of one block.
    pub block: String,
    pub cycle: u64,
    /// Name in the port table; empty when no signal is concerned.
    pub signal: String,
    /// `port 8` in the paper's numbers, `pcie port 0`; empty for the control port.
    pub port: String,
    pub golden: String,
    pub rtl: String,
    pub packet: Option<PacketNote>,
    /// The last cycles of the port, the failing one last.
    pub history: Vec<PortCycle>,
    /// The golden model's state after the cycle.
    pub state: String,
    /// What happened, where values alone do not say it.
    pub note: String,
    /// The command that runs into it again.
    pub replay: String,
    /// The pins that `port` names.
    #[serde(skip)]
    pub lane: Option<LaneKind>,
    /// The random traffic of the run.
    #[serde(skip)]
    pub traffic: Option<Traffic>,
}

impl Failure {
    /// A failure that is a sentence rather than two values.
    pub fn sentence(kind: FailureKind, block: &str, cycle: u64, note: String) -> Self {
        Self {
            kind,
            block: block.to_owned(),
            cycle,
            signal: String::new(),
            port: String::new(),
            golden: String::new(),
            rtl: String::new(),
            packet: None,
            history: Vec::new(),
            state: String::new(),
            note,
            replay: String::new(),
            lane: None,
            traffic: None,
        }
    }

    /// Decodes a difference. `first_port` is the paper's number of network port 0.
    pub fn divergence(
        group: &Group,
        difference: Difference,
        cycle: u64,
        block: &str,
        first_port: usize,
    ) -> (Self, Lane) {
        let expected = group.expected_of(difference.instance);
        let actual = group.outputs_of(difference.instance);
        let lane = Lane::of(group, difference.word, expected, actual);
        let rows = (cycle.saturating_sub(HISTORY as u64 - 1)..=cycle).map(|at| {
            let past = group.past_outputs(difference.instance, at);
            let both = if at == cycle { expected } else { past };
            PortCycle {
                cycle: at,
                rtl: lane.show_port(&group.pins, past),
                golden: lane.show_port(&group.pins, both),
            }
        });
        let mut failure = Self::sentence(FailureKind::Divergence, block, cycle, String::new());
        failure.history = rows.collect();
        failure.signal = lane.signal.to_owned();
        failure.port = lane.kind.label(first_port);
        failure.lane = Some(lane.kind);
        failure.golden = lane.show(expected);
        failure.rtl = lane.show(actual);
        failure.state = group.describe(difference.instance);
        (failure, lane)
    }
}

/// Which pins of a block a bit belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LaneKind {
    Network(usize),
    Host(usize),
    Control,
}

impl LaneKind {
    /// The kind of port that a signal belongs to, as its port 0; none for the reset, which all share.
    pub fn of_signal(name: &str) -> Option<Self> {
        match name {
            "rst" => None,
            _ if name.starts_with("s_axil_") => Some(Self::Control),
            _ if name.contains("_pcie_") => Some(Self::Host(0)),
            _ => Some(Self::Network(0)),
        }
    }

    fn label(self, first_port: usize) -> String {
        match self {
            LaneKind::Network(port) => format!("port {}", port + first_port),
            LaneKind::Host(port) => format!("pcie port {port}"),
            LaneKind::Control => String::new(),
        }
    }
}

/// One signal of one port.
#[derive(Debug, Clone, Copy)]
pub struct Lane {
    pub signal: &'static str,
    pub kind: LaneKind,
    /// First word of the signal.
    word: usize,
    bit: usize,
    bits: usize,
}

impl Lane {
    fn of(group: &Group, word: usize, expected: &[u64], actual: &[u64]) -> Self {
        let mut first = 0;
        for port in &group.table.outputs {
            let words = packed_words(std::slice::from_ref(port));
            if word < first + words {
                let inner = (expected[word] ^ actual[word]).trailing_zeros() as usize;
                let bit = (word - first) * 64 + inner;
                return Self::at(&group.pins, port.name, port.bits as usize, first, bit);
            }
            first += words;
        }
        unreachable!("the word is one of the port table's")
    }

    fn at(pins: &Pins, signal: &'static str, width: usize, word: usize, bit: usize) -> Self {
        let (bits, kind) = match LaneKind::of_signal(signal) {
            Some(LaneKind::Host(_)) => {
                let bits = width / pins.hosts;
                (bits, LaneKind::Host(bit / bits))
            }
            Some(LaneKind::Network(_)) => {
                let bits = width / pins.ports;
                (bits, LaneKind::Network(bit / bits))
            }
            Some(LaneKind::Control) | None => (width, LaneKind::Control),
        };
        let lane = bit / bits;
        Self {
            signal,
            kind,
            word,
            bit: lane * bits,
            bits,
        }
    }

    fn show(&self, outputs: &[u64]) -> String {
        show_bits(&outputs[self.word..], self.bit, self.bits)
    }

    /// All outputs of the same port on one line.
    fn show_port(&self, pins: &Pins, outputs: &[u64]) -> String {
        match self.kind {
            LaneKind::Network(port) => show_link(pins, port, outputs),
            LaneKind::Host(port) => show_stream(pins, port, outputs),
            LaneKind::Control => show_control(pins, outputs),
        }
    }
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
    let (Some(ingress), Some(egress)) = (pins.ingress, pins.egress) else {
        return String::new();
    };
    let bit = |word: usize| outputs[word] >> port & 1;
    let beat = if bit(egress.valid) == 0 {
        "idle".to_owned()
    } else {
        let (width, bytes) = (pins.flit_words * 64, pins.flit_words * 8);
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

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = match self.kind {
            FailureKind::Divergence => "RTL differs from the golden model",
            FailureKind::Contract => "contract broken by RTL and golden model alike",
            FailureKind::Assertion => "assertion in the RTL",
            FailureKind::Scoreboard => "scoreboard",
        };
        write!(f, "{title}: cycle {}, block {}", self.cycle, self.block)?;
        for part in [&self.port, &self.signal] {
            if !part.is_empty() {
                write!(f, ", {part}")?;
            }
        }
        writeln!(f)?;
        if !self.note.is_empty() {
            writeln!(f, "  {}", self.note)?;
        }
        if !self.signal.is_empty() {
            writeln!(f, "  golden {}", self.golden)?;
            writeln!(f, "  rtl    {}", self.rtl)?;
        }
        if let Some(packet) = &self.packet {
            write!(
                f,
                "  packet from {} to {}",
                packet.source, packet.destination
            )?;
            if let Some(sequence) = packet.sequence {
                write!(f, ", number {sequence} of its flow")?;
            }
            writeln!(f, ", flit {}", packet.flit)?;
        }
        for row in &self.history {
            writeln!(f, "  cycle {:>8}  rtl    {}", row.cycle, row.rtl)?;
            if row.rtl != row.golden {
                writeln!(f, "                  golden {}", row.golden)?;
            }
        }
        if !self.state.is_empty() {
            writeln!(f, "  golden state after the cycle:")?;
            for line in self.state.lines() {
                writeln!(f, "    {line}")?;
            }
        }
        if !self.replay.is_empty() {
            writeln!(f, "replay: {}", self.replay)?;
        }
        Ok(())
    }
}
