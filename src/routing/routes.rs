//! What routing is: the plain data between engines and everything behind them.

use super::{AddressLayout, BlockTables, PathLayers};
use mkns_spec::NetworkSpec;

/// Addresses and tables of a whole network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Routing {
    pub layout: AddressLayout,
    /// Tables of each block, by [`mkns_topology::BlockId`].
    pub tables: Vec<BlockTables>,
    /// None where all packets may take all layers, from channel 0 on.
    pub paths: Option<PathLayers>,
    /// The file that the tables are from, where no engine made them: nobody claims anything of them.
    pub from_file: Option<String>,
}

impl Routing {
    /// n: channels that a packet may be on, the one it starts on and those that steps lead to. Tables from
    /// elsewhere that step where the network needs no steps may use all.
    pub fn channels(&self, spec: &NetworkSpec) -> u32 {
        let needed = spec.route_channels();
        let mut rows = self.tables.iter().flat_map(|tables| &tables.step);
        if needed == 1 && rows.any(|row| row.contains(&true)) {
            return spec.block.virtual_channels;
        }
        needed
    }
}
