//! `registers.rdl`: the control port in SystemRDL 2.0, one address map a block module.

use askama::Template;

use super::register_rows::{hex, table_meaning};
use crate::parameters::module_name;
use mkns_design::{
    Access, BlockModule, COUNTER_STRIDE, CounterGroup, Plan, Register, RegisterField, register_map,
};

#[derive(Template)]
#[template(path = "flow/registers.rdl")]
pub struct Registers<'a> {
    banner: &'a str,
    maps: Vec<AddressMap>,
}

struct AddressMap {
    name: String,
    title: String,
    registers: Vec<RegisterView>,
    counters: Vec<Counters>,
    tables: Vec<Table>,
}

struct RegisterView {
    name: &'static str,
    /// `[12]` for an array.
    array: String,
    address: String,
    meaning: &'static str,
    fields: Vec<FieldView>,
}

struct FieldView {
    name: &'static str,
    msb: u32,
    lsb: u32,
    properties: &'static str,
    reset: String,
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

impl<'a> Registers<'a> {
    pub fn new(plan: &Plan, banner: &'a str) -> Self {
        let modules = plan.modules.iter().enumerate();
        Self {
            banner,
            maps: modules
                .map(|(number, module)| address_map(number, module))
                .collect(),
        }
    }
}

fn address_map(number: usize, module: &BlockModule) -> AddressMap {
    let map = register_map(module);
    let table = |window: &mkns_design::TableWindow| Table {
        number: window.number,
        address: hex(window.address),
        entries: window.entries,
        meaning: table_meaning(window),
    };
    AddressMap {
        name: format!("{}_{number}", module_name(module.kind)),
        title: format!(
            "Control port of {}, module {number}",
            module_name(module.kind)
        ),
        registers: map.registers.iter().map(register).collect(),
        counters: map.counters.iter().map(counters).collect(),
        tables: map.tables.iter().map(table).collect(),
    }
}

fn register(register: &Register) -> RegisterView {
    let field = |field: &RegisterField| FieldView {
        name: field.name,
        msb: field.msb,
        lsb: field.lsb,
        properties: match register.access {
            Access::Read => "sw = r; hw = w;",
            Access::ReadWrite => "sw = rw; hw = r;",
            Access::ReadClear => "sw = rw; onwrite = woclr; hw = w;",
        },
        reset: format!("{:#x}", field.reset),
    };
    RegisterView {
        name: register.name,
        array: match register.count {
            1 => String::new(),
            count => format!("[{count}]"),
        },
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
