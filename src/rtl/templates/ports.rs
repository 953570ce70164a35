//! `docs/ports.md`: ports, numbers, address and header layout, register map.

use std::collections::BTreeMap;

use askama::Template;

use super::instance::declarations;
use super::own_design::{OwnDesign, PortRow};
use super::register_rows::{RegisterRow, bits, register_rows};
use super::send_packet::SendPacket;
use super::top;
use super::top_blocks::blocks_with_hosts;
use crate::names::{board_name, module_of, node_name};
use crate::parameters::module_name;
use crate::verilog::Declaration;
use mkns_design::{BlockModule, HEADER, HeaderField, ModuleKind, Plan, port_meaning};
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

struct NumberRange {
    what: &'static str,
    numbers: String,
    order: String,
}

impl NumberRange {
    /// `count` numbers from the first on.
    fn new(what: &'static str, first: usize, count: usize, order: &str) -> Self {
        Self {
            what,
            numbers: format!("{first} to {}", first + count - 1),
            order: order.to_owned(),
        }
    }
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
    PortRow::new(port, meaning)
}

/// Which numbers mean what.
fn numbers(plan: &Plan) -> Vec<NumberRange> {
    let network = &plan.network;
    let adapters = network.adapters().len();
    if adapters == 0 {
        return distributed_numbers(plan);
    }
    let row = NumberRange::new;
    let order = format!(
        "{} an adapter block, in order of blocks",
        network.blocks[0].pcie_ports
    );
    let mut list = vec![
        row("hosts", 0, network.hosts.len(), &order),
        row("adapter blocks", 0, adapters, "x fastest, then y, z, w"),
    ];
    if network.blocks.len() > adapters {
        let order = "by dimension, then line; in an assembly leaves before spines";
        let count = network.blocks.len() - adapters;
        list.push(row("switch blocks", adapters, count, order));
    }
    let order = "by lower block, then its port";
    list.push(row("cables", 0, network.cables.len(), order));
    list
}

/// [`numbers`] of a distributed switch.
fn distributed_numbers(plan: &Plan) -> Vec<NumberRange> {
    let network = &plan.network;
    let terminals = blocks_with_hosts(network);
    let units = (network.blocks.iter())
        .filter(|block| matches!(block.role, BlockRole::Pok { .. }))
        .count();
    let row = NumberRange::new;
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
    let spines = network.blocks.len() - first;
    list.push(row("spine switches", first, spines, "by copy"));
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
    let ports = declarations(module, "", 1).map(|port| {
        let meaning = port_meaning(&port.name);
        PortRow::new(port, meaning)
    });
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
        ports: ports.collect(),
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
