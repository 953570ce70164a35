//! How much of a block is built: the network ports and turns that its routes may use, of those that it could have.

use std::fmt;

use mkns_design::{ModuleKind, Plan, Purpose, ensure_supported, turns_of_kinds};
use mkns_routing::Turns;
use mkns_topology::Network;
use serde::Serialize;

use super::network_arguments::RoutedNetwork;

/// Of the blocks of one kind.
#[derive(Debug, Serialize)]
pub struct BuiltBlock {
    kind: ModuleKind,
    network_ports: u32,
    network_ports_built: u32,
    /// Pairs of an input and an output; the way back to the network port that a packet came in by counts only where
    /// a route takes it.
    turns: u32,
    turns_built: u32,
}

impl BuiltBlock {
    /// By kind of block with a switch core; none where the network has no blocks that could be built.
    pub fn of_routes(routed: &RoutedNetwork) -> Vec<Self> {
        let (spec, network) = (&routed.spec, &routed.network);
        if ensure_supported(spec, network, Purpose::Blocks).is_err() {
            return Vec::new();
        }
        let kinds = turns_of_kinds(spec, network, &routed.routing);
        let of_kind = |(kind, turns): &(ModuleKind, Turns)| Self::new(*kind, turns, network);
        kinds.iter().filter_map(of_kind).collect()
    }

    /// By kind of block with a switch core. All modules of a kind have the same turns.
    pub fn of_plan(plan: &Plan) -> Vec<Self> {
        let mut blocks: Vec<Self> = Vec::new();
        for module in &plan.modules {
            if blocks.iter().all(|block| block.kind != module.kind) {
                blocks.extend(Self::new(module.kind, &module.turns, &plan.network));
            }
        }
        blocks
    }

    fn new(kind: ModuleKind, turns: &Turns, network: &Network) -> Option<Self> {
        let mut blocks = network.blocks.iter();
        let block = blocks.find(|block| (block.pcie_ports > 0) == kind.has_hosts())?;
        let (ports, hosts) = (block.network_ports.into(), u32::from(block.pcie_ports));
        let returns = (0..ports as usize).any(|port| turns.contains(port, port));
        (turns.count() > 0).then(|| Self {
            kind,
            network_ports: ports,
            network_ports_built: (turns.built() & (u32::MAX >> (u32::BITS - ports))).count_ones(),
            turns: match returns {
                true => (ports + hosts).pow(2),
                false => Turns::between_all(ports + hosts, ports).count(),
            },
            turns_built: turns.count(),
        })
    }
}

impl fmt::Display for BuiltBlock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "{} blocks: {} of {} network ports and {} of {} turns are built",
            self.kind.name(),
            self.network_ports_built,
            self.network_ports,
            self.turns_built,
            self.turns
        )
    }
}
