//! Tables of a distributed switch: only spine switches have any, and they are all alike.
//!
//! Every splitter has shifted the address train down by its own field, so the spine's local address stands
//! where the first one stood: its table is indexed by the field of local address 1 and says that number is
//! the output. A packet may leave by the port it came in by: input p and output p of a digraph belong to
//! different terminals, and a terminal of a block design may send to itself.

use super::dimension_order::dense_table;
use super::{AddressLayout, BlockTables, RoutingEngine, TableEntry};
use mkns_topology::{Block, BlockRole, Network, PortIndex};

/// The engine of distributed switches.
pub struct SpineOutputs;

impl RoutingEngine for SpineOutputs {
    fn tables(&self, network: &Network, layout: &AddressLayout, layers: u32) -> Vec<BlockTables> {
        let blocks = network.blocks.iter();
        blocks
            .map(|block| block_tables(block, layout, layers))
            .collect()
    }
}

fn block_tables(block: &Block, layout: &AddressLayout, layers: u32) -> BlockTables {
    let output = |port: u8| {
        let entry = TableEntry {
            allow_uturn: true,
            ..TableEntry::to(PortIndex(port))
        };
        (u32::from(port), entry)
    };
    let tables = match block.role {
        BlockRole::Spine => {
            let entries = (0..block.network_ports).map(output).collect();
            vec![dense_table(0, layout.fields[0].depth(), layers, &entries)]
        }
        _ => Vec::new(),
    };
    let ports = usize::from(block.network_ports + block.pcie_ports);
    BlockTables {
        tables,
        step: vec![vec![false; ports]; ports],
    }
}
