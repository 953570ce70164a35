//! The routing tables as a CSV file for people and scripts.

use std::fmt::Write;

use mkns_design::Plan;
use mkns_routing::{DimensionTable, TableEntry};
use mkns_topology::{Block, PortIndex};

/// One line an entry, in the order in which a block consults them:
/// `block,field,layer,value,action,port,alternate`. Ports are the paper's numbers, `pcie0` … on the
/// host side; values that no address has are left out.
pub fn routes_csv(plan: &Plan) -> String {
    let mut out = String::from("block,field,layer,value,action,port,alternate\n");
    for instance in &plan.instances {
        let block = plan.network.block(instance.block);
        for table in &instance.tables.tables {
            table_lines(&mut out, plan, block, table);
        }
    }
    out
}

fn table_lines(out: &mut String, plan: &Plan, block: &Block, table: &DimensionTable) {
    let field = &plan.layout.fields[table.field];
    for (layer, entries) in table.entries.chunks(1 << field.bits).enumerate() {
        for (value, entry) in entries.iter().enumerate().take(field.size as usize) {
            let (name, block_name) = (&field.name, &block.name);
            writeln!(
                out,
                "{block_name},{name},{layer},{value},{}",
                decision(block, entry)
            )
            .expect("writing to a string does not fail");
        }
    }
}

/// `action,port,alternate`
fn decision(block: &Block, entry: &TableEntry) -> String {
    let label = |port: u8| match port.checked_sub(block.network_ports) {
        Some(pcie) => format!("pcie{pcie}"),
        None => block.port_label(PortIndex(port)).to_string(),
    };
    match entry {
        TableEntry { valid: false, .. } => "drop,,".to_owned(),
        TableEntry { same: true, .. } => "same,,".to_owned(),
        _ => {
            let alternate = entry.alternate.map_or_else(String::new, label);
            format!("to,{},{alternate}", label(entry.port))
        }
    }
}
