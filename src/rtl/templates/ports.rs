//! `docs/ports.md`: ports, numbers, address and header layout, register map.

use std::collections::BTreeMap;

use askama::Template;

use super::own_design::OwnDesign;
use super::register_rows::{RegisterRow, bits, register_rows};
use super::send_packet::SendPacket;
use super::top;
use super::top_blocks::blocks_with_hosts;
use crate::names::{board_name, module_of, node_name};
use crate::parameters::module_name;
use crate::verilog::{Declaration, Direction};
use mkns_design::{BlockModule, HEADER, HeaderField, ModuleKind, Plan, PortTable, port_meaning};
use mkns_topology::BlockRole;

#[derive(Template)]
#[template(path = "flow/ports.md")]
pub struct Ports<'a> {
    name: &'a str,
    banner: &'a str,
    contents: String,
    top: String,
    top_ports: Vec<PortRow>,
    numbers: Vec<NumberRange>,
    address_fields: Vec<AddressRow>,
    header_fields: Vec<HeaderRow>,
    send_packet: Option<SendPacket<'a>>,
    blocks: Vec<Block>,
}

struct PortRow {
    name: String,
    direction: &'static str,
    bits: u64,
    meaning: &'static str,
}

struct NumberRange {
    what: &'static str,
    numbers: String,
    order: String,
}

struct AddressRow {
    name: String,
    bits: String,
    size: u32,
}

struct HeaderRow {
    name: &'static str,
    bits: String,
    meaning: &'static str,
}

struct Block {
    module: &'static str,
    node: String,
    instances: usize,
    ports: Vec<PortRow>,
    own_design: Option<OwnDesign>,
    boards: Vec<BoardRows>,
    has_registers: bool,
    registers: Vec<RegisterRow>,
}

/// A board around blocks of a kind.
struct BoardRows {
    name: String,
    serial: String,
    links: u32,
}

impl<'a> Ports<'a> {
    /// `banner` without comment marks.
    pub fn new(plan: &'a Plan, top_name: String, banner: &'a str) -> Self {
        let kinds = [
            ModuleKind::Adapter,
            ModuleKind::Switch,
            ModuleKind::Pok,
            ModuleKind::Terminal,
        ];
        let modules = kinds.into_iter().filter_map(|kind| module_of(plan, kind));
        Self {
            name: &plan.spec.name,
            banner,
            contents: top::contents(plan),
            top: top_name,
            top_ports: top::ports(plan).into_iter().map(top_row).collect(),
            numbers: numbers(plan),
            address_fields: address_rows(plan),
            header_fields: HEADER.iter().map(header_row).collect(),
            send_packet: SendPacket::new(plan),
            blocks: modules.map(|module| block(plan, module)).collect(),
        }
    }
}

fn top_row(port: Declaration) -> PortRow {
    let meaning = match port.name.as_str() {
        "clk" => "clock, rising edge",
        "cable_up" => "both ends' `link_up` of each cable",
        name => port_meaning(name),
    };
    PortRow {
        direction: match port.direction {
            Direction::Input => "in",
            Direction::Output => "out",
        },
        bits: port.bits,
        meaning,
        name: port.name,
    }
}

/// Which numbers mean what.
fn numbers(plan: &Plan) -> Vec<NumberRange> {
    let network = &plan.network;
    let range = |first: usize, count: usize| format!("{first} to {}", first + count - 1);
    let hosts = network.blocks[0].pcie_ports;
    let adapters = network.adapters().len();
    if adapters == 0 {
        return distributed_numbers(plan, range);
    }
    let mut list = vec![
        NumberRange {
            what: "hosts",
            numbers: range(0, network.hosts.len()),
            order: format!("{hosts} an adapter block, in order of blocks"),
        },
        NumberRange {
            what: "adapter blocks",
            numbers: range(0, adapters),
            order: "x fastest, then y, z, w".to_owned(),
        },
    ];
    if network.blocks.len() > adapters {
        list.push(NumberRange {
            what: "switch blocks",
            numbers: range(adapters, network.blocks.len() - adapters),
            order: "by dimension, then line; in an assembly leaves before spines".to_owned(),
        });
    }
    list.push(NumberRange {
        what: "cables",
        numbers: range(0, network.cables.len()),
        order: "by lower block, then its port".to_owned(),
    });
    list
}

