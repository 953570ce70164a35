//! Wrappers that join one PCIe port of an adapter block to somebody else's core: a PCIe DMA, a serial
//! channel, an Ethernet MAC; with the crossing between the core's clocks and the network's, whose two sides are reset
//! together.

use super::crossings::constraints_of;
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

/// Modules of every wrapper.
const ALL_HAVE: [&str; 7] = [
    "axis_async_fifo",
    "bit_synchroniser",
    "paired_reset",
    "packet_crossing",
    "packet_closer",
    "packet_buffer",
    "packets_to_network",
];

parts! {
    AxisAsyncFifo "fpga/axis_async_fifo.v",
    BitSynchroniser "fpga/bit_synchroniser.v",
    PairedReset "fpga/paired_reset.v",
    PacketCrossing "fpga/packet_crossing.v",
    PacketCloser "fpga/packet_closer.v",
    PacketBuffer "fpga/packet_buffer.v",
    PacketLength "fpga/packet_length.v",
    PacketsToNetwork "fpga/packets_to_network.v",
    PacketsToHost "fpga/packets_to_host.v",
    HostRegisters "fpga/host_registers.v",
    PacketInterrupt "fpga/packet_interrupt.v",
    EthernetFramer "fpga/ethernet_framer.v",
    EthernetDeframer "fpga/ethernet_deframer.v",
    RunToPackets "fpga/run_to_packets.v",
    PacketsToRun "fpga/packets_to_run.v",
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

    /// Modules below the wrapper, besides those that all wrappers have.
    fn below(self) -> &'static [&'static str] {
        match self {
            Self::Xdma => &["packets_to_host", "host_registers", "packet_interrupt"],
            Self::LitePcie => &[
                "packets_to_host",
                "host_registers",
                "packet_length",
                "run_to_packets",
                "packets_to_run",
            ],
            Self::Aurora64b66b => &[],
            Self::EthMac10g => &["packet_length", "ethernet_framer", "ethernet_deframer"],
        }
    }

    /// File names and texts of the wrapper, the modules below it and the crossing's constraints.
    pub fn files(self, banner: &str) -> Vec<(String, String)> {
        let is_wanted = |file: &str| {
            let module = file.trim_end_matches(".v");
            module == self.top() || ALL_HAVE.contains(&module) || self.below().contains(&module)
        };
        let mut files = parts(banner);
        files.retain(|(name, _)| is_wanted(name));
        files.extend(constraints_of(&files));
        files
    }
}
