//! The data path of a block: what moves flits between its links and its hosts. The reference and the fast model have
//! one each; pins and control port stand around it and know no more of it than this.

use super::flit::Flit;
use super::stream_beat::StreamBeat;

/// What comes in through the pins in a cycle.
#[derive(Debug, Clone, Default)]
pub struct PathInputs {
    /// Network ports whose rx_valid is 1, in ascending order, and what is on their `rx_*`.
    pub rx: Vec<(usize, Flit)>,
    /// `tx_credit`: bit p · V + v.
    pub tx_credit: u128,
    /// Bit p.
    pub link_up: u32,
    /// PCIe ports whose `s_axis_pcie_tvalid` is 1, in ascending order, and their beats.
    pub beats: Vec<(usize, StreamBeat)>,
    /// `m_axis_pcie_tready`, bit q.
    pub ready: u32,
    /// The register NODE_ADDRESS at the start of the cycle.
    pub node_address: u32,
}

/// What goes out through the pins in a cycle.
#[derive(Debug, Clone, Default)]
pub struct PathOutputs {
    /// Network ports whose tx_valid is 1, and what is on their `tx_*`.
    pub tx: Vec<(usize, Flit)>,
    /// `rx_credit`: bit p · V + v.
    pub rx_credit: u128,
    /// PCIe ports whose `m_axis_pcie_tvalid` is 1, and their beats.
    pub beats: Vec<(usize, StreamBeat)>,
    /// `s_axis_pcie_tready`, bit q.
    pub ready: u32,
}

impl PathOutputs {
    /// All pins 0.
    pub fn clear(&mut self) {
        self.tx.clear();
        self.beats.clear();
        (self.rx_credit, self.ready) = (0, 0);
    }
}

/// What a cycle shows in the registers ERRORS and FIRST_DROP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PathEvents {
    /// Bits of ERRORS.
    pub errors: u32,
    /// Of the lowest input, when several drop in one cycle.
    pub first_drop: Option<DroppedHeader>,
}

/// The header of a packet that is dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DroppedHeader {
    /// Input port.
    pub port: usize,
    pub header: u64,
}

/// A counter, by its port and its number there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counter {
    Core { port: usize, c: usize },
    Pcie { port: usize, c: usize },
}

/// What can be written in a data path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathRegister {
    /// A row of STEP, bit o.
    Step { row: usize },
    /// An entry of TABLE n.
    Table { n: usize, index: usize },
    /// The mask of node address a.
    Mask { a: usize },
    /// LAYER_ENTRY of layer l.
    Entry { l: usize },
}

/// A data path, in its reset state to begin with. A cycle is [`Self::show`], then [`Self::clock`] or [`Self::reset`],
/// then at most one [`Self::write`].
pub trait DataPath: Send {
    /// Sets the outputs of this cycle, which are all registers, where all pins were 0.
    fn show(&self, outputs: &mut PathOutputs);

    /// The clock edge.
    fn clock(&mut self, inputs: &PathInputs) -> PathEvents;

    /// A cycle with `rst`; `link_up` as on the pins.
    fn reset(&mut self, link_up: u32);

    /// A counter at the start of the cycle.
    fn counter(&self, counter: Counter) -> u32;

    /// A register at the start of the cycle; none when it is not there or cannot be read.
    fn register(&self, register: PathRegister) -> Option<u32>;

    /// Writes a register, which exists, at the end of the cycle.
    fn write(&mut self, register: PathRegister, value: u32);

    /// What differs from reset, in words.
    fn describe(&self) -> String;
}
