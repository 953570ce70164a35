//! All that a block needs that powered up empty: peers of its serial links, routes, address.

use mkns_contract::address::link_word::EXPECTED_PEER;
use mkns_contract::address::{NODE_ADDRESS, link};
use mkns_design::{Plan, expected_peer};
use mkns_routing::Routing;
use mkns_topology::{BlockId, End, NetworkIndex, PortIndex};

use super::block_writes;

/// Addresses and values, those of the routes among them. A peer may be written while its link is up: only a link that
/// rises judges it.
pub fn configuration_with(
    plan: &Plan,
    index: &NetworkIndex,
    block: BlockId,
    routes: impl IntoIterator<Item = (u32, u32)>,
) -> Vec<(u32, u32)> {
    let instance = &plan.instances[block.0 as usize];
    let module = &plan.modules[instance.module];
    let peers = module.serial_port_numbers().map(|port| {
        let end = End {
            block,
            port: PortIndex(port as u8),
        };
        let peer = index.peer(end).map_or(0, expected_peer);
        (link(port, EXPECTED_PEER), peer)
    });
    let address = (module.kind.has_hosts()).then_some((NODE_ADDRESS, instance.node_address));
    peers.chain(routes).chain(address).collect()
}

/// The configuration of a block with the routes of a routing.
pub(super) fn block_configuration(
    plan: &Plan,
    index: &NetworkIndex,
    block: BlockId,
    routing: &Routing,
) -> Vec<(u32, u32)> {
    let module = &plan.modules[plan.instances[block.0 as usize].module];
    let routes = block_writes(block, module, routing);
    let routes = routes.map(|write| (write.address, write.value));
    configuration_with(plan, index, block, routes)
}
