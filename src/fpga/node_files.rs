//! Files of a node's project: sources, pins and clocks.

use super::board::{Board, ConstraintFile, constraint};
use super::crossings::constraints_of;
use super::node_board::Pcie;
use super::node_cores::{LITEPCIE, litepcie_text};
use super::node_tops::{core_text, serdes_text, top_text};
use super::parts::parts;
use super::register_bridge::register_bridge;
use super::register_window::register_window;
use super::{HostCore, LinkCore, Node};

/// Ways between the clocks of a node, for Vivado.
const CLOCK_CONSTRAINTS: ConstraintFile = constraint!("common", "node_clocks.tcl");

parts! {
    Synchroniser "fpga/bit_synchroniser.v",
    Test "fpga/node_test.v",
    Report "fpga/report_line.v",
    Transmitter "fpga/uart_transmitter.v",
    Watch "fpga/receiver_watch.v",
}

/// What the sources of LitePCIe want of Vivado.
const LITEPCIE_CONSTRAINTS: ConstraintFile = constraint!("common", "litepcie.xdc");

/// File names and texts of everything for `board`, whose top is this node's.
pub fn sources(node: &Node, board: &Board, banner: &str) -> Vec<(String, String)> {
    let mut files = node.sources.to_vec();
    files.extend(node.lines.files(banner));
    files.extend(parts(banner));
    files.retain(|(name, _)| match name.as_str() {
        "node_test.v" | "report_line.v" => node.tests_itself(),
        "receiver_watch.v" => node.lines == LinkCore::TenGbaseR,
        _ => true,
    });
    files.push((format!("{}.v", node.core()), core_text(node, banner)));
    files.push((format!("{}.v", board.top()), top_text(node, board, banner)));
    if node.lines == LinkCore::Symbols8b10b {
        files.push(("ecp5_serdes.v".to_owned(), serdes_text(banner)));
    }
    match node.pcie {
        Pcie::None => {}
        Pcie::Xdma => files.extend(HostCore::Xdma.files(banner)),
        Pcie::LitePcie => files.extend(HostCore::LitePcie.files(banner)),
    }
    if node.pcie != Pcie::None {
        files.extend(register_window(banner));
    }
    if !node.tests_itself() {
        files.extend(register_bridge(banner));
    }
    files.retain(|(name, _)| name.ends_with(".v"));
    files.sort();
    files.dedup_by(|a, b| a.0 == b.0);
    files
}

/// Pins and clocks: those of the board, and those of its lines and of the hosts' side.
pub fn constraints(node: &Node, board: &Board) -> Vec<(String, String)> {
    let lines = (node.place).constraints(node.side(), node.pcie, node.links.len());
    let with_lines = |(name, text): &ConstraintFile| {
        let text = format!("{text}{lines}");
        ((*name).to_owned(), text)
    };
    let mut files: Vec<_> = board.constraints.iter().map(with_lines).collect();
    let owned = |(name, text): ConstraintFile| (name.to_owned(), text.to_owned());
    if !node.place.lanes.is_empty() {
        files.push(owned(CLOCK_CONSTRAINTS));
        let crossings = constraints_of(&sources(node, board, "")).into_iter();
        files.extend(crossings.filter(|(name, _)| name.ends_with(".xdc")));
    }
    if node.pcie == Pcie::LitePcie {
        files.push(owned(LITEPCIE_CONSTRAINTS));
        files.push((LITEPCIE.to_owned(), litepcie_text(node, board)));
    }
    files
}
