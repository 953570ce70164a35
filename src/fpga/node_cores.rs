//! Cores of a node that other programs make: Vivado of properties, LitePCIe's generator of a file of its own.

use super::board::Board;
use super::node_board::Pcie;
use super::vendor::VendorCore;
use super::{LinkCore, Node, Program};

/// What litepcie_gen reads.
pub const LITEPCIE: &str = "litepcie.yml";

/// Programs that make cores before the board's flow, with their arguments.
pub fn generators(node: &Node) -> Vec<(Program, Vec<String>)> {
    match node.pcie {
        Pcie::LitePcie => vec![(Program::LitepcieGen, vec![LITEPCIE.to_owned()])],
        Pcie::None | Pcie::Xdma => Vec::new(),
    }
}

/// A LitePCIe of four lanes: a DMA channel of 64 bits per host and the second MiB of BAR 0 as window of registers, all in the
/// node's clock.
pub fn litepcie_text(node: &Node, board: &Board) -> String {
    let (device, clock_hz, hosts) = (board.part, node.place.clock_hz, node.module.pcie_ports);
    format!(
        "# litepcie_gen litepcie.yml (LitePCIe 2024.12)\n\
         phy: USPPCIEPHY\nphy_device: {device}\nphy_lanes: 4\nphy_pcie_data_width: 128\n\
         phy_data_width: 64\nphy_bar0_size: 0x200000\nclk_freq: {clock_hz}\nclk_external: True\n\
         mmap: True\nmmap_base: 0x100000\nmmap_size: 0x100000\n\
         dma_channels: {hosts}\ndma_buffering: 1024\ndma_loopback: False\n\
         dma_synchronizer: False\ndma_monitor: False\nmsi_irqs: 1\n"
    )
}

/// Clocks that meet in the crossings of a node on a card: its own, those of its links, that of XDMA.
pub fn clocks(node: &Node) -> usize {
    let of_link = match node.lines {
        LinkCore::TenGbaseR => 2,
        _ => 1,
    };
    1 + of_link * node.links.len() + usize::from(node.pcie == Pcie::Xdma)
}

/// Cores that the maker's program makes: name, kind and properties.
pub fn cores(node: &Node) -> Vec<VendorCore> {
    let lanes = node.place.lanes.iter().take(node.links.len()).enumerate();
    let init_hz = node.place.clock_hz;
    let mut cores: Vec<_> = lanes
        .map(|(n, lane)| match node.lines {
            LinkCore::TenGbaseR => VendorCore::transceiver(n, lane, init_hz),
            _ => VendorCore::aurora(n, lane, init_hz),
        })
        .collect();
    if node.pcie == Pcie::Xdma {
        cores.push(VendorCore::xdma(node.module.pcie_ports));
    }
    cores
}
