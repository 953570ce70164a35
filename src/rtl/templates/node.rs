//! `<name>_adapter_node`, `_switch_node`, `_rok_node`, `_terminal_node`: a block with its network-wide
//! parameters fixed and its ports bundled by link.

use askama::Template;

use super::instance::{connection_lines, declarations, overrides, same_connections, same_name};
use crate::parameters::{link_bits, module_name, shared_parameters};
use crate::verilog::{Declaration, Direction, port_list};
use mkns_design::BlockModule;

#[derive(Template)]
#[template(path = "network/node.v")]
pub struct Node<'a> {
    name: &'a str,
    block: &'static str,
    banner: &'a str,
    parameters: String,
    ports: String,
    network_ports: u32,
    data_width: u32,
    vcs: u32,
    vc_bits: u32,
    link_bits: u32,
    overrides: String,
    connections: String,
}

impl<'a> Node<'a> {
    /// The wrapper for all modules of the kind of `module`, whose table shapes are the defaults.
    pub fn new(module: &BlockModule, name: &'a str, banner: &'a str) -> Self {
        Self {
            name,
            block: module_name(module.kind),
            banner,
            parameters: parameter_declarations(module).join(",\n"),
            ports: port_list(&node_ports(module)),
            network_ports: module.network_ports,
            data_width: module.parameters.flit_bits,
            vcs: module.parameters.virtual_channels,
            vc_bits: module.virtual_channel_bits(),
            link_bits: link_bits(module),
            overrides: connection_lines(&[
                overrides(&shared_parameters(module)),
                passed_parameters(module),
            ]),
            connections: block_connections(module),
        }
    }
}

/// What differs between the blocks of a kind.
pub(super) fn parameter_declarations(module: &BlockModule) -> Vec<String> {
    let ports = module.core_ports();
    let square = ports * ports;
    let mut list = Vec::new();
    if module.kind.has_hosts() {
        list.push("    parameter [19:0] NODE_ADDRESS = 20'd0".to_owned());
    }
    if !module.kind.is_pok() {
        list.push(format!(
            "    parameter [{}:0] STEP = {square}'d0",
            square - 1
        ));
    }
    if let Some(masks) = module.masks {
        let bits = 8 * masks.entries();
        list.push("    parameter [15:0] LAYER_ENTRY = 16'd0".to_owned());
        list.push(format!("    parameter [{}:0] MASKS_INIT = 0", bits - 1));
    }
    if let Some(nodes) = module.candidates() {
        let bits = module.network_ports * nodes.entries();
        let range = format!("[{}:0]", bits - 1);
        list.push(format!("    parameter {range} CANDIDATES_INIT = 0"));
    }
    let layers = module.parameters.layers;
    for (shape, n) in module.tables.iter().zip(0..) {
        let bits = format!("16*({layers} << TABLE{n}_BITS)");
        list.push(format!("    parameter TABLE{n}_LSB = {}", shape.lsb));
        list.push(format!("    parameter TABLE{n}_BITS = {}", shape.bits));
        list.push(format!("    parameter [{bits}-1:0] TABLE{n}_INIT = 0"));
    }
    list
}

/// Parameters of the node handed on to the block under their own names.
pub(super) fn passed_parameters(module: &BlockModule) -> Vec<String> {
    let names = parameter_names(module);
    names.map(|name| same_name(&name)).collect()
}

/// Names of what differs between the blocks of a kind.
pub fn parameter_names(module: &BlockModule) -> impl Iterator<Item = String> + use<> {
    let tables = (0..module.tables.len())
        .flat_map(|n| ["LSB", "BITS", "INIT"].map(|what| format!("TABLE{n}_{what}")));
    let address = module.kind.has_hosts().then(|| "NODE_ADDRESS".to_owned());
    let step = (!module.kind.is_pok()).then(|| "STEP".to_owned());
    let paths = module
        .masks
        .map(|_| ["LAYER_ENTRY", "MASKS_INIT"].map(str::to_owned));
    let paths = paths.into_iter().flatten();
    let candidates = (module.candidates()).map(|_| "CANDIDATES_INIT".to_owned());
    let paths = paths.chain(candidates);
    let tables: Vec<String> = tables.collect();
    address.into_iter().chain(step).chain(paths).chain(tables)
}

/// Ports of the wrapper: links bundled, everything else as on the block.
pub fn node_ports(module: &BlockModule) -> Vec<Declaration> {
    let ports = u64::from(module.network_ports);
    let bundle = ports * u64::from(link_bits(module));
    let mut list = vec![
        Declaration::new(Direction::Input, 1, "clk"),
        Declaration::new(Direction::Input, 1, "rst"),
        Declaration::new(Direction::Input, ports, "link_up"),
        Declaration::new(Direction::Input, bundle, "link_rx"),
        Declaration::new(Direction::Output, bundle, "link_tx"),
    ];
    list.extend(
        OTHER_PORTS
            .into_iter()
            .flat_map(|prefix| declarations(module, prefix, 1)),
    );
    list
}

/// Prefixes of the ports that are not part of a link.
pub const OTHER_PORTS: [&str; 3] = ["s_axis_pcie_", "m_axis_pcie_", "s_axil_"];

/// Every port of the block joined to the net of its name.
fn block_connections(module: &BlockModule) -> String {
    let same = |prefix: &str| same_connections(module, prefix);
    let clock = vec![".clk(clk)".to_owned()];
    let groups = [clock, same("r"), same("tx_"), same("link_up")];
    let others = OTHER_PORTS.map(same);
    connection_lines(&[&groups[..], &others[..]].concat())
}
