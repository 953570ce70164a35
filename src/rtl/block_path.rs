//! Where the module for a block alone stands in the output folder.

use super::templates::board_top::board_top_name;
use mkns_design::Plan;
use mkns_topology::BlockId;

/// Path of the module for a block alone: its board where ports are serial.
pub fn block_path(plan: &Plan, block: BlockId) -> String {
    let module = &plan.modules[plan.instances[block.0 as usize].module];
    let folder = match module.serial_ports {
        0 => "blocks",
        _ => "boards",
    };
    let name = board_top_name(plan, &plan.network.block(block).name);
    format!("{folder}/{name}.v")
}
