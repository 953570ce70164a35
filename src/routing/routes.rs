//! What routing is: the plain data between engines and everything behind them.
//!
//! A layer is one complete set of tables, named by a packet's header. Sources choose among the layers of a
//! mask, one mask for each destination.

use serde::Serialize;

use super::{AddressLayout, BlockTables};
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
            return spec.block.table_channels();
        }
        needed
    }
}

/// The layers of a network with more than one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PathLayers {
    /// Of each adapter block, in block order: by node address (the destination's bits above the PCIe field)
    /// the layers that lead there, bit l for layer l. 0: none does.
    pub masks: Vec<Vec<u8>>,
    /// By layer: the virtual channel on which its packets start.
    pub entry_channels: Vec<u32>,
}

impl PathLayers {
    /// The layers that packets from an adapter block to a node address may take.
    pub fn mask(&self, from: usize, node_address: u32) -> u8 {
        self.masks[from][node_address as usize]
    }
}

impl AddressLayout {
    /// The destination's bits above the PCIe field.
    pub fn node_address(&self, address: u32) -> u32 {
        address >> self.fields[0].bits
    }

    /// Number of values of a node address, legal or not.
    pub fn node_addresses(&self) -> usize {
        1 << (self.bits() - self.fields[0].bits)
    }
}
