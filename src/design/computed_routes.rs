//! Routes without tables: coordinate arithmetic in the place of a block's table lookup.
//!
//! A model that routes so shows errors in the tables that the RTL is given.

use std::fmt;
use std::sync::Arc;

use super::plan::Plan;
use mkns_routing::{AddressField, Arithmetic, TableEntry};
use mkns_topology::{BlockId, PortIndex};

/// Where models take their routes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RouteSource {
    /// The tables of the plan, which can be rewritten through the control port.
    Tables,
    /// Coordinate arithmetic where the family has a closed form (the tables otherwise): an error
    /// in the tables cannot hide. Where the tables are from a file, that file instead of the arithmetic of an engine
    /// that did not make them. Table writes are acknowledged and ignored.
    Arithmetic,
}

impl RouteSource {
    /// The closed form of a block's routes; none where the tables decide.
    pub fn computed(self, plan: &Plan, block: BlockId) -> Option<ComputedRoutes> {
        match self {
            Self::Tables => None,
            Self::Arithmetic => ComputedRoutes::of_block(plan, block),
        }
    }
}

/// The deciding entry (section 1.3 of `docs/microarchitecture.md`) for a destination address and a
/// layer; one that is not valid drops the packet.
#[derive(Clone)]
pub struct ComputedRoutes(Arc<dyn Fn(u32, u32) -> TableEntry + Send + Sync>);

impl ComputedRoutes {
    /// `entry(destination, layer)`
    pub fn new(entry: impl Fn(u32, u32) -> TableEntry + Send + Sync + 'static) -> Self {
        Self(Arc::new(entry))
    }

    /// The closed form of a block's routes; none where the kind of network has no closed form.
    pub fn of_block(plan: &Plan, block: BlockId) -> Option<Self> {
        if plan.routes_from.is_some() {
            return Some(Self::of_file(plan, block));
        }
        let arithmetic = Arithmetic::of(&plan.spec)?;
        let block = plan.network.block(block).clone();
        let fields = plan.layout.fields.clone();
        Some(Self::new(move |destination, _layer| {
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

    /// What the file of routes says for a block, looked up there and not in words of hardware.
    fn of_file(plan: &Plan, block: BlockId) -> Self {
        let tables = plan.instances[block.0 as usize].tables.clone();
        let layout = plan.layout.clone();
        Self::new(move |destination, layer| {
            let entry = tables.lookup(&layout, layer, destination);
            entry.unwrap_or_default()
        })
    }

    /// The entry that decides.
    pub fn entry(&self, destination: u32, layer: u32) -> TableEntry {
        (self.0)(destination, layer)
    }
}

impl fmt::Debug for ComputedRoutes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ComputedRoutes")
    }
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
