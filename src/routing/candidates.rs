//! Candidates of adaptive blocks: the ports on shortest paths to each node (`docs/microarchitecture.md`, 1.8).

use super::engines::Task;
use crate::BlockTables;
use mkns_topology::BlockId;
use mkns_topology::distances::Adjacency;

/// By block, cables that work on a shortest path to a destination; none where no path leads there.
pub fn distances(adjacency: &Adjacency, destination: BlockId) -> Vec<Option<u32>> {
    let mut distances = vec![None; adjacency.len()];
    adjacency.search(&[destination.0], |distance, block, _| {
        distances[block] = Some(distance);
    });
    distances
}

/// Adds the candidates to the tables of an escape, whose entries may now send packets back.
pub fn add(task: &Task, tables: &mut [BlockTables]) {
    let wanted = |(id, _): &(BlockId, &mut BlockTables)| (task.wanted)(*id);
    for (id, own) in (task.network.block_ids())
        .zip(tables.iter_mut())
        .filter(wanted)
    {
        let ports = task.network.block(id).network_ports;
        own.candidates = vec![0; task.layout.node_addresses()];
        let entries = own.tables.iter_mut().flat_map(|table| &mut table.entries);
        for entry in entries.filter(|entry| entry.valid && !entry.same && entry.port < ports) {
            entry.allow_uturn = true;
        }
    }
    let adjacency = Adjacency::new(task.network, task.index);
    for host in task.network.hosts.iter().filter(|host| host.pcie_port == 0) {
        let address = task.layout.node_address(task.layout.address_of(host.host)) as usize;
        let distances = distances(&adjacency, host.block);
        for (id, own) in task.network.block_ids().zip(tables.iter_mut()) {
            let (Some(own_distance), Some(candidates)) =
                (distances[id.0 as usize], own.candidates.get_mut(address))
            else {
                continue;
            };
            for (port, link) in task.index.links(id) {
                if distances[link.peer.block.0 as usize].is_some_and(|near| near < own_distance) {
                    *candidates |= 1 << port.0;
                }
            }
        }
    }
}
