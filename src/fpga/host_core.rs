//! Wrappers that join one PCIe port of an adapter block to somebody else's core: a PCIe DMA, a serial
//! channel, an Ethernet MAC; with the crossing between the core's clocks and the network's.

use super::board::{ConstraintFile, constraint};
use super::parts::parts;

/// A core on the host's side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostCore {
    /// Xilinx XDMA in AXI4-Stream mode (PG195).
    Xdma,
    /// A LitePCIe stand-alone core.
    LitePcie,
    /// Aurora 64B/66B, framing interface (PG074).
    Aurora64b66b,
    /// A 10GBASE-R MAC of 64 bits with the signals of verilog-ethernet's `eth_mac_10g`.
    EthMac10g,
}

/// Timing exceptions of the crossing.
pub const CROSSING_CONSTRAINTS: [ConstraintFile; 2] = [
    constraint!("common", "async_fifo.xdc"),
    constraint!("common", "async_fifo.sdc"),
];

parts! {
    AxisAsyncFifo "fpga/axis_async_fifo.v",
    PacketBuffer "fpga/packet_buffer.v",
    PacketLength "fpga/packet_length.v",
    EthernetFramer "fpga/ethernet_framer.v",
    EthernetDeframer "fpga/ethernet_deframer.v",
    AdapterXdma "fpga/adapter_xdma.v",
    AdapterLitePcie "fpga/adapter_litepcie.v",
    AdapterAurora64b66b "fpga/adapter_aurora64b66b.v",
    AdapterEthMac10g "fpga/adapter_eth_mac_10g.v",
}

impl HostCore {
    /// All cores.
    pub const ALL: [Self; 4] = [
        Self::Xdma,
        Self::LitePcie,
        Self::Aurora64b66b,
        Self::EthMac10g,
    ];

    /// Module name of the wrapper.
    pub fn top(self) -> &'static str {
        match self {
            Self::Xdma => "adapter_xdma",
            Self::LitePcie => "adapter_litepcie",
            Self::Aurora64b66b => "adapter_aurora64b66b",
            Self::EthMac10g => "adapter_eth_mac_10g",
        }
    }

    /// Modules below the wrapper, besides the crossing.
    fn below(self) -> &'static [&'static str] {
        match self {
            Self::Xdma => &[],
            Self::LitePcie => &["packet_length"],
            Self::Aurora64b66b => &["packet_buffer"],
            Self::EthMac10g => &[
                "packet_buffer",
                "packet_length",
                "ethernet_framer",
                "ethernet_deframer",
            ],
        }
    }

    /// File names and texts of the wrapper, the modules below it and the crossing's constraints.
    pub fn files(self, banner: &str) -> Vec<(String, String)> {
        let is_wanted = |file: &str| {
            let module = file.trim_end_matches(".v");
            module == "axis_async_fifo" || module == self.top() || self.below().contains(&module)
        };
        let mut files = parts(banner);
        files.retain(|(name, _)| is_wanted(name));
        files.extend(CROSSING_CONSTRAINTS.map(|(name, text)| (name.to_owned(), text.to_owned())));
        files
    }
}
