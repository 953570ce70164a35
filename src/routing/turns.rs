//! The turns of a block: from which ports packets may go on to which others.
//!
//! A block has queues, requests and crossbar inputs for these pairs only (`docs/microarchitecture.md`, 1.3). Routes that
//! are written later need them, too, so an engine that may reroute names every pair that it may ever use.

use serde::Serialize;

use mkns_spec::{NetworkSpec, TurnSelect};
use mkns_topology::{Block, BlockId, End, Network, NetworkIndex, PortIndex};

use crate::engines::{self, CabledPort};
use crate::{BlockTables, Routing};

/// Pairs of an input and an output of a block's core, by port number.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(transparent)]
pub struct Turns {
    /// By input: bit o for each output o.
    rows: Vec<u32>,
}

impl Turns {
    /// No pair of a core with this many ports.
    pub fn none(ports: u32) -> Self {
        Self {
            rows: vec![0; ports as usize],
        }
    }

    /// Every pair of two ports, and each port from `first_host` on with itself.
    pub fn between_all(ports: u32, first_host: u32) -> Self {
        let mut turns = Self::none(ports);
        for from in 0..ports {
            for to in (0..ports).filter(|&to| to != from || from >= first_host) {
                turns.insert(from as usize, to as usize);
            }
        }
        turns
    }

    /// Adds a pair.
    pub fn insert(&mut self, from: usize, to: usize) {
        self.rows[from] |= 1 << to;
    }

    /// Adds the pairs of another block with as many ports.
    pub fn extend(&mut self, other: &Self) {
        for (row, other) in self.rows.iter_mut().zip(&other.rows) {
            *row |= other;
        }
    }

    /// Whether packets may go from an input to an output.
    pub fn contains(&self, from: usize, to: usize) -> bool {
        self.rows.get(from).is_some_and(|row| row >> to & 1 == 1)
    }

    /// By input: bit o for each output o.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The inputs that lead to an output: bit i.
    pub fn inputs_of(&self, to: usize) -> u32 {
        let inputs = (0..self.rows.len()).filter(|&from| self.contains(from, to));
        inputs.fold(0, |inputs, from| inputs | 1 << from)
    }

    /// The ports that have a turn in either direction, bit p: the others are not built.
    pub fn built(&self) -> u32 {
        let rows = self.rows.iter().enumerate();
        let used = rows.map(|(from, &row)| row | u32::from(row != 0) << from);
        used.fold(0, |built, ports| built | ports)
    }

    /// Number of pairs.
    pub fn count(&self) -> u32 {
        self.rows.iter().map(|row| row.count_ones()).sum()
    }
}

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
            (routing.from_file.as_ref()).map(|_| used_by_tables(network, &index, routing));
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
        match &self.of_file {
            Some(of_file) => turns.extend(&of_file[id.0 as usize]),
            None => {
                let engine = engines::named(&self.spec.routing);
                for from in arrives.iter().flatten() {
                    for to in leaves.iter().flatten() {
                        if engine.turns(block, from, to) {
                            turns.insert(usize::from(from.port.0), usize::from(to.port.0));
                        }
                    }
                }
            }
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

    fn cabled(&self, port: usize, link: Option<mkns_topology::Link>) -> Option<CabledPort<'a>> {
        let link = link?;
        Some(CabledPort {
            port: PortIndex(port as u8),
            dimension: self.network.cables[link.cable as usize].dimension,
            peer: &self.network.block(link.peer.block).role,
        })
    }
}

fn core_ports(block: &Block) -> usize {
    usize::from(block.network_ports) + usize::from(block.pcie_ports)
}

