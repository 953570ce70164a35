//! Files of a node's project: sources, pins and clocks, cores.

use super::board::{Board, ConstraintFile};
use super::node_board::Pcie;
use super::node_tops::{core_text, serdes_text, top_text};
use super::parts::parts;
use super::register_bridge::register_bridge;
use super::vendor::VendorCore;
use super::{HostCore, LinkCore, Node};

/// Ways between the clocks of a node, for Vivado.
const CLOCK_CONSTRAINTS: ConstraintFile = (
    "node_clocks.xdc",
    include_str!("../../constraints/common/node_clocks.xdc"),
);

parts! {
    Synchroniser "fpga/bit_synchroniser.v",
    Test "fpga/node_test.v",
    Report "fpga/report_line.v",
    Transmitter "fpga/uart_transmitter.v",
}

/// File names and texts of everything for `board`, whose top is this node's.
pub fn sources(node: &Node, board: &Board, banner: &str) -> Vec<(String, String)> {
    let mut files = node.sources.to_vec();
    files.extend(node.place.lines.files(banner));
    files.extend(parts(banner));
    files.push((format!("{}.v", node.core()), core_text(node, banner)));
    files.push((format!("{}.v", board.top()), top_text(node, board, banner)));
    if node.place.lines == LinkCore::Symbols8b10b {
        files.push(("ecp5_serdes.v".to_owned(), serdes_text(banner)));
    }
    if node.place.pcie == Pcie::Xdma {
        files.extend(HostCore::Xdma.files(banner));
        files.extend(register_bridge(banner));
    }
    files.retain(|(name, _)| name.ends_with(".v"));
    files.sort();
    files.dedup_by(|a, b| a.0 == b.0);
    files
}

/// Pins and clocks: those of the board, and those of its lines.
pub fn constraints(node: &Node, board: &Board) -> Vec<(String, String)> {
    let lines = node.place.constraints(node.side(), node.links.len());
    let with_lines = |(name, text): &ConstraintFile| {
        let text = format!("{text}{lines}");
        ((*name).to_owned(), text)
    };
    let mut files: Vec<_> = board.constraints.iter().map(with_lines).collect();
    if !node.place.lanes.is_empty() {
        let (name, text) = CLOCK_CONSTRAINTS;
        files.push((name.to_owned(), text.to_owned()));
    }
    files
}

/// Cores that the maker's program makes: name, kind and properties.
pub fn cores(node: &Node) -> Vec<VendorCore> {
    let lanes = node.place.lanes.iter().take(node.links.len()).enumerate();
    let mut cores: Vec<_> = lanes
        .map(|(n, lane)| VendorCore::aurora(n, lane, node.place.clock_hz))
        .collect();
    if node.place.pcie == Pcie::Xdma {
        cores.push(VendorCore::xdma(node.module.pcie_ports));
    }
    cores
}
