//! Routes without tables: coordinate arithmetic in the place of a block's table lookup.

use super::switch_core::NextHop;
use crate::design::Plan;
use crate::routing::{AddressField, Arithmetic, TableEntry};
use crate::spec::NetworkKind;
use crate::topology::{BlockId, PortIndex};

/// The closed form of a block's routes.
pub fn computed_routes(plan: &Plan, block: BlockId) -> NextHop {
    let NetworkKind::Mkns(spec) = &plan.spec.kind;
    let arithmetic = Arithmetic::new(spec);
    let block = plan.network.block(block);
    let (role, own, network_ports) = (block.role.clone(), block.coordinates, block.network_ports);
    let fields = plan.layout.fields.clone();
    NextHop::new(move |destination, _layer| {
        let Some((pcie_port, coordinates)) = decode(&fields, destination) else {
            return TableEntry::default();
        };
        match arithmetic.next_port(&role, own, coordinates) {
            Some(port) => TableEntry::to(port),
            None => TableEntry {
                // A packet from a host to itself turns round inside its adapter block.
                allow_uturn: true,
                ..TableEntry::to(PortIndex(network_ports + pcie_port as u8))
            },
        }
    })
}

/// PCIe port and coordinates of an address; none when a field is out of range.
fn decode(fields: &[AddressField], address: u32) -> Option<(u32, [u32; 4])> {
    let value = |field: &AddressField| address >> field.offset & ((1 << field.bits) - 1);
    if fields.iter().any(|field| value(field) >= field.size) {
        return None;
    }
    let (pcie_port, dimensions) = fields.split_first()?;
    let mut coordinates = [0; 4];
    for (coordinate, field) in coordinates.iter_mut().zip(dimensions) {
        *coordinate = value(field);
    }
    Some((value(pcie_port), coordinates))
}
