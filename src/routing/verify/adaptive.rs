//! Adaptive routing: the escape leads on from wherever a packet joins it, its entries close no circle, and candidates
//! are on shortest paths (`docs/microarchitecture.md`, 1.8).
//!
//! A packet on the adaptive channel has room for its whole length and waits for nobody, so only the dependencies among
//! escape channels count: those of packets that join the escape at any block.

use super::channels::circle_of;
use super::{Check, Violations};
use crate::Routing;
use crate::candidates::Escape;
use crate::flat::{Decision, FlatTables};
use mkns_topology::{BlockId, End, Network, NetworkIndex, PortIndex};

/// What is examined, and what was found.
struct Walk<'a> {
    network: &'a Network,
    index: &'a NetworkIndex,
    routing: &'a Routing,
    flat: &'a FlatTables,
    /// As in `channels`: by slot and channel, the output ports taken next.
    turns: Vec<u64>,
    joins: u64,
    faults: Violations,
}

/// Runs over all destinations, blocks and ports.
pub fn check(
    network: &Network,
    index: &NetworkIndex,
    routing: &Routing,
    flat: &FlatTables,
) -> Check {
    let mut walk = Walk {
        network,
        index,
        routing,
        flat,
        turns: vec![0; index.slots() * flat.channels() as usize],
        joins: 0,
        faults: Violations::default(),
    };
    for host in network.hosts.iter().filter(|host| host.pcie_port == 0) {
        walk.destination(host.block, routing.layout.address_of(host.host));
    }
    let mut faults = walk.faults;
    if let Some(circle) = circle_of(network, index, flat, &walk.turns) {
        faults.add(|| format!("packets on the escape can wait in a circle: {circle}"));
    }
    let examined = format!("{} places where packets join the escape", walk.joins);
    faults.into_check("adaptive", examined)
}

