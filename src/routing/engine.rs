//! What routing is, and what fills its tables.

use super::{AddressLayout, BlockTables, PathLayers};
use mkns_spec::NetworkSpec;
use mkns_topology::Network;

/// Addresses and tables of a whole network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routing {
    pub layout: AddressLayout,
    /// Tables of each block, by [`mkns_topology::BlockId`].
    pub tables: Vec<BlockTables>,
    /// None where all packets may take all layers, from channel 0 on.
    pub paths: Option<PathLayers>,
}

impl Routing {
    /// n: channels that a packet may be on, the one it starts on and those that steps lead to. Tables from
    /// elsewhere that step where the network needs no steps may use all.
    pub fn channels(&self, spec: &NetworkSpec) -> u32 {
        let needed = spec.kind.route_channels();
        let mut rows = self.tables.iter().flat_map(|tables| &tables.step);
        if needed == 1 && rows.any(|row| row.contains(&true)) {
            return spec.block.virtual_channels;
        }
        needed
    }
}

/// A way to fill the tables.
pub trait RoutingEngine {
    /// Tables of every block, in block order, `layers` routing layers each.
    fn tables(&self, network: &Network, layout: &AddressLayout, layers: u32) -> Vec<BlockTables>;
}
