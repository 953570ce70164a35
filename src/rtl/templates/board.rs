//! `<name>_adapter_board`, `_switch_board`: a node with link ports at its serial network ports.

use askama::Template;

use super::instance::{connection_lines, same_connections};
use super::node::{node_ports, parameter_declarations, parameter_names, passed_parameters};
use crate::literal::Literal;
use crate::names::{board_name, node_name};
use crate::parameters::link_bits;
use crate::verilog::{Declaration, Direction, port_list};
use mkns_design::{BlockInstance, BlockModule, Plan, expected_peer, network_hash};
use mkns_topology::{End, NetworkIndex, PortIndex};

#[derive(Template)]
#[template(path = "network/board.v")]
pub struct Board<'a> {
    name: String,
    node: String,
    banner: &'a str,
    parameters: String,
    ports: String,
    network_ports: u32,
    vcs: u32,
    link_bits: u32,
    credits: u32,
    line_flits: u32,
    request_ticks: u32,
    tail_ticks: u32,
    network: String,
    kind: u32,
    serial: Vec<u32>,
    serial_list: String,
    parallel: Vec<u32>,
    links: String,
    /// Whether there is a management unit, and the pins in front of the window: its, or those of the board.
    managed: bool,
    master: &'static str,
    streams: String,
    passed: String,
}

impl<'a> Board<'a> {
    /// None where no port is serial.
    pub fn new(plan: &Plan, module: &BlockModule, banner: &'a str) -> Option<Self> {
        let link = plan.spec.link.as_ref()?;
        let serial: Vec<u32> = module.serial_port_numbers().collect();
        if serial.is_empty() {
            return None;
        }
        let is_serial = |port: &u32| serial.contains(port);
        let ports = module.network_ports;
        let streams = ["s_axis_pcie_", "m_axis_pcie_"];
        let streams = streams.map(|prefix| same_connections(module, prefix));
        let numbers: Vec<String> = serial.iter().map(u32::to_string).collect();
        let [request_ticks, tail_ticks] = link.ticks();
        Some(Self {
            name: board_name(plan, module),
            node: node_name(plan, module.kind),
            banner,
            parameters: parameters(module, serial.len()).join(",\n"),
            ports: port_list(&board_ports(module)),
            network_ports: ports,
            vcs: module.parameters.virtual_channels,
            link_bits: link_bits(module),
            credits: module.parameters.rx_buffer_flits,
            line_flits: link.receive_flits,
            request_ticks,
            tail_ticks,
            network: format!("{:08x}", network_hash(&plan.spec.name)),
            kind: module.kind.code(),
            serial_list: numbers.join(", "),
            parallel: (0..ports).filter(|port| !is_serial(port)).collect(),
            serial,
            links: format!("{:x}", module.serial_ports),
            managed: link.is_managed(),
            master: match link.is_managed() {
                true => "window_",
                false => "s_axil_",
            },
            streams: connection_lines(&streams),
            passed: connection_lines(&[passed_parameters(module)]),
        })
    }

    /// Line `number` of a vector with a bit a line.
    fn select(&self, number: &usize) -> String {
        match self.serial.len() {
            1 => String::new(),
            _ => format!("[{number}]"),
        }
    }
}

fn parameters(module: &BlockModule, links: usize) -> Vec<String> {
    let bits = 32 * links;
    let peers = format!(
        "    parameter [{}:0] EXPECTED_PEERS = {{{bits}{{1'b0}}}}",
        bits - 1
    );
    let mut list = vec![peers];
    list.extend(parameter_declarations(module));
    list
}

/// Names of the parameters of a board.
pub fn board_parameters(module: &BlockModule) -> impl Iterator<Item = String> {
    std::iter::once("EXPECTED_PEERS".to_owned()).chain(parameter_names(module))
}

/// Ports of the node, those of the lines that are no flits, and who this is.
pub fn board_ports(module: &BlockModule) -> Vec<Declaration> {
    let mut list = node_ports(module);
    let links = u64::from(module.serial_ports.count_ones());
    let more = [
        ("link_clk", links),
        ("link_rst", links),
        ("block_number", 16),
        ("line_tx_ready", links),
    ];
    let more = more.map(|(name, bits)| Declaration::new(Direction::Input, bits, name));
    // behind clk and rst
    list.splice(2..2, more);
    list
}

/// In the network top all lines have the blocks' clock and take every word.
pub fn line_connections(instance: &BlockInstance, module: &BlockModule) -> Option<Vec<String>> {
    let links = module.serial_ports.count_ones();
    let copies = |name: &str, value: &str| format!(".{name}({{{links}{{{value}}}}})");
    (links > 0).then(|| {
        vec![
            copies("link_clk", "clk"),
            copies("link_rst", "rst"),
            format!(".block_number(16'd{})", instance.block.0 & 0xffff),
            copies("line_tx_ready", "1'b1"),
        ]
    })
}

/// Who has to be at the other ends of the lines, the lowest port in the low bits; none where no port is serial.
pub fn peer_list(
    index: &NetworkIndex,
    instance: &BlockInstance,
    module: &BlockModule,
) -> Option<Literal> {
    let peers = module.serial_port_numbers().map(|port| {
        let end = End {
            block: instance.block,
            port: PortIndex(port as u8),
        };
        index.peer(end).map_or(0, expected_peer)
    });
    let words: Vec<u16> = peers
        .flat_map(|peer| [peer as u16, (peer >> 16) as u16])
        .collect();
    (!words.is_empty()).then(|| Literal::words(&words))
}
