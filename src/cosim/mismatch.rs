//! The report of the first thing that went wrong: which block, port and cycle, both values, the
//! packet concerned, the cycles before, and how to see it again.
//!
//! Nothing here runs unless a comparison has failed.

use std::fmt;

use mkns_contract::header;
use serde::{Deserialize, Serialize};

use super::lockstep::{Difference, Group, HISTORY};
use super::port_signal::{PinGroup, PortSignal};
use mkns_traffic::Pattern;

/// What kind of failure ended the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FailureKind {
    /// RTL and golden model gave different outputs.
    #[default]
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
    /// Source host, or the source address in hexadecimal where there are no hosts.
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
            source: format!("{:#07x}", header::source(header)),
            destination: format!("{:#07x}", header::destination(header)),
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
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Failure {
    pub kind: FailureKind,
    /// Stable name of the block, or of the module in a run of one block.
    pub block: String,
    pub cycle: u64,
    /// Name in the port table; empty when no signal is concerned.
    pub signal: String,
    /// `port 8`, `pcie port 0`; empty for the control port.
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
    /// Which case the failure was made smaller to, and what that case shows: its cycle and block are others. Empty
    /// where none was asked for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub small_case: String,
    /// The command that runs into it again.
    pub replay: String,
    /// What was asked for with the report and did not come about: waveform, small case, vectors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unwritten: Vec<String>,
    /// The pins that `port` names.
    #[serde(skip)]
    pub block_port: Option<PinGroup>,
    /// The random traffic of the run.
    #[serde(skip)]
    pub traffic: Option<Pattern>,
}

impl Failure {
    /// A failure that is a sentence rather than two values.
    pub fn sentence(kind: FailureKind, block: &str, cycle: u64, note: String) -> Box<Self> {
        Box::new(Self {
            kind,
            block: block.to_owned(),
            cycle,
            note,
            ..Self::default()
        })
    }

    /// Notes that something asked for has not come about: the failure itself weighs more.
    pub fn lacks(&mut self, what: &str, written: mkns_sim::Result<()>) {
        if let Err(error) = written {
            self.unwritten.push(format!("no {what}: {error}"));
        }
    }

    /// Decodes a difference.
    pub fn divergence(group: &Group, difference: Difference, cycle: u64, block: &str) -> Box<Self> {
        let expected = group.expected_of(difference.instance);
        let actual = group.outputs_of(difference.instance);
        let port_signal = PortSignal::of(group, difference.word, expected, actual);
        let rows = (cycle.saturating_sub(HISTORY as u64 - 1)..=cycle).map(|at| {
            let past = group.past_outputs(difference.instance, at);
            let both = if at == cycle { expected } else { past };
            PortCycle {
                cycle: at,
                rtl: port_signal.show_port(&group.pins, past),
                golden: port_signal.show_port(&group.pins, both),
            }
        });
        let mut failure = Self::sentence(FailureKind::Divergence, block, cycle, String::new());
        failure.history = rows.collect();
        failure.signal = port_signal.signal.to_owned();
        failure.port = port_signal.kind.label();
        failure.block_port = Some(port_signal.kind);
        failure.golden = port_signal.show(expected);
        failure.rtl = port_signal.show(actual);
        failure.state = group.describe(difference.instance);
        failure
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = match self.kind {
            FailureKind::Divergence => "RTL differs from the golden model",
            FailureKind::Contract => "contract broken by RTL and golden model alike",
            FailureKind::Assertion if self.note.ends_with("$finish") => "the RTL stopped by itself",
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
            writeln!(
                f,
                "  golden state after the cycle, as far as it differs from reset:"
            )?;
            for line in self.state.lines() {
                writeln!(f, "    {line}")?;
            }
        }
        if !self.small_case.is_empty() {
            writeln!(f, "{}", self.small_case)?;
        }
        if !self.replay.is_empty() {
            writeln!(f, "replay: {}", self.replay)?;
        }
        Ok(())
    }
}
