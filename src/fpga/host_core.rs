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

/// Sizes of a network's hosts, which a wrapper has as parameters.
#[derive(Debug, Clone, Copy)]
pub struct HostSizes {
    /// Bits of a beat.
    pub data_width: u32,
    /// Beats that wait for a late host behind a PCIe core, a power of two.
    pub buffer_beats: u32,
    /// Beats of the longest packet, with its header.
    pub packet_beats: u32,
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

    /// The sources of a wrapper with other defaults of its parameters.
    ///
    /// # Errors
    /// When the core has no beats of that width; the fact in words.
    pub fn sized_files(
        self,
        banner: &str,
        sizes: HostSizes,
    ) -> Result<Vec<(String, String)>, String> {
        let width = sizes.data_width;
        let is_pcie = matches!(self, Self::Xdma | Self::LitePcie);
        // Elsewhere the buffer holds the frames in progress.
        let buffer_bits = match is_pcie {
            true => sizes.buffer_beats.ilog2(),
            false => sizes.packet_beats.next_power_of_two().ilog2().max(8),
        };
        let mut defaults = vec![
            ("BUFFER_BITS", buffer_bits),
            ("MAX_PACKET_BEATS", sizes.packet_beats),
        ];
        match self {
            Self::EthMac10g if width == 64 => {}
            Self::EthMac10g => {
                return Err(format!(
                    "block.pcie_bits = {width}: {} has beats of 64 bits",
                    self.top()
                ));
            }
            _ => defaults.push(("DATA_WIDTH", width)),
        }
        let mut files = self.files(banner);
        let top = format!("{}.v", self.top());
        for (_, text) in files.iter_mut().filter(|(name, _)| *name == top) {
            for (name, value) in &defaults {
                set_default(text, name, *value);
            }
        }
        Ok(files)
    }
}

/// Gives a parameter of a module's text another default.
fn set_default(text: &mut String, name: &str, value: u32) {
    let head = format!("parameter {name} = ");
    let Some(start) = text.find(&head).map(|at| at + head.len()) else {
        return;
    };
    let digits = text[start..].bytes().take_while(u8::is_ascii_digit).count();
    text.replace_range(start..start + digits, &value.to_string());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrapper_has_the_sizes_of_the_network() {
        let sizes = HostSizes {
            data_width: 128,
            buffer_beats: 4096,
            packet_beats: 65,
        };
        let defaults = |core: HostCore| -> Vec<String> {
            let files = core.sized_files("// test", sizes).expect("files");
            let top = format!("{}.v", core.top());
            let (_, text) = files.iter().find(|(name, _)| *name == top).expect("a top");
            ["DATA_WIDTH", "BUFFER_BITS", "MAX_PACKET_BEATS"]
                .map(|name| {
                    let head = format!("parameter {name} = ");
                    let (_, rest) = text.split_once(&head).expect("the parameter");
                    let end = rest.find(|digit: char| !digit.is_ascii_digit());
                    rest[..end.expect("more text")].to_owned()
                })
                .to_vec()
        };
        for core in [HostCore::Xdma, HostCore::LitePcie] {
            assert_eq!(defaults(core), ["128", "12", "65"], "{core:?}");
        }
        assert_eq!(defaults(HostCore::Aurora64b66b), ["128", "8", "65"]);
        let refused = HostCore::EthMac10g.sized_files("// test", sizes);
        assert!(refused.is_err_and(|fact| fact.contains("beats of 64 bits")));
    }
}
