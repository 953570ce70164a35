//! Which turns a block of a network is built with: those of the routes that its engine may ever make.
//!
//! Routes that are written later need them, too, so an engine that may reroute names every pair that it may ever use.

use mkns_spec::{NetworkSpec, TurnSelect};
use mkns_topology::{BlockId, End, Network, NetworkIndex, PortIndex};

use super::engines::{self, CabledPort};
use super::used_turns::{core_ports, used_by_tables};
use super::{Routing, Turns};

/// Finds the turns of the blocks of a network.
pub struct TurnFinder<'a> {
    spec: &'a NetworkSpec,
    network: &'a Network,
    index: NetworkIndex,
    /// By block, where the tables are from a file: nothing else is known of them.
    of_file: Option<Vec<Turns>>,
}

impl<'a> TurnFinder<'a> {
    /// For the routes that the engine of a spec may ever make, or for those of a file as they are.
    pub fn new(spec: &'a NetworkSpec, network: &'a Network, routing: &Routing) -> Self {
        let index = network.index();
        let of_file =
            (routing.from_file.as_ref()).map(|_| used_by_tables(network, &index, &[routing]));
        Self {
            spec,
            network,
            index,
            of_file,
        }
    }

    /// The turns of a block: between its hosts and every cabled port in any case. A port with a cable that routes do
    /// not use turns to itself, so that it is built and says whether its link is up.
    pub fn of(&self, id: BlockId) -> Turns {
        let block = self.network.block(id);
        let (ports, all) = (usize::from(block.network_ports), core_ports(block));
        let mut turns = Turns::none(all as u32);
        let end = |port: usize| End {
            block: id,
            port: PortIndex(port as u8),
        };
        let arrives: Vec<Option<CabledPort>> = (0..ports)
            .map(|port| self.cabled(port, self.index.receives_from(end(port))))
            .collect();
        let leaves: Vec<Option<CabledPort>> = (0..ports)
            .map(|port| self.cabled(port, self.index.sends_to(end(port))))
            .collect();
        for host in ports..all {
            (ports..all).for_each(|other| turns.insert(host, other));
            for port in 0..ports {
                if leaves[port].is_some() {
                    turns.insert(host, port);
                }
                if arrives[port].is_some() {
                    turns.insert(port, host);
                }
            }
        }
        let engine = engines::named(self.spec.engine().name);
        let is_adaptive = self.spec.block.adaptive;
        for from in arrives.iter().flatten() {
            for to in leaves.iter().flatten() {
                let is_made = match is_adaptive {
                    true => from.port != to.port,
                    false => self.of_file.is_none() && engine.turns(block, from, to),
                };
                if is_made {
                    turns.insert(usize::from(from.port.0), usize::from(to.port.0));
                }
            }
        }
        if let Some(of_file) = &self.of_file {
            turns.extend(&of_file[id.0 as usize]);
        }
        let built = turns.built();
        for port in 0..ports {
            if built >> port & 1 == 0 && (arrives[port].is_some() || leaves[port].is_some()) {
                turns.insert(port, port);
            }
        }
        if self.spec.block.turns == TurnSelect::All {
            turns.extend(&Turns::between_all(all as u32, ports as u32));
        }
        turns
    }

