//! One virtual channel up wherever a packet does not go on to a higher dimension.
//!
//! Along every route the pair (channel, dimension) rises, so no packets can wait for each other in a circle,
//! whatever the routes, as long as there are channels enough (VTFTR: the change at the turn from column to row).

use super::Task;
use mkns_topology::{BlockId, BlockRole, End, PortIndex};

/// `step[in][out]` of a block: 1 at adapter blocks from one network port to another of the same or a lower
/// dimension.
pub fn steps(task: &Task, id: BlockId) -> Vec<Vec<bool>> {
    let block = task.network.block(id);
    let ports = block.network_ports + block.pcie_ports;
    let dimension = |port: u8| dimension(task, id, port);
    let step = |input, output| is_step(&block.role, dimension(input), dimension(output));
    let row = |input| (0..ports).map(|output| step(input, output)).collect();
    (0..ports).map(row).collect()
}

/// Whether packets change their channel from a cable of one dimension to a cable of another; none are hosts.
pub fn is_step(role: &BlockRole, input: Option<u8>, output: Option<u8>) -> bool {
    let rises = input
        .zip(output)
        .is_none_or(|(input, output)| output > input);
    *role == BlockRole::Adapter && !rises
}

/// Dimension of the cable at a network port; the cable may have failed.
fn dimension(task: &Task, block: BlockId, port: u8) -> Option<u8> {
    let end = End {
        block,
        port: PortIndex(port),
    };
    let cables = &task.network.cables;
    let link = task.whole.link(end)?;
    Some(cables[link.cable as usize].dimension)
}
