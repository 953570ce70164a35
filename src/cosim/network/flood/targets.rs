//! Whom a host of a flood can ask: blocks, the shortest routes to them, and the register of each that is its own.

use std::collections::VecDeque;

use mkns_design::Plan;
use mkns_topology::{BlockId, End, NetworkIndex, PortIndex};

/// A block that is asked.
#[derive(Debug, Clone)]
pub struct Target {
    pub block: BlockId,
    /// The port whose EXPECTED_PEER nobody else writes; none where there are fewer links than hosts.
    pub register_of: Option<u32>,
}

/// Serial ports of a block.
fn ports(plan: &Plan, index: &NetworkIndex, block: BlockId) -> Vec<u32> {
    let module = &plan.modules[plan.instances[block.0 as usize].module];
    let end = |port: u32| End {
        block,
        port: PortIndex(port as u8),
    };
    let ports = module.serial_port_numbers();
    ports
        .filter(|port| index.peer(end(*port)).is_some())
        .collect()
}

/// All blocks but its own. Hosts take the links of a block in turn.
pub fn targets(plan: &Plan, hosts: &[BlockId], number: usize) -> Vec<Target> {
    let (own, index) = (hosts[number], plan.network.index());
    let blocks = plan.network.block_ids().filter(|block| *block != own);
    let targets = blocks.map(|block| {
        let before = hosts[..number].iter().filter(|host| **host != block);
        Target {
            block,
            register_of: ports(plan, &index, block).get(before.count()).copied(),
        }
    });
    targets.collect()
}

/// The links of every block: the port, and who is behind it.
pub fn neighbours(plan: &Plan) -> Vec<Vec<(u8, BlockId)>> {
    let index = plan.network.index();
    let of_block = |block: BlockId| {
        let peer = |port: u32| {
            let port = PortIndex(port as u8);
            let peer = index.peer(End { block, port })?;
            Some((port.0, peer.block))
        };
        let ports = ports(plan, &index, block).into_iter();
        ports.filter_map(peer).collect()
    };
    plan.network.block_ids().map(of_block).collect()
}

/// The ports of a shortest route.
pub fn route(neighbours: &[Vec<(u8, BlockId)>], from: BlockId, to: BlockId) -> Option<Vec<u8>> {
    let mut reached: Vec<Option<(u8, BlockId)>> = vec![None; neighbours.len()];
    let mut waiting = VecDeque::from([from]);
    while let Some(block) = waiting.pop_front() {
        for &(port, peer) in &neighbours[block.0 as usize] {
            if peer != from && reached[peer.0 as usize].is_none() {
                reached[peer.0 as usize] = Some((port, block));
                waiting.push_back(peer);
            }
        }
    }
    let mut route = Vec::new();
    let mut block = to;
    while block != from {
        let (port, before) = reached[block.0 as usize]?;
        route.push(port);
        block = before;
    }
    route.reverse();
    Some(route)
}
