//! Verilog of a node: the block with its link ports, and tops for ribbons, transceivers of an ECP5, and cards. A top has
//! the node test in it, or a way to the block's hosts and to its control port.

use askama::Template;

use mkns_design::{ModuleKind, network_hash};
use mkns_rtl::verilog;

use super::LinkCore;
use super::Node;
use super::board::{Board, Reset};
use super::harness::overrides;
use super::node_board::{Lane, Pcie};
use super::node_cores::cores;
use super::selftest::BAUD;

/// A link as the node's text has it.
struct LinkText<'a> {
    port: u8,
    has_peer: bool,
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
    line_flits: u32,
    link_ports: String,
    hosts: u32,
    host_bits: u32,
    network: String,
    number: u32,
    managed: bool,
    /// The pins in front of the window: those of the unit, or of the node.
    master: &'static str,
    kind: u32,
    links: Vec<LinkText<'a>>,
    free_ports: Vec<u8>,
}

/// What the tops of all nodes are made of.
macro_rules! tops {
    ($($template:ident $path:literal),* $(,)?) => {
        $(
            #[derive(Template)]
            #[template(path = $path)]
            #[allow(dead_code, reason = "no board needs all of it")]
            struct $template<'a> {
                banner: &'a str,
                name: String,
                core: String,
                title: &'a str,
                block: &'a str,
                side: &'static str,
                mhz: f64,
                core_mhz: f64,
                clock_hz: u32,
                baud: u32,
                divider: u32,
                resets: Vec<(&'static str, u8)>,
                reset_level: String,
                link_clk: &'static str,
                link_rst: &'static str,
                text: String,
                length: usize,
                links: usize,
                hosts: u32,
                address: String,
                peers: usize,
                peer_list: String,
                max_payload: u32,
                buffer_bits: u32,
                longest_packet: u32,
                aurora: bool,
                pcie: &'static str,
                block_pins: &'static str,
                has_test: bool,
                cores: String,
                has_button: bool,
                reset_note: &'static str,
                tied_pins: Vec<(&'a str, &'a str)>,
                last_led: u32,
                lanes: &'static [Lane],
                channels: Vec<u32>,
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
                    let is_card = !node.place.lanes.is_empty();
                    let cores = cores(node).into_iter().map(|core| core.name);
                    let view = Self {
                        banner,
                        name: board.top(),
                        core: node.core(),
                        title: board.title,
                        block: node.name,
                        side: node.side().unwrap_or_default(),
                        mhz: f64::from(if is_card { clock_hz } else { board.clock_hz() }) / 1e6,
                        core_mhz: f64::from(clock_hz) / 1e6,
                        clock_hz,
                        baud: BAUD,
                        divider: (clock_hz + BAUD / 2) / BAUD,
                        resets: node.place.reset_levels(),
                        reset_level: node.place.reset_level(),
                        // on a card each link has a clock of its own
                        link_clk: if is_card { "user_clk" } else { "clock" },
                        link_rst: if is_card { "link_rst" } else { "rst" },
                        // carriage return and line feed follow
                        length: text.len() + 2,
                        text,
                        links: node.links.len(),
                        hosts: node.module.pcie_ports,
                        address: format!("{:05x}", node.address),
                        peers: node.peers.len(),
                        peer_list: format!("{{{}}}", list.collect::<Vec<_>>().join(", ")),
                        max_payload: (block.max_packet_flits - 1).min(15),
                        buffer_bits: block.host_buffer_beats.ilog2(),
                        longest_packet: block.longest_host_packet(),
                        aurora: node.lines == LinkCore::Aurora64b66b,
                        pcie: node.pcie.option(),
                        // behind the registers of the hosts' buffers
                        block_pins: match node.pcie {
                            Pcie::None => "",
                            Pcie::Xdma | Pcie::LitePcie => "block_",
                        },
                        has_test: node.tests_itself(),
                        cores: cores.collect::<Vec<_>>().join(", "),
                        has_button: board.reset != Reset::None,
                        reset_note: match board.reset {
                            Reset::None => "after power-up",
                            _ => "button, 1 when pressed, and once after power-up",
                        },
                        tied_pins: board.tied_levels(),
                        last_led: board.leds - 1,
                        lanes: &node.place.lanes[..node.links.len().min(node.place.lanes.len())],
                        channels: (0..node.module.pcie_ports).collect(),
                    };
                    verilog(view.render(), banner)
                }
            }
        )*
    };
}

tops! {
    RibbonTop "fpga/node_ribbon.v",
    SerdesTop "fpga/node_serdes.v",
    CardTop "fpga/node_card.v",
}

#[derive(Template)]
#[template(path = "fpga/ecp5_serdes.v")]
struct Ecp5Serdes<'a> {
    banner: &'a str,
    extref: &'static str,
    dcu: &'static str,
}

/// The top for a board.
pub(super) fn top_text(node: &Node, board: &Board, banner: &str) -> String {
    match node.lines {
        LinkCore::Ribbon => RibbonTop::text(node, board, banner),
        LinkCore::Symbols8b10b => SerdesTop::text(node, board, banner),
        LinkCore::Aurora64b66b | LinkCore::TenGbaseR => CardTop::text(node, board, banner),
    }
}

/// The transceiver of an ECP5 that boards use.
pub(super) fn serdes_text(banner: &str) -> String {
    let serdes = Ecp5Serdes {
        banner,
        extref: "EXTREF1",
        dcu: "DCU1",
    };
    verilog(serdes.render(), banner)
}

/// The module with the block and its link ports.
pub(super) fn core_text(node: &Node, banner: &str) -> String {
    let block = &node.module.parameters;
    let links = node.links.iter().map(|link| LinkText {
        port: link.port,
        has_peer: link.peer.is_some(),
        peer: link.peer.as_ref().map_or("", |peer| &peer.block),
        peer_number: link.peer.as_ref().map_or(0, |peer| peer.number),
        peer_port: link.peer.as_ref().map_or(0, |peer| peer.port),
        expected: link.peer.as_ref().map_or("32'd0".to_owned(), |peer| {
            format!("32'h80{:02x}{:04x}", peer.port, peer.number)
        }),
    });
    let has_link = |port: &u8| node.links.iter().any(|link| link.port == *port);
    let ports = node.module.network_ports;
    let view = Core {
        banner,
        name: node.core(),
        title: match node.is_shared {
            true => format!("any {} block of network {}", node.name, node.network),
            false => format!("block {} of network {}", node.name, node.network),
        },
        module: format!("{}_block", node.module.kind.name()),
        parameters: overrides(node.parameters).join(",\n"),
        ports,
        vcs: block.virtual_channels,
        credits: block.rx_buffer_flits,
        ticks: node.ticks,
        line_flits: node.line_flits,
        link_ports: format!(
            "{:x}",
            node.links
                .iter()
                .fold(0_u32, |ports, link| ports | 1 << link.port)
        ),
        hosts: node.module.pcie_ports,
        host_bits: block.pcie_bits,
        network: format!("{:08x}", network_hash(node.network)),
        number: node.number,
        managed: node.is_managed,
        master: match node.is_managed {
            true => "window_",
            false => "s_axil_",
        },
        kind: match node.module.kind {
            ModuleKind::Switch => 0,
            _ => 1,
        },
        links: links.collect(),
        free_ports: (0..ports as u8).filter(|port| !has_link(port)).collect(),
    };
    verilog(view.render(), banner)
}
