//! Do the tables fit their blocks: shape, port ranges, a cable on every port named, no loose entries.

use super::{Check, Violations};
use crate::{AddressField, DimensionTable, Routing, TableEntry};
use mkns_spec::NetworkSpec;
use mkns_topology::{Block, BlockId, End, Network, NetworkIndex, PortIndex};

/// Ports that the word of a table entry can name.
pub const WORD_PORTS: u8 = 32;

pub fn check(spec: &NetworkSpec, network: &Network, routing: &Routing) -> Check {
    let mut faults = Violations::default();
    let index = network.index();
    let mut entries = 0;
    let (found, wanted) = (routing.tables.len(), network.blocks.len());
    if found != wanted {
        faults.add(|| format!("{found} sets of tables for {wanted} blocks"));
    }
    for (id, tables) in network.block_ids().zip(&routing.tables) {
        let block = network.block(id);
        let ports = usize::from(block.network_ports + block.pcie_ports);
        if tables.step.len() != ports || tables.step.iter().any(|row| row.len() != ports) {
            faults.add(|| format!("{}: the step matrix is not {ports} by {ports}", block.name));
        }
        for table in &tables.tables {
            entries += table.entries.len();
            let Some(field) = routing.layout.fields.get(table.field) else {
                faults.add(|| {
                    format!(
                        "{}: a table names address field {}",
                        block.name, table.field
                    )
                });
                continue;
            };
            let wanted = (spec.block.layers * field.depth()) as usize;
            if table.entries.len() != wanted {
                let (name, found) = (&field.name, table.entries.len());
                faults.add(|| {
                    format!(
                        "{}: table {name} has {found} entries, not {wanted}",
                        block.name
                    )
                });
            } else {
                check_entries(&index, id, block, field, table, &mut faults);
            }
        }
    }
    let examined = format!("{entries} entries: tables fit the blocks, named ports have a cable");
    faults.into_check("tables", examined)
}

fn check_entries(
    index: &NetworkIndex,
    id: BlockId,
    block: &Block,
    field: &AddressField,
    table: &DimensionTable,
    faults: &mut Violations,
) {
    for (place, entry) in table.entries.iter().enumerate() {
        let value = place as u32 % field.depth();
        let ports = std::iter::once(entry.port).chain(entry.alternate);
        for port in ports.filter(|_| entry.valid && !entry.same) {
            if let Some(fault) = port_fault(index, id, block, port) {
                let (name, field) = (&block.name, &field.name);
                faults.add(|| {
                    format!("{name}: table {field}[{place}] names port index {port}, {fault}")
                });
            }
        }
        if value >= field.size && entry.valid {
            let (name, size) = (&field.name, field.size);
            faults.add(|| {
                format!(
                    "{}: table {name}[{place}] is valid beyond size {size}",
                    block.name
                )
            });
        }
        // Larger blocks have tables for simulation and none of hardware.
        let in_hardware = block.network_ports + block.pcie_ports <= WORD_PORTS;
        if in_hardware && TableEntry::unpack(entry.pack()) != *entry {
            let name = &field.name;
            faults.add(|| {
                format!(
                    "{}: table {name}[{place}] does not fit its 16 bits",
                    block.name
                )
            });
        }
    }
}

fn port_fault(index: &NetworkIndex, id: BlockId, block: &Block, port: u8) -> Option<&'static str> {
    if port >= block.network_ports + block.pcie_ports {
        return Some("which the block does not have");
    }
    let end = End {
        block: id,
        port: PortIndex(port),
    };
    let open = port < block.network_ports && index.peer(end).is_none();
    open.then_some("where no cable is plugged in")
}
