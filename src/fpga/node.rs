//! A block of a network with an FPGA of its own: link ports at its cables, wrappers of their lines, hosts or a
//! self-test in their place, and a top for a board.

use askama::Template;

use mkns_design::{BlockModule, ModuleKind};

use super::board::{Board, ConstraintFile, Reset};
use super::harness::overrides;
use super::node_board::{Lane, NodeBoard, Pcie};
use super::parts::{finished, parts};
use super::register_bridge::register_bridge;
use super::selftest::BAUD;
use super::vendor::VendorCore;
use super::{HostCore, LinkCore};

/// Nodes that a self-testing one sends to, at most.
pub const MOST_PEERS: usize = 8;

/// Ways between the clocks of a node, for Vivado.
const CLOCK_CONSTRAINTS: ConstraintFile = (
    "node_clocks.xdc",
    include_str!("../../constraints/common/node_clocks.xdc"),
);

/// A cable of the block.
#[derive(Debug, Clone)]
pub struct NodeLink {
    pub port: u8,
    /// Name, number and port of the block at the other end.
    pub peer: String,
    pub peer_number: u32,
    pub peer_port: u8,
    /// This block is the cable's first end: side a of a ribbon.
    pub is_first_end: bool,
}

/// One block of a network and what it needs to know of it.
pub struct Node<'a> {
    pub module: &'a BlockModule,
    /// Name of the block, such as `ab_0_0_0_0`.
    pub name: &'a str,
    pub number: u32,
    pub network: &'a str,
    /// Its Verilog parameters, tables included.
    pub parameters: &'a [(String, String)],
    /// File names and texts of the block and of the link port.
    pub sources: &'a [(String, String)],
    /// Of its cables, by port.
    pub links: Vec<NodeLink>,
    /// Own address and those of the nodes that a self-test sends to.
    pub address: u32,
    pub peers: Vec<u32>,
    pub pcie: Pcie,
    pub place: &'a NodeBoard,
}

/// A link as the node's text has it.
struct LinkText<'a> {
    port: u8,
    peer: &'a str,
    peer_number: u32,
    peer_port: u8,
    expected: String,
}

#[derive(Template)]
#[template(path = "fpga/node.v")]
struct Core<'a> {
    banner: &'a str,
    name: String,
    title: String,
    module: String,
    parameters: String,
    ports: u32,
    vcs: u32,
    credits: u32,
    ticks: [u32; 2],
    hosts: u32,
    host_bits: u32,
    network: String,
    number: u32,
    kind: u32,
    links: Vec<LinkText<'a>>,
    free_ports: Vec<u8>,
}

/// What the tops of all self-testing nodes have in common.
macro_rules! tops {
    ($($template:ident $path:literal),* $(,)?) => {
        $(
            #[derive(Template)]
            #[template(path = $path)]
            struct $template<'a> {
                banner: &'a str,
                name: String,
                core: String,
                title: &'a str,
                block: &'a str,
                #[allow(dead_code, reason = "a ribbon has sides")]
                side: &'static str,
                mhz: f64,
                #[allow(dead_code, reason = "not every board makes another clock")]
                core_mhz: f64,
                clock_hz: u32,
                baud: u32,
                divider: u32,
                reset_level: &'static str,
                text: String,
                length: usize,
                links: usize,
                hosts: u32,
                address: String,
                peers: usize,
                peer_list: String,
                max_payload: u32,
            }

            impl<'a> $template<'a> {
                fn text(node: &Node<'a>, board: &'a Board, banner: &'a str) -> String {
                    let text = format!(
                        "mkns node {} up PPPP sent SSSSSSSS received RRRRRRRR errors EEEEEEEE WXYZ",
                        node.name
                    );
                    let clock_hz = node.place.clock_hz;
                    let list = node.peers.iter().rev().map(|peer| format!("20'h{peer:05x}"));
                    let block = &node.module.parameters;
                    let view = Self {
                        banner,
                        name: board.top(),
                        core: node.core(),
                        title: board.title,
                        block: node.name,
                        side: node.side().unwrap_or_default(),
                        mhz: f64::from(board.clock_hz()) / 1e6,
                        core_mhz: f64::from(clock_hz) / 1e6,
                        clock_hz,
                        baud: BAUD,
                        divider: (clock_hz + BAUD / 2) / BAUD,
                        reset_level: node.place.reset_level,
                        // carriage return and line feed follow
                        length: text.len() + 2,
                        text,
                        links: node.links.len(),
                        hosts: node.module.pcie_ports,
                        address: format!("{:05x}", node.address),
                        peers: node.peers.len(),
                        peer_list: format!("{{{}}}", list.collect::<Vec<_>>().join(", ")),
                        max_payload: (block.max_packet_flits - 1).min(15),
                    };
                    finished(view.render())
                }
            }
        )*
    };
}

tops! {
    RibbonTop "fpga/node_ribbon.v",
    SerdesTop "fpga/node_serdes.v",
}

#[derive(Template)]
#[template(path = "fpga/node_card.v")]
struct CardTop<'a> {
    banner: &'a str,
    name: String,
    core: String,
    title: &'a str,
    block: &'a str,
    mhz: f64,
    baud: u32,
    divider: u32,
    has_button: bool,
    reset_note: &'static str,
    reset_level: &'static str,
    tied_pins: Vec<(&'a str, &'a str)>,
    last_led: u32,
    lanes: &'static [Lane],
    hosts: u32,
    channels: Vec<u32>,
}

#[derive(Template)]
#[template(path = "fpga/ecp5_serdes.v")]
struct Ecp5Serdes<'a> {
    banner: &'a str,
    extref: &'static str,
    dcu: &'static str,
}

