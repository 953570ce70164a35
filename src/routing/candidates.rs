//! Candidates of adaptive blocks: the ports on shortest paths to each node (`docs/microarchitecture.md`, 1.8).
//!
//! A packet that finds no room takes the escape. So a path passes blocks from which the escape arrives, which some do not
//! after a failure, and takes no cable at whose end the escape leads straight back, because blocks have no turn from a
//! network port to itself. The escape is such a path, so there is one wherever it arrives.

use crate::{AddressLayout, BlockTables, TableEntry};
use mkns_topology::{BlockId, End, Network, NetworkIndex, PortIndex};
use std::collections::VecDeque;

/// What the escape tables say of one destination.
pub struct Escape {
    /// By block.
    entries: Vec<Option<TableEntry>>,
}

impl Escape {
    /// For the destination with this address; blocks without contents of their tables lead nowhere.
    pub fn to(tables: &[BlockTables], layout: &AddressLayout, address: u32) -> Self {
        let entries = tables.iter().map(|own| own.lookup(layout, 0, address));
        Self {
            entries: entries.collect(),
        }
    }

    /// Whether a block sends packets to the destination out of a port, or would by its alternate.
    pub fn leads(&self, block: BlockId, port: PortIndex) -> bool {
        let entry = self.entries[block.0 as usize];
        entry.is_some_and(|entry| [Some(entry.port), entry.alternate].contains(&Some(port.0)))
    }

    /// By block, whether the escape arrives at the destination.
    pub fn arrives(&self, index: &NetworkIndex, destination: BlockId) -> Vec<bool> {
        let mut arrives = vec![false; self.entries.len()];
        arrives[destination.0 as usize] = true;
        let mut reached = vec![destination];
        while let Some(block) = reached.pop() {
            for (_, link) in index.sources(block) {
                let End { block: from, port } = link.peer;
                let known = &mut arrives[from.0 as usize];
                if !*known && self.leads(from, port) {
                    *known = true;
                    reached.push(from);
                }
            }
        }
        arrives
    }

    /// By block, cables on a shortest path to the destination through blocks that `may_pass`; none where no path leads
    /// there.
    pub fn distances(
        &self,
        index: &NetworkIndex,
        destination: BlockId,
        may_pass: &[bool],
    ) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.entries.len()];
        distances[destination.0 as usize] = Some(0);
        let mut reached = VecDeque::from([(destination, 0)]);
        while let Some((block, distance)) = reached.pop_front() {
            for (port, link) in index.sources(block) {
                let from = link.peer.block.0 as usize;
                let known = &mut distances[from];
                if known.is_none() && may_pass[from] && !self.leads(block, port) {
                    *known = Some(distance + 1);
                    reached.push_back((link.peer.block, distance + 1));
                }
            }
        }
        distances
    }
}

/// Adds the candidates to the tables of an escape, which have contents for all blocks. `index`: cables that work.
pub fn add_candidates(
    network: &Network,
    index: &NetworkIndex,
    layout: &AddressLayout,
    tables: &mut [BlockTables],
) {
    for own in tables.iter_mut() {
        own.candidates = vec![0; layout.node_addresses()];
    }
    for host in network.hosts.iter().filter(|host| host.pcie_port == 0) {
        let address = layout.address_of(host.host);
        let escape = Escape::to(tables, layout, address);
        let arrives = escape.arrives(index, host.block);
        let distances = escape.distances(index, host.block, &arrives);
        let node = layout.node_address(address) as usize;
        for (id, own) in network.block_ids().zip(tables.iter_mut()) {
            let Some(nearer) = distances[id.0 as usize].and_then(|own| own.checked_sub(1)) else {
                continue;
            };
            for (port, link) in index.links(id) {
                let End { block, port: entry } = link.peer;
                if distances[block.0 as usize] == Some(nearer) && !escape.leads(block, entry) {
                    own.candidates[node] |= 1 << port.0;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Escape;
    use crate::TurnFinder;
    use mkns_topology::Faults;

    /// Dimension order does not lead around a failed cable.
    #[test]
    fn no_candidate_leads_where_the_escape_does_not_arrive() {
        let settings = ["routing=adaptive".to_owned()];
        let spec = mkns_spec::parse_with("torus(5x5,2)", &settings).expect("a valid spec");
        let network = mkns_topology::build(&spec);
        let faults = Faults::named(&network, ["ab_0_0/0"]).expect("a cable");
        let index = network.index_without(&faults);
        let routing = crate::build(&spec, &network, &faults).expect("routes");
        let mut without_way = 0;
        for host in network.hosts.iter().filter(|host| host.pcie_port == 0) {
            let address = routing.layout.address_of(host.host);
            let node = routing.layout.node_address(address) as usize;
            let arrives =
                Escape::to(&routing.tables, &routing.layout, address).arrives(&index, host.block);
            without_way += arrives.iter().filter(|arrives| !**arrives).count();
            for id in network.block_ids() {
                let candidates = routing.tables[id.0 as usize].candidates[node];
                let chosen = (index.links(id)).filter(|(port, _)| candidates >> port.0 & 1 == 1);
                for (_, link) in chosen {
                    assert!(arrives[link.peer.block.0 as usize], "{id:?} to {node}");
                }
            }
        }
        assert!(without_way > 0, "the failure cuts no way of the escape");
    }

    /// Up*/down* leads back, because its ways are not always shortest.
    #[test]
    fn every_pair_has_a_candidate_and_none_leads_where_the_escape_leads_back() {
        for notation in ["random_shortcut(64,4,4)", "slim_fly(5,2)", "torus(5x3,2)"] {
            let settings = ["routing=adaptive".to_owned()];
            let spec = mkns_spec::parse_with(notation, &settings).expect("a valid spec");
            let network = mkns_topology::build(&spec);
            let index = network.index();
            let routing = crate::build(&spec, &network, &Faults::none()).expect("routes");
            let finder = TurnFinder::new(&spec, &network, &routing);
            for host in network.hosts.iter().filter(|host| host.pcie_port == 0) {
                let address = routing.layout.address_of(host.host);
                let node = routing.layout.node_address(address) as usize;
                for id in network.block_ids().filter(|&id| id != host.block) {
                    let candidates = routing.tables[id.0 as usize].candidates[node];
                    assert_ne!(candidates, 0, "{notation}: {id:?} to {:?}", host.block);
                    let chosen =
                        (index.links(id)).filter(|(port, _)| candidates >> port.0 & 1 == 1);
                    for (_, link) in chosen.filter(|(_, link)| link.peer.block != host.block) {
                        let next = &routing.tables[link.peer.block.0 as usize];
                        let entry = next.lookup(&routing.layout, 0, address).expect("an entry");
                        let turns = finder.of(link.peer.block);
                        assert!(turns.contains(link.peer.port.0.into(), entry.port.into()));
                    }
                }
            }
        }
    }
}
