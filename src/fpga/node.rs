//! A block of a network with an FPGA of its own: what its project needs to know of it.

use mkns_design::BlockModule;

use super::LinkCore;
use super::node_board::{NodeBoard, Pcie};

/// Nodes that a self-testing one sends to, at most.
pub const MOST_PEERS: usize = 8;

/// A cable of the block.
#[derive(Debug, Clone)]
pub struct NodeLink {
    pub port: u8,
    /// What is at the other end; none where one bitstream serves several blocks.
    pub peer: Option<NodePeer>,
    /// This block is the cable's first end: side a of a ribbon.
    pub is_first_end: bool,
}

/// The other end of a cable: name and number of the block, and its port.
#[derive(Debug, Clone)]
pub struct NodePeer {
    pub block: String,
    pub number: u32,
    pub port: u8,
}

/// One block of a network, or any block of a kind, and what it needs to know of the network.
pub struct Node<'a> {
    pub module: &'a BlockModule,
    /// Name of the block, such as `ab_0_0_0_0`, or of the kind.
    pub name: &'a str,
    /// What it announces until a manager gives it another number.
    pub number: u32,
    /// One bitstream serves all blocks of the kind.
    pub is_shared: bool,
    /// It has a management unit.
    pub is_managed: bool,
    pub network: &'a str,
    /// Its Verilog parameters, tables included.
    pub parameters: &'a [(String, String)],
    /// File names and texts of the block and of the link port.
    pub sources: &'a [(String, String)],
    /// Timers of link ports (`REQUEST_TICKS`, `TAIL_TICKS`), and `LINE_FLITS`.
    pub ticks: [u32; 2],
    pub line_flits: u32,
    /// Of its cables, by port.
    pub links: Vec<NodeLink>,
    /// Own address and those of the nodes that a self-test sends to.
    pub address: u32,
    pub peers: Vec<u32>,
    pub pcie: Pcie,
    /// What carries its links.
    pub lines: LinkCore,
    pub place: &'a NodeBoard,
}

impl Node<'_> {
    /// Which side of a ribbon this is.
    pub fn side(&self) -> Option<&'static str> {
        let is_first = self.links.first()?.is_first_end;
        let has_sides = self.lines == LinkCore::Ribbon;
        has_sides.then_some(if is_first { "a" } else { "b" })
    }

    /// Whether it plays its own host.
    pub fn tests_itself(&self) -> bool {
        self.pcie == Pcie::None && self.module.pcie_ports > 0
    }

    /// Name of the module with block and link ports.
    pub(super) fn core(&self) -> String {
        format!("node_{}_core", self.name)
    }
}