    fn cabled(
        &self,
        port: usize,
        link: Option<mkns_topology::PortCable>,
    ) -> Option<CabledPort<'a>> {
        let link = link?;
        Some(CabledPort {
            port: PortIndex(port as u8),
            dimension: self.network.cables[link.cable as usize].dimension,
            peer: &self.network.block(link.peer.block).role,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault_sets::FaultSets;
    use mkns_topology::{Faults, Part};

    /// By block, the turns that the engine names, and those that its tables use.
    fn named_and_used(notation: &str, engine: &str) -> (Vec<Turns>, Vec<Turns>) {
        let setting = [format!("routing={engine}")];
        let spec = mkns_spec::parse_with(notation, &setting).expect("a valid spec");
        let network = mkns_topology::build(&spec);
        let routing = crate::build(&spec, &network, &Faults::none()).expect("routes");
        let finder = TurnFinder::new(&spec, &network, &routing);
        let named = network.block_ids().map(|block| finder.of(block)).collect();
        (
            named,
            used_by_tables(&network, &network.index(), &[&routing]),
        )
    }

    /// All cables, and all blocks without hosts.
    fn parts_that_fail(network: &Network) -> Vec<Part> {
        let cables = (0..network.cables.len()).map(|number| Part::Cable(number as u32));
        let blocks = network.block_ids();
        let switches = blocks.filter(|&id| network.block(id).pcie_ports == 0);
        cables.chain(switches.map(Part::Block)).collect()
    }

    /// Any two of these sets may follow each other, and a packet meets entries of both while tables are rewritten.
    #[test]
    fn no_reroute_needs_a_turn_that_its_engine_does_not_name() {
        let networks = [
            ("MKNS(2,4,2,1)", "dimension_order"),
            ("MKNS(2,3x4x2,3,1)", "dimension_order"),
            ("MKNS(2,4x12,2,2)", "dimension_order"),
            ("HyperX(3x4,2)", "dimension_order"),
            ("torus(5x3x4)", "rings"),
            ("torus(8x2)", "rings"),
            ("fat_tree(4,3)", "fat_tree"),
            ("MKNS(2,4x4,2,1)", "planes"),
            ("MKNS(2,4x4,2,1)", "planes_spread"),
            ("MKNS(2,4x4,2,1)", "vtftr"),
            ("slim_fly(5,2)", "shortest"),
            ("slim_fly(5,2)", "layered"),
            ("slim_fly(5,2)", "up_down"),
        ];
        let mut reroutes = 0;
        for (notation, engine) in networks {
            let setting = [format!("routing={engine}")];
            let spec = mkns_spec::parse_with(notation, &setting).expect("a valid spec");
            let network = mkns_topology::build(&spec);
            let parts = parts_that_fail(&network);
            let sets = [
                FaultSets::all(&parts, 0),
                FaultSets::sample(&parts, 1, 60, 1),
                FaultSets::sample(&parts, 2, 20, 2),
            ];
            let sets = sets
                .iter()
                .flat_map(|sets| (0..sets.number()).map(|set| sets.set(set)));
            // Engines without routes around a set refuse it.
            let routings = sets.filter_map(|faults| crate::build(&spec, &network, &faults).ok());
            let routings: Vec<Routing> = routings.collect();
            reroutes += routings.len() - 1;
            let finder = TurnFinder::new(&spec, &network, &routings[0]);
            let all: Vec<&Routing> = routings.iter().collect();
            let used = used_by_tables(&network, &network.index(), &all);
            for (block, used) in network.block_ids().zip(&used) {
                let named = finder.of(block);
                let mut rows = used.rows.iter().zip(&named.rows);
                let missing = rows.position(|(used, named)| used & !named != 0);
                assert_eq!(missing, None, "{notation}, {engine}: {block:?}, input");
            }
        }
        assert!(reroutes > 300, "{reroutes} reroutes");
    }

    #[test]
    fn a_check_finds_routes_that_need_a_turn_which_is_not_built() {
        let spec = |engine: &str| {
            let setting = [format!("routing={engine}")];
            mkns_spec::parse_with("MKNS(2,4x4,2,1)", &setting).expect("a valid spec")
        };
        let (own, other) = (spec("vtftr"), spec("dimension_order"));
        let network = mkns_topology::build(&own);
        // Routes around a failed switch block leave dimension 2 before dimension 1.
        let failed = network.block_named("kb_y0").expect("it is there");
        let faults = Faults::from_iter([mkns_topology::Part::Block(failed)]);
        let routing = crate::build(&own, &network, &faults).expect("routes");
        let found = |spec: &NetworkSpec| {
            let report = crate::verify::verify(spec, &network, &faults, &routing, &|_| {});
            let check = report
                .checks
                .into_iter()
                .find(|check| check.name == "turns");
            check.expect("it is there").faults
        };
        assert_eq!(found(&own), [""; 0]);
        let wrong = found(&other);
        assert!(wrong[0].contains("no turn from port"), "{wrong:?}");
    }

    #[test]
    fn blocks_too_large_for_hardware_are_said_not_to_be_checked() {
        let spec = mkns_spec::parse("slim_fly(25,2)").expect("a valid spec");
        let network = mkns_topology::build(&spec);
        let routing = crate::build(&spec, &network, &Faults::none()).expect("routes");
        let report = crate::verify::verify(&spec, &network, &Faults::none(), &routing, &|_| {});
        let check = report.checks.last().expect("it is there");
        assert_eq!(check.name, "turns");
        assert!(
            check.examined.contains("more than 32 ports"),
            "{}",
            check.examined
        );
    }

    /// F8 of the outside trial: 43 of 134 pairs of an adapter block, and 8 of its 10 network ports.
    #[test]
    fn dimension_order_uses_a_third_of_the_turns_of_an_adapter_block() {
        let (named, used) = named_and_used("MKNS(2,8x10,2,1)", "dimension_order");
        assert_eq!(named[0].count(), 43);
        assert_eq!(named[0].built().count_ones(), 8 + 2);
        let mut of_all = Turns::none(12);
        used[..80].iter().for_each(|used| of_all.extend(used));
        let to_hosts: u32 = (0..10).map(|port| of_all.rows[port].count_ones()).sum();
        assert_eq!(to_hosts, 43 - 2 * 8 - 4, "from the network, exactly these");
    }

    #[test]
    fn a_spec_can_ask_for_every_turn() {
        let setting = ["turns=all".to_owned()];
        let spec = mkns_spec::parse_with("MKNS(2,4,2,1)", &setting).expect("a valid spec");
        let network = mkns_topology::build(&spec);
        let routing = crate::build(&spec, &network, &Faults::none()).expect("routes");
        let finder = TurnFinder::new(&spec, &network, &routing);
        assert_eq!(finder.of(BlockId(0)), Turns::between_all(12, 10));
    }

    /// Packets may come by any cable and leave by any other one, also where the escape is from a file.
    #[test]
    fn adaptive_blocks_have_every_turn_between_cables() {
        let setting = ["routing=adaptive".to_owned()];
        let spec = mkns_spec::parse_with("random_shortcut(16,4,2)", &setting).expect("valid");
        let network = mkns_topology::build(&spec);
        let mut routing = crate::build(&spec, &network, &Faults::none()).expect("routes");
        for from_file in [None, Some("routes.csv".to_owned())] {
            routing.from_file = from_file;
            let finder = TurnFinder::new(&spec, &network, &routing);
            assert_eq!(finder.of(BlockId(0)), Turns::between_all(6, 4));
        }
    }

    #[test]
    fn ports_without_a_cable_are_not_built() {
        for engine in ["dimension_order", "vtftr"] {
            let (named, _) = named_and_used("MKNS(2,4,2,1)", engine);
            // Three cables of the mesh, one to a switch block, two hosts.
            assert_eq!(named[0].built().count_ones(), 3 + 1 + 2, "{engine}");
        }
    }
}