impl Walk<'_> {
    /// Everything that packets to one destination may do.
    fn destination(&mut self, destination: BlockId, address: u32) {
        let escape = Escape::to(&self.routing.tables, &self.routing.layout, address);
        let arrives = escape.arrives(self.index, destination);
        let distances = escape.distances(self.index, destination, &arrives);
        let by_cables = escape.distances(self.index, destination, &vec![true; arrives.len()]);
        let mut seen = vec![false; self.turns.len()];
        let mut pending = Vec::new();
        let joined = |id: &BlockId| by_cables[id.0 as usize].is_some() && *id != destination;
        for id in self.network.block_ids().filter(joined) {
            self.candidates(id, address, &escape, &distances);
            let Decision::Forward(slot) = self.flat.decide(id.0 as usize, 0, address) else {
                let (here, there) = (self.name(id), self.name(destination));
                (self.faults).add(|| {
                    format!("the escape has no way from {here} to {there}, which cables join")
                });
                continue;
            };
            let output = self.flat.port(slot);
            let block = self.network.block(id);
            // Every port counts: candidates and other entries of the escape may lead here by any.
            let hosts = block.network_ports..block.network_ports + block.pcie_ports;
            let arrivals = self.index.links(id).map(|(port, _)| port.0).chain(hosts);
            for input in arrivals {
                self.joins += 1;
                let channel = self.flat.next_channel(id.0 as usize, input, output, 0);
                pending.push((slot, channel));
            }
        }
        let channels = self.flat.channels() as usize;
        while let Some((slot, channel)) = pending.pop() {
            let node = slot as usize * channels + channel as usize;
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            let next = self.flat.next_block(slot);
            if next == destination.0 as usize {
                continue;
            }
            if let Decision::Forward(on) = self.flat.decide(next, 0, address) {
                let (input, output) = (self.flat.entry_port(slot), self.flat.port(on));
                self.turns[node] |= 1 << output;
                let channel = self.flat.next_channel(next, input, output, channel);
                pending.push((on, channel));
            }
        }
    }

    /// The candidates of a block lead one cable nearer, and nowhere from where the escape leads straight back or does
    /// not arrive.
    fn candidates(
        &mut self,
        id: BlockId,
        address: u32,
        escape: &Escape,
        distances: &[Option<u32>],
    ) {
        let own = &self.routing.tables[id.0 as usize].candidates;
        let node = self.routing.layout.node_address(address) as usize;
        let mut left = own.get(node).copied().unwrap_or(0);
        while left != 0 {
            let port = PortIndex(left.trailing_zeros() as u8);
            left &= left - 1;
            let peer = self.index.peer(End { block: id, port });
            let distance = peer.and_then(|peer| distances[peer.block.0 as usize]);
            let nearer = distances[id.0 as usize].and_then(|own| own.checked_sub(1));
            let fault = match peer {
                Some(peer) if escape.leads(peer.block, peer.port) => {
                    "leads where the escape leads back, on the way"
                }
                _ if distance.is_none() || distance != nearer => "is on no shortest path",
                _ => continue,
            };
            let here = self.name(id);
            (self.faults)
                .add(|| format!("candidate port {port} of {here} {fault} to address {address}"));
        }
    }

    fn name(&self, id: BlockId) -> String {
        self.network.block(id).name.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{State, VerificationReport, verify};
    use crate::{Routing, TableEntry};
    use mkns_topology::{BlockId, End, Faults, PortIndex};

    fn report(notation: &str, plant: impl Fn(&mut Routing)) -> VerificationReport {
        report_of(notation, "routing=adaptive", plant)
    }

    fn report_of(
        notation: &str,
        setting: &str,
        plant: impl Fn(&mut Routing),
    ) -> VerificationReport {
        let settings = ["routing=adaptive".to_owned(), setting.to_owned()];
        let spec = mkns_spec::parse_with(notation, &settings).expect("a valid spec");
        let network = mkns_topology::build(&spec);
        let mut routing = crate::build(&spec, &network, &Faults::none()).expect("routes");
        plant(&mut routing);
        verify(&spec, &network, &Faults::none(), &routing, &|_| {})
    }

    fn faults(report: &VerificationReport) -> &[String] {
        let check = report.checks.iter().find(|check| check.name == "adaptive");
        &check.expect("it ran").faults
    }

    #[test]
    fn every_kind_has_an_escape_that_packets_may_join_anywhere() {
        for (notation, escape) in [
            ("random_shortcut(32,4,2)", "up_down"),
            ("random_shortcut(32,4,2)", "shortest"),
            ("torus(4x4,2)", "rings"),
            ("torus(8x8,2)", "rings"),
            ("HyperX(2x2x2,2)", "dimension_order"),
            ("MKNS(2,4,2,1)", "up_down"),
            ("fat_tree(4,3)", "fat_tree"),
            ("slim_fly(5,2)", "up_down"),
        ] {
            let report = report_of(notation, &format!("escape={escape}"), |_| {});
            assert!(report.passed, "{notation} {escape}: {report:?}");
            let check = report.checks.last().expect("checks");
            assert_eq!((check.name, check.state), ("adaptive", State::Passed));
        }
    }

    #[test]
    fn a_hole_in_the_escape_is_found() {
        let report = report("random_shortcut(16,4,2)", |routing| {
            let entries = &mut routing.tables[3].tables[0].entries;
            let entry = entries.iter_mut().find(|entry| entry.valid && !entry.same);
            entry.expect("an entry").valid = false;
        });
        let no_way = |fault: &String| fault.contains("the escape has no way");
        assert!(faults(&report).iter().any(no_way), "{report:?}");
    }

    /// Without their steps, packets go around a ring on one channel.
    #[test]
    fn a_circle_of_the_escape_is_found() {
        let report = report("torus(8,2)", |routing| {
            let rows = routing
                .tables
                .iter_mut()
                .flat_map(|tables| &mut tables.step);
            rows.for_each(|row| row.fill(false));
        });
        assert!(
            faults(&report)[0].contains("wait in a circle"),
            "{report:?}"
        );
    }

    #[test]
    fn a_candidate_that_leads_away_is_found() {
        let report = report("random_shortcut(16,4,2)", |routing| {
            routing.tables[3].candidates.fill(0b1111);
        });
        assert!(
            faults(&report)[0].contains("on no shortest path"),
            "{report:?}"
        );
    }

    /// Blocks have no turn from a port to itself, so a packet must not come where the escape leads back.
    #[test]
    fn a_candidate_at_whose_end_the_escape_leads_back_is_found() {
        let spec = mkns_spec::parse("random_shortcut(16,4,2)").expect("a valid spec");
        let index = mkns_topology::build(&spec).index();
        let report = report("random_shortcut(16,4,2)", |routing| {
            let end = End {
                block: BlockId(3),
                port: PortIndex(0),
            };
            let back = index.sends_to(end).expect("a cable").peer;
            let entries = &routing.tables[3].tables[0].entries;
            let leads = |entry: &TableEntry| entry.valid && !entry.same && entry.port == 0;
            let node = entries.iter().position(leads).expect("an entry");
            routing.tables[back.block.0 as usize].candidates[node] |= 1 << back.port.0;
        });
        assert!(faults(&report)[0].contains("leads back"), "{report:?}");
    }
}
