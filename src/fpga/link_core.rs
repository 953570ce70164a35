//! Wrappers of the network side: the line of a link port on a ribbon cable, an Aurora channel or a
//! transceiver of 10GBASE-R or 8b10b.

use super::crossings::constraints_of;
use super::parts::parts;

/// What carries the words of a link port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkCore {
    /// Six wires each way between two boards without transceivers.
    Ribbon,
    /// Aurora 64B/66B, framing interface (PG074), one lane.
    Aurora64b66b,
    /// The 64-bit side of a 10GBASE-R transceiver with its gearbox.
    TenGbaseR,
    /// A transceiver with 8b10b, two symbols a cycle: that of an ECP5.
    Symbols8b10b,
}

parts! {
    AxisAsyncFifo "fpga/axis_async_fifo.v",
    BitSynchroniser "fpga/bit_synchroniser.v",
    BlockLock "fpga/block_lock.v",
    BlockScrambler "fpga/block_scrambler.v",
    DdrInput "fpga/ddr_input.v",
    DdrOutput "fpga/ddr_output.v",
    LineWordCrossing "fpga/line_word_crossing.v",
    LinkRibbonReceiver "fpga/link_ribbon_receiver.v",
    LinkRibbonTransmitter "fpga/link_ribbon_transmitter.v",
    LinkRibbon "fpga/link_ribbon.v",
    LinkAurora64b66b "fpga/link_aurora64b66b.v",
    LinkTenGbaseR "fpga/link_10gbase_r.v",
    LinkReceiver8b10b "fpga/link_8b10b_receiver.v",
    LinkTransmitter8b10b "fpga/link_8b10b_transmitter.v",
    Link8b10b "fpga/link_8b10b.v",
}

impl LinkCore {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Ribbon,
        Self::Aurora64b66b,
        Self::TenGbaseR,
        Self::Symbols8b10b,
    ];

    /// What `--links` calls it.
    pub fn option(self) -> &'static str {
        match self {
            Self::Ribbon => "ribbon",
            Self::Aurora64b66b => "aurora64b66b",
            Self::TenGbaseR => "10gbase_r",
            Self::Symbols8b10b => "serdes",
        }
    }

    /// Module name of the wrapper.
    pub fn top(self) -> &'static str {
        match self {
            Self::Ribbon => "link_ribbon",
            Self::Aurora64b66b => "link_aurora64b66b",
            Self::TenGbaseR => "link_10gbase_r",
            Self::Symbols8b10b => "link_8b10b",
        }
    }

    /// Modules below the wrapper, besides the crossing.
    fn below(self) -> &'static [&'static str] {
        match self {
            Self::Ribbon => &[
                "ddr_input",
                "ddr_output",
                "link_ribbon_receiver",
                "link_ribbon_transmitter",
            ],
            Self::Aurora64b66b => &[],
            Self::TenGbaseR => &["block_lock", "block_scrambler"],
            Self::Symbols8b10b => &["link_8b10b_receiver", "link_8b10b_transmitter"],
        }
    }

    /// Whether words come with another clock than the link port's.
    pub fn crosses(self) -> bool {
        self != Self::Aurora64b66b
    }

    /// File names and texts of the wrapper, the modules below it and its crossings' constraints.
    pub fn files(self, banner: &str) -> Vec<(String, String)> {
        let crossing: &[&str] = match self.crosses() {
            true => &["axis_async_fifo", "bit_synchroniser", "line_word_crossing"],
            false => &[],
        };
        let is_wanted = |file: &str| {
            let module = file.trim_end_matches(".v");
            module == self.top() || self.below().contains(&module) || crossing.contains(&module)
        };
        let mut files = parts(banner);
        files.retain(|(name, _)| is_wanted(name));
        files.extend(constraints_of(&files));
        files
    }
}
