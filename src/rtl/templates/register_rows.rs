//! The register map as rows of a table.

use mkns_design::{
    Access, BlockModule, COUNTER_STRIDE, CounterGroup, NodeWindow, Register, TableWindow,
    register_map,
};

/// One line of the register table: a field, a counter or a routing table.
pub struct RegisterRow {
    pub address: String,
    pub name: String,
    pub access: &'static str,
    pub bits: String,
    pub reset: String,
    pub meaning: String,
}

/// All registers of a block, lowest address first.
pub fn register_rows(module: &BlockModule) -> Vec<RegisterRow> {
    let map = register_map(module);
    let registers = map.registers.iter().flat_map(register_row);
    let counters = map.counters.iter().flat_map(counter_row);
    let tables = map.tables.iter().map(table_row);
    let nodes = map.candidates.iter().chain(&map.masks).map(node_row);
    (registers.chain(counters).chain(tables).chain(nodes)).collect()
}

/// A row a field.
fn register_row(register: &Register) -> Vec<RegisterRow> {
    let only = register.fields.len() == 1;
    let address = match register.count {
        1 => hex(register.address),
        _ => format!("{} + 4i", hex(register.address)),
    };
    let rows = register.fields.iter().map(|field| RegisterRow {
        address: address.clone(),
        name: match only {
            true => register.name.to_owned(),
            false => format!("{}.{}", register.name, field.name),
        },
        access: access_word(register.access),
        bits: bits(field.lsb, field.msb - field.lsb + 1),
        reset: hex_short(field.reset),
        meaning: match field.meaning {
            "" => register.meaning.to_owned(),
            own => own.to_owned(),
        },
    });
    rows.collect()
}

fn counter_row(group: &CounterGroup) -> Vec<RegisterRow> {
    let port = match group.name {
        "PCIE_COUNTERS" => 'q',
        _ => 'p',
    };
    let rows = group
        .counters
        .iter()
        .zip(0..)
        .map(|((name, meaning), n)| RegisterRow {
            address: format!("{} + {COUNTER_STRIDE:#x}{port}", hex(group.address + 4 * n)),
            name: format!("{}[{port}].{name}", group.name),
            access: "R",
            bits: bits(0, 32),
            reset: hex_short(0),
            meaning: (*meaning).to_owned(),
        });
    rows.collect()
}

fn table_row(table: &TableWindow) -> RegisterRow {
    RegisterRow {
        address: format!("{} + 4i", hex(table.address)),
        name: format!("TABLE{}[i]", table.number),
        access: "RW",
        bits: bits(0, 16),
        reset: "kept; at power-up as generated".to_owned(),
        meaning: table_meaning(table),
    }
}

fn node_row(nodes: &NodeWindow) -> RegisterRow {
    RegisterRow {
        address: format!("{} + 4i", hex(nodes.address)),
        name: format!("{}[i]", nodes.name),
        access: "RW",
        bits: bits(0, nodes.width),
        reset: "kept; at power-up as generated".to_owned(),
        meaning: node_meaning(nodes),
    }
}

/// What a mask or an entry of candidates says.
pub fn node_meaning(nodes: &NodeWindow) -> String {
    let field = bits(nodes.lsb, nodes.bits);
    format!(
        "{} of {}: destination bits {field}",
        nodes.meaning, nodes.entries
    )
}

/// What indexes a table.
pub fn table_meaning(table: &TableWindow) -> String {
    let field = bits(table.lsb, table.bits);
    format!(
        "entry i of {}; index: destination bits {field}",
        table.entries
    )
}

fn access_word(access: Access) -> &'static str {
    match access {
        Access::Read => "R",
        Access::ReadWrite => "RW",
        Access::ReadClear => "R, W1C",
        Access::Write => "W",
    }
}

/// Five digits: the control port has 20 address bits.
pub fn hex(address: u32) -> String {
    format!("{address:#07x}")
}

fn hex_short(value: u32) -> String {
    match value {
        0..=9 => value.to_string(),
        _ => format!("{value:#x}"),
    }
}

/// `19:0`, `7`, or `none`.
pub fn bits(lsb: u32, count: u32) -> String {
    match count {
        0 => "none".to_owned(),
        1 => lsb.to_string(),
        _ => format!("{}:{lsb}", lsb + count - 1),
    }
}
