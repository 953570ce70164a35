//! The control ports for programs: `registers.rdl` in SystemRDL 2.0, one address map for the network and one a
//! block module in it; `registers.h` with the same offsets for C.

use askama::Template;

use super::register_rows::{hex, node_meaning, table_meaning};
use crate::parameters::module_name;
use mkns_design::{
    Access, BlockModule, CONTROL_ADDRESS_BITS, COUNTER_STRIDE, CounterGroup, NodeWindow, Plan,
    Register, RegisterField, register_map,
};

#[derive(Template)]
#[template(path = "flow/registers.rdl")]
pub struct Registers<'a> {
    banner: &'a str,
    network: &'a NetworkMap,
}

/// The register map as a C header.
#[derive(Template)]
#[template(path = "flow/registers.h")]
pub struct CHeader<'a> {
    banner: &'a str,
    network: &'a NetworkMap,
}

/// What both show.
pub struct NetworkMap {
    name: String,
    /// The name in capitals, before every macro.
    prefix: String,
    notation: String,
    stride: String,
    maps: Vec<AddressMap>,
    blocks: Vec<Blocks>,
}

/// Blocks of one module in a row.
struct Blocks {
    name: String,
    map: String,
    first: u32,
    count: u32,
    address: String,
}

struct AddressMap {
    name: String,
    title: String,
    /// What macros of this map begin with.
    prefix: String,
    registers: Vec<RegisterView>,
    counters: Vec<Counters>,
    tables: Vec<Table>,
    nodes: Vec<Nodes>,
}

struct RegisterView {
    name: &'static str,
    /// Elements of an array, 1 for a single register.
    count: u32,
    address: String,
    meaning: &'static str,
    fields: Vec<FieldView>,
}

struct FieldView {
    name: &'static str,
    msb: u32,
    lsb: u32,
    properties: &'static str,
    meaning: &'static str,
    reset: String,
    mask: String,
}

struct Counters {
    name: &'static str,
    count: u32,
    address: String,
    stride: String,
    counters: Vec<Counter>,
}

struct Counter {
    name: &'static str,
    offset: String,
    meaning: &'static str,
}

struct Table {
    number: u32,
    address: String,
    entries: u32,
    meaning: String,
}

/// Masks or candidates.
struct Nodes {
    name: &'static str,
    address: String,
    entries: u32,
    meaning: String,
}

impl<'a> Registers<'a> {
    pub fn new(network: &'a NetworkMap, banner: &'a str) -> Self {
        Self { banner, network }
    }
}

impl<'a> CHeader<'a> {
    pub fn new(network: &'a NetworkMap, banner: &'a str) -> Self {
        Self { banner, network }
    }
}

impl NetworkMap {
    /// Every block has a window as wide as its control port's addresses, in order of block numbers.
    pub fn new(plan: &Plan) -> Self {
        let modules = plan.modules.iter().enumerate();
        let stride = 1_u64 << CONTROL_ADDRESS_BITS;
        let rows = plan.instances.chunk_by(|a, b| a.module == b.module);
        let blocks = rows.map(|row| {
            let (first, module) = (row[0].block.0, row[0].module);
            Blocks {
                name: format!("{}_{first}", plan.modules[module].kind.name()),
                map: map_name(plan, module),
                first,
                count: row.len() as u32,
                address: format!("{:#x}", stride * u64::from(first)),
            }
        });
        Self {
            name: plan.spec.name.clone(),
            prefix: plan.spec.name.to_uppercase(),
            notation: plan.spec.notation(),
            stride: format!("{stride:#x}"),
            maps: modules
                .map(|(number, module)| address_map(plan, number, module))
                .collect(),
            blocks: blocks.collect(),
        }
    }
}

/// Name of a module's address map.
fn map_name(plan: &Plan, number: usize) -> String {
    let module = module_name(plan.modules[number].kind);
    format!("{}_{module}_{number}", plan.spec.name)
}

fn address_map(plan: &Plan, number: usize, module: &BlockModule) -> AddressMap {
    let map = register_map(module);
    let name = map_name(plan, number);
    let table = |window: &mkns_design::TableWindow| Table {
        number: window.number,
        address: hex(window.address),
        entries: window.entries,
        meaning: table_meaning(window),
    };
    AddressMap {
        prefix: name.to_uppercase(),
        name,
        title: format!(
            "Control port of {}, module {number}",
            module_name(module.kind)
        ),
        registers: map.registers.iter().map(register).collect(),
        counters: map.counters.iter().map(counters).collect(),
        tables: map.tables.iter().map(table).collect(),
        nodes: map.candidates.iter().chain(&map.masks).map(nodes).collect(),
    }
}

fn nodes(window: &NodeWindow) -> Nodes {
    Nodes {
        name: window.name,
        address: hex(window.address),
        entries: window.entries,
        meaning: node_meaning(window),
    }
}

fn register(register: &Register) -> RegisterView {
    let field = |field: &RegisterField| FieldView {
        name: field.name,
        msb: field.msb,
        lsb: field.lsb,
        meaning: field.meaning,
        properties: match register.access {
            Access::Read => "sw = r; hw = w;",
            Access::ReadWrite => "sw = rw; hw = r;",
            Access::ReadClear => "sw = rw; onwrite = woclr; hw = w;",
            Access::Write => "sw = w; hw = r;",
        },
        reset: format!("{:#x}", field.reset),
        mask: format!(
            "{:#x}",
            u32::MAX >> (31 - field.msb + field.lsb) << field.lsb
        ),
    };
    RegisterView {
        name: register.name,
        count: register.count,
        address: hex(register.address),
        meaning: register.meaning,
        fields: register.fields.iter().map(field).collect(),
    }
}

fn counters(group: &CounterGroup) -> Counters {
    let members = group.counters.iter().zip(0..);
    Counters {
        name: group.name,
        count: group.count,
        address: hex(group.address),
        stride: format!("{COUNTER_STRIDE:#x}"),
        counters: members
            .map(|((name, meaning), n): (_, u32)| Counter {
                name,
                offset: format!("{:#04x}", 4 * n),
                meaning,
            })
            .collect(),
    }
}