/// [`numbers`] of a distributed switch.
fn distributed_numbers(plan: &Plan, range: impl Fn(usize, usize) -> String) -> Vec<NumberRange> {
    let network = &plan.network;
    let terminals = blocks_with_hosts(network);
    let units = (network.blocks.iter())
        .filter(|block| matches!(block.role, BlockRole::Pok { .. }))
        .count();
    let row = |what, first, count, order: &str| NumberRange {
        what,
        numbers: range(first, count),
        order: order.to_owned(),
    };
    let mut list = vec![row("terminals", 0, terminals, "as in the paper, from 0")];
    if network.hosts.len() > terminals {
        let order = "by terminal, then its port";
        list.push(row("streams", 0, network.hosts.len(), order));
    }
    if units > 0 {
        let order = "by cascade, copy, then unit";
        list.push(row("POK units", terminals, units, order));
    }
    let first = terminals + units;
    list.push(row(
        "spine switches",
        first,
        network.blocks.len() - first,
        "by copy",
    ));
    let order = "by end `a`, then end `b`, as in `cables.csv`; `cable_up` must stay 1";
    list.push(row("cables", 0, network.cables.len(), order));
    list
}

fn address_rows(plan: &Plan) -> Vec<AddressRow> {
    let fields = plan.layout.fields.iter();
    let row = |field: &mkns_routing::AddressField| AddressRow {
        name: field.name.clone(),
        bits: bits(field.offset, field.bits),
        size: field.size,
    };
    fields.map(row).collect()
}

fn header_row(field: &HeaderField) -> HeaderRow {
    HeaderRow {
        name: field.name,
        bits: bits(field.lsb, field.msb - field.lsb + 1),
        meaning: field.meaning,
    }
}

fn block(plan: &Plan, module: &BlockModule) -> Block {
    let PortTable { inputs, outputs } = module.port_table();
    let row = |port: &mkns_design::Port, direction| PortRow {
        name: port.name.to_owned(),
        direction,
        bits: u64::from(port.bits),
        meaning: port_meaning(port.name),
    };
    let inputs = inputs.iter().map(|port| row(port, "in"));
    let outputs = outputs.iter().map(|port| row(port, "out"));
    let of_kind = |index: usize| plan.modules[index].kind == module.kind;
    let modules = plan
        .modules
        .iter()
        .filter(|other| other.kind == module.kind);
    let widest = modules.max_by_key(|other| other.serial_ports.count_ones());
    Block {
        module: module_name(module.kind),
        node: node_name(plan, module.kind),
        instances: (plan.instances.iter())
            .filter(|instance| of_kind(instance.module))
            .count(),
        ports: inputs.chain(outputs).collect(),
        own_design: OwnDesign::new(plan, module.kind),
        boards: boards(plan, module.kind),
        has_registers: module.parameters.control_port,
        registers: register_rows(widest.unwrap_or(module)),
    }
}

/// The boards of a kind of blocks, by name.
fn boards(plan: &Plan, kind: ModuleKind) -> Vec<BoardRows> {
    let modules = plan.modules.iter().filter(|module| module.kind == kind);
    let modules = modules.filter(|module| module.serial_ports != 0);
    let rows = modules.map(|module| {
        let serial = module.serial_port_numbers().map(|port| port.to_string());
        let row = BoardRows {
            name: board_name(plan, module),
            serial: serial.collect::<Vec<_>>().join(", "),
            links: module.serial_ports.count_ones(),
        };
        (row.name.clone(), row)
    });
    rows.collect::<BTreeMap<_, _>>().into_values().collect()
}
