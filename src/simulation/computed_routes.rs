//! Routes without tables: coordinate arithmetic in the place of a block's table lookup.

use super::switch_core::NextHop;
use mkns_design::Plan;
use mkns_routing::{AddressField, Arithmetic, TableEntry};
use mkns_topology::{BlockId, PortIndex};

/// The closed form of a block's routes; none where the kind of network has no closed form.
pub fn computed_routes(plan: &Plan, block: BlockId) -> Option<NextHop> {
    let arithmetic = Arithmetic::of(&plan.spec.kind)?;
    let block = plan.network.block(block).clone();
    let fields = plan.layout.fields.clone();
    Some(NextHop::new(move |destination, _layer| {
        let Some((pcie_port, node)) = decode(&fields, destination) else {
            return TableEntry::default();
        };
        match arithmetic.next_port(&block, &node) {
            Some(port) => TableEntry::to(port),
            None => TableEntry {
                // A packet from a host to itself turns round inside its adapter block.
                allow_uturn: true,
                ..TableEntry::to(PortIndex(block.network_ports + pcie_port as u8))
            },
        }
    }))
}

/// PCIe port and node fields of an address; none when a field is out of range.
fn decode(fields: &[AddressField], address: u32) -> Option<(u32, Vec<u32>)> {
    let value = |field: &AddressField| address >> field.offset & ((1 << field.bits) - 1);
    if fields.iter().any(|field| value(field) >= field.size) {
        return None;
    }
    let (pcie_port, node) = fields.split_first()?;
    Some((value(pcie_port), node.iter().map(value).collect()))
}