parts! {
    Synchroniser "fpga/bit_synchroniser.v",
    Test "fpga/node_test.v",
    Report "fpga/report_line.v",
    Transmitter "fpga/uart_transmitter.v",
}

impl Node<'_> {
    /// File names and texts of everything for `board`, whose top is this node's.
    pub fn sources(&self, board: &Board, banner: &str) -> Vec<(String, String)> {
        let mut files = self.sources.to_vec();
        files.extend(self.place.lines.files(banner));
        files.extend(parts(banner));
        files.push((format!("{}.v", self.core()), self.core_text(banner)));
        let top = match self.place.lines {
            LinkCore::Ribbon => RibbonTop::text(self, board, banner),
            LinkCore::Aurora64b66b => self.card_text(board, banner),
            _ => SerdesTop::text(self, board, banner),
        };
        files.push((format!("{}.v", board.top()), top));
        if self.place.lines == LinkCore::Symbols8b10b {
            let serdes = Ecp5Serdes {
                banner,
                extref: "EXTREF1",
                dcu: "DCU1",
            };
            files.push(("ecp5_serdes.v".to_owned(), finished(serdes.render())));
        }
        if self.place.pcie == Pcie::Xdma {
            files.extend(HostCore::Xdma.files(banner));
            files.extend(register_bridge(banner));
        }
        files.retain(|(name, _)| name.ends_with(".v"));
        files.sort();
        files.dedup_by(|a, b| a.0 == b.0);
        files
    }

    fn card_text(&self, board: &Board, banner: &str) -> String {
        let view = CardTop {
            banner,
            name: board.top(),
            core: self.core(),
            title: board.title,
            block: self.name,
            mhz: f64::from(self.place.clock_hz) / 1e6,
            baud: BAUD,
            divider: (self.place.clock_hz + BAUD / 2) / BAUD,
            has_button: board.reset != Reset::None,
            reset_note: match board.reset {
                Reset::None => "after power-up",
                _ => "button, 1 when pressed, and once after power-up",
            },
            reset_level: self.place.reset_level,
            tied_pins: board.tied_levels(),
            last_led: board.leds - 1,
            lanes: &self.place.lanes[..self.links.len()],
            hosts: self.module.pcie_ports,
            channels: (0..self.module.pcie_ports).collect(),
        };
        finished(view.render())
    }

    /// Cores that the maker's program makes: name, kind and properties.
    pub(super) fn cores(&self) -> Vec<VendorCore> {
        let lanes = self.place.lanes.iter().take(self.links.len()).enumerate();
        let mut cores: Vec<_> = lanes
            .map(|(n, lane)| VendorCore::aurora(n, lane, self.place.clock_hz))
            .collect();
        if self.place.pcie == Pcie::Xdma {
            cores.push(VendorCore::xdma(self.module.pcie_ports));
        }
        cores
    }

    /// Pins and clocks: those of the board, and those of its lines.
    pub fn constraints(&self, board: &Board) -> Vec<(String, String)> {
        let lines = self.place.constraints(self.side(), self.links.len());
        let with_lines = |(name, text): &ConstraintFile| {
            let text = format!("{text}{lines}");
            ((*name).to_owned(), text)
        };
        let mut files: Vec<_> = board.constraints.iter().map(with_lines).collect();
        if !self.place.lanes.is_empty() {
            let (name, text) = CLOCK_CONSTRAINTS;
            files.push((name.to_owned(), text.to_owned()));
        }
        files
    }

    /// Which side of a ribbon this is.
    pub fn side(&self) -> Option<&'static str> {
        let is_first = self.links.first()?.is_first_end;
        let has_sides = self.place.lines == LinkCore::Ribbon;
        has_sides.then_some(if is_first { "a" } else { "b" })
    }

    /// Name of the module with block and link ports.
    fn core(&self) -> String {
        format!("node_{}_core", self.name)
    }

    fn core_text(&self, banner: &str) -> String {
        let block = &self.module.parameters;
        let links = self.links.iter().map(|link| LinkText {
            port: link.port,
            peer: &link.peer,
            peer_number: link.peer_number,
            peer_port: link.peer_port,
            expected: format!("32'h80{:02x}{:04x}", link.peer_port, link.peer_number),
        });
        let has_link = |port: &u8| self.links.iter().any(|link| link.port == *port);
        let ports = self.module.network_ports;
        let view = Core {
            banner,
            name: self.core(),
            title: format!("block {} of network {}", self.name, self.network),
            module: format!("{}_block", self.module.kind.name()),
            parameters: overrides(self.parameters).join(",\n"),
            ports,
            vcs: block.virtual_channels,
            credits: block.rx_buffer_flits,
            ticks: self.place.ticks,
            hosts: self.module.pcie_ports,
            host_bits: block.pcie_bits,
            network: format!("{:08x}", hash(self.network)),
            number: self.number,
            kind: match self.module.kind {
                ModuleKind::Switch => 0,
                _ => 1,
            },
            links: links.collect(),
            free_ports: (0..ports as u8).filter(|port| !has_link(port)).collect(),
        };
        finished(view.render())
    }
}

/// FNV-1a, 32 bits, of a network's name: the two ends of a cable compare it.
fn hash(name: &str) -> u32 {
    let step = |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    name.bytes().fold(0x811c_9dc5, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_known_words() {
        assert_eq!(hash(""), 0x811c_9dc5);
        assert_eq!(hash("a"), 0xe40c_292c);
        assert_eq!(hash("foobar"), 0xbf9c_f968);
    }
}