/// By block, the turns that packets of hosts make with these tables: on any layer, by ports and by alternates.
pub fn used_by_tables(network: &Network, index: &NetworkIndex, routing: &Routing) -> Vec<Turns> {
    let blocks = network.block_ids();
    let of_block = |block| Turns::none(core_ports(network.block(block)) as u32);
    let mut turns: Vec<Turns> = blocks.map(of_block).collect();
    let layers = routing.tables.iter().map(|tables| layers(tables, routing));
    let layers = layers.max().unwrap_or(0);
    for destination in &network.terminals {
        let address = routing.layout.address_of(destination.host);
        for layer in 0..layers {
            let outputs = |block: BlockId| {
                let tables = &routing.tables[block.0 as usize];
                outputs(tables, routing, layer, address)
            };
            let mut seen = vec![false; network.blocks.len()];
            let sources = network.terminals.iter().map(|terminal| terminal.block);
            let mut pending: Vec<BlockId> = sources.collect();
            while let Some(block) = pending.pop() {
                if std::mem::replace(&mut seen[block.0 as usize], true) {
                    continue;
                }
                for port in outputs(block) {
                    let end = End {
                        block,
                        port: PortIndex(port),
                    };
                    let Some(link) = index.sends_to(end) else {
                        continue;
                    };
                    let (next, from) = (link.peer.block, usize::from(link.peer.port.0));
                    let turns = &mut turns[next.0 as usize];
                    for to in outputs(next).map(usize::from) {
                        if to < turns.rows.len() {
                            turns.insert(from, to);
                        }
                    }
                    pending.push(next);
                }
            }
        }
    }
    turns
}

/// Layers of a block's tables; 0 without tables.
fn layers(tables: &BlockTables, routing: &Routing) -> u32 {
    let of_table = |table: &crate::DimensionTable| {
        let depth = routing.layout.fields[table.field].depth().max(1);
        table.entries.len() as u32 / depth
    };
    tables.tables.iter().map(of_table).max().unwrap_or(0)
}

/// The port and the alternate of the entry for an address.
fn outputs(
    tables: &BlockTables,
    routing: &Routing,
    layer: u32,
    address: u32,
) -> impl Iterator<Item = u8> {
    let entry = tables.lookup(&routing.layout, layer, address);
    entry
        .into_iter()
        .flat_map(|entry| [Some(entry.port), entry.alternate])
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_topology::Faults;

    /// By block, the turns that the engine names, and those that its tables use.
    fn named_and_used(notation: &str, engine: &str) -> (Vec<Turns>, Vec<Turns>) {
        let setting = [format!("routing={engine}")];
        let spec = mkns_spec::parse_with(notation, &setting).expect("a valid spec");
        let network = mkns_topology::build(&spec);
        let routing = crate::build(&spec, &network, &Faults::none()).expect("routes");
        let finder = TurnFinder::new(&spec, &network, &routing);
        let named = network.block_ids().map(|block| finder.of(block)).collect();
        (named, used_by_tables(&network, &network.index(), &routing))
    }

    #[test]
    fn no_table_needs_a_turn_that_its_engine_does_not_name() {
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
        for (notation, engine) in networks {
            let (named, used) = named_and_used(notation, engine);
            for (block, (named, used)) in named.iter().zip(&used).enumerate() {
                let rows = named.rows.iter().zip(&used.rows);
                for (from, (named, used)) in rows.enumerate() {
                    assert_eq!(
                        used & !named,
                        0,
                        "{notation}, {engine}: block {block}, input {from}"
                    );
                }
            }
        }
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

    #[test]
    fn ports_without_a_cable_are_not_built() {
        for engine in ["dimension_order", "vtftr"] {
            let (named, _) = named_and_used("MKNS(2,4,2,1)", engine);
            // Three cables of the mesh, one to a switch block, two hosts.
            assert_eq!(named[0].built().count_ones(), 3 + 1 + 2, "{engine}");
        }
    }

    #[test]
    fn turns_between_all_leave_out_the_way_back_to_the_network() {
        let turns = Turns::between_all(4, 3);
        assert_eq!(turns.rows(), [0b1110, 0b1101, 0b1011, 0b1111]);
        assert_eq!(turns.inputs_of(0), 0b1110);
        assert_eq!((turns.count(), turns.built()), (13, 0b1111));
    }
}
