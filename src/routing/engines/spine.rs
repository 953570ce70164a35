//! Tables of a distributed switch: only spine switches have any, and they are all alike.
//!
//! Every splitter has shifted the address train down by its own field, so the spine's local address stands
//! where the first one stood: its table is indexed by the field of local address 1 and says that number is
//! the output. A packet may leave by the port it came in by: input p and output p of a digraph belong to
//! different terminals, and a terminal of a block design may send to itself.

use super::dense::{Entries, block_tables};
use super::{CabledPort, Routes, RoutingEngine, Task};
use crate::TableEntry;
use mkns_diag::Diagnostic;
use mkns_topology::{Block, BlockRole, PortIndex};

/// The engine of distributed switches.
pub struct SpineOutputs;

impl RoutingEngine for SpineOutputs {
    fn route(&self, task: &Task) -> Result<Routes, Box<Diagnostic>> {
        Ok(Routes::of_blocks(task, |id| {
            let block = task.network.block(id);
            let tables: &[_] = match block.role {
                BlockRole::Spine => &[(0, outputs(block))],
                _ => &[],
            };
            block_tables(task, id, tables)
        }))
    }

    /// All of them: input p and output p belong to different terminals, or to one that may send to itself.
    fn turns(&self, _block: &Block, _from: &CabledPort, _to: &CabledPort) -> bool {
        true
    }
}

fn outputs(block: &Block) -> Entries {
    let output = |port: u8| {
        let entry = TableEntry {
            allow_uturn: true,
            ..TableEntry::to(PortIndex(port))
        };
        (u32::from(port), entry)
    };
    (0..block.network_ports).map(output).collect()
}
