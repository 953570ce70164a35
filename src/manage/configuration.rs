//! All that a block needs that powered up empty: address, peers of its serial links, tables, steps, masks.

use mkns_contract::address::{NODE_ADDRESS, link};
use mkns_design::{Plan, expected_peer};
use mkns_routing::Routing;
use mkns_topology::{BlockId, End, NetworkIndex, PortIndex};

use super::block_writes;

/// Word of a link port that says who has to be at the other end.
const EXPECTED_PEER: u32 = 21;

/// Addresses and values. A peer is written while the link is up: only a link that rises judges it.
pub fn block_configuration(
    plan: &Plan,
    index: &NetworkIndex,
    block: BlockId,
    routing: &Routing,
) -> Vec<(u32, u32)> {
    let instance = &plan.instances[block.0 as usize];
    let module = &plan.modules[instance.module];
    let mut writes = Vec::new();
    for port in module.serial_port_numbers() {
        let end = End {
            block,
            port: PortIndex(port as u8),
        };
        let peer = index.peer(end).map_or(0, expected_peer);
        writes.push((link(port, EXPECTED_PEER), peer));
    }
    let routes = block_writes(block, module, routing);
    writes.extend(routes.map(|write| (write.address, write.value)));
    if module.kind.has_hosts() {
        writes.push((NODE_ADDRESS, instance.node_address));
    }
    writes
}
