//! `<name>_top`: all blocks and cables of the network.

use askama::Template;

use super::instance::{CableInstance, Group, Instance, cable_parameters, declarations};
use super::node::OTHER_PORTS;
use super::top_blocks::{TopBlocks, blocks_with_hosts, cable_name};
use crate::assemblies::Assembly;
use crate::identifier::Identifier;
use crate::node_constants::{NodeConstant, NodeConstants};
use crate::parameters::link_bits;
use crate::tables::{TableConstant, TableConstants};
use crate::verilog::{Declaration, Direction, port_list};
use mkns_design::{ModuleKind, Plan, serial_link};
use mkns_spec::NetworkKind;
use mkns_topology::{Cable, CableKind, NetworkIndex};

#[derive(Template)]
#[template(path = "network/top.v")]
pub struct Top<'a> {
    name: &'a Identifier,
    title: String,
    contents: String,
    banner: &'a str,
    latency: u32,
    link_bits: u32,
    credit_bits: u32,
    cable_parameters: String,
    serial_parameters: String,
    ports: String,
    has_free_ports: bool,
    tables: Vec<&'a TableConstant>,
    masks: &'a [NodeConstant],
    candidates: &'a [NodeConstant],
    cables: Vec<Group<CableInstance>>,
    simplex_cables: Vec<Group<CableInstance>>,
    blocks: Vec<Group<Instance>>,
}

impl<'a> Top<'a> {
    pub fn new(
        plan: &Plan,
        name: &'a Identifier,
        index: &NetworkIndex,
        assemblies: &[Assembly],
        (tables, of_nodes): (&'a TableConstants, [&'a NodeConstants; 2]),
        banner: &'a str,
    ) -> Self {
        let blocks = TopBlocks {
            plan,
            index,
            assemblies,
            tables,
            of_nodes,
        }
        .groups();
        let [masks, candidates] = of_nodes;
        Self {
            name,
            title: format!("the network {}", plan.spec.notation()),
            contents: contents(plan),
            banner,
            latency: plan.spec.block.link_latency,
            link_bits: link_bits(&plan.modules[0]),
            credit_bits: plan.spec.block.virtual_channels,
            cable_parameters: cable_parameters(&plan.spec.block),
            serial_parameters: serial_parameters(plan),
            ports: port_list(&ports(plan)),
            cables: cables(plan, index, |kind| kind != CableKind::Simplex),
            simplex_cables: cables(plan, index, |kind| kind == CableKind::Simplex),
            has_free_ports: (blocks.iter())
                .flat_map(|group| &group.members)
                .any(|block| block.unused_links > 0),
            blocks,
            tables: tables.sorted(),
            masks: &masks.constants,
            candidates: &candidates.constants,
        }
    }
}

/// What the network consists of, in one line.
pub fn contents(plan: &Plan) -> String {
    let network = &plan.network;
    if let NetworkKind::DistributedSwitch(_) = &plan.spec.kind {
        let count = |kind| {
            let modules = plan.instances.iter().map(|instance| instance.module);
            modules
                .filter(|&module| plan.modules[module].kind == kind)
                .count()
        };
        return format!(
            "{} terminals, {} POK units behind them, {} spine switches, {} cables",
            count(ModuleKind::Terminal),
            count(ModuleKind::Pok),
            count(ModuleKind::Switch),
            network.cables.len()
        );
    }
    let adapters = network.adapters().len();
    format!(
        "{} hosts, {adapters} adapter blocks, {} switch blocks, {} cables",
        network.hosts.len(),
        network.blocks.len() - adapters,
        network.cables.len()
    )
}

/// Ports of the network: each vector holds those of all hosts or of all blocks.
pub fn ports(plan: &Plan) -> Vec<Declaration> {
    let cables = plan.network.cables.len() as u64;
    let mut list = vec![
        Declaration::new(Direction::Input, 1, "clk"),
        Declaration::new(Direction::Input, 1, "rst"),
        Declaration::new(Direction::Input, cables, "cable_up"),
    ];
    let hosts = blocks_with_hosts(&plan.network) as u64;
    let blocks = plan.network.blocks.len() as u64;
    let adapter = plan.modules.iter().find(|module| module.kind.has_hosts());
    let module = adapter.unwrap_or(&plan.modules[0]);
    for prefix in OTHER_PORTS {
        let copies = if prefix == "s_axil_" { blocks } else { hosts };
        list.extend(declarations(module, prefix, copies));
    }
    list
}

/// Overrides of every serial cable.
fn serial_parameters(plan: &Plan) -> String {
    let flight = plan.spec.link.as_ref().map_or(1, |link| link.flight_words);
    let channels = plan.spec.block.virtual_channels;
    format!(".VCS({channels}), .FLIGHT({flight})")
}

/// Cables of the wanted kinds by dimension; those inside an assembly are the assembly's.
fn cables(
    plan: &Plan,
    index: &NetworkIndex,
    wanted: impl Fn(CableKind) -> bool,
) -> Vec<Group<CableInstance>> {
    let network = &plan.network;
    let instance = |(cable, number): (&Cable, u32)| {
        let label = |end: mkns_topology::End| {
            let block = network.block(end.block);
            format!("{} port {}", block.label(), end.port)
        };
        CableInstance {
            name: cable_name(number),
            is_serial: serial_link(&plan.spec, cable).is_some(),
            ends: format!("cable {number}: {} - {}", label(cable.a), label(cable.b)),
            back: index
                .sends_to(cable.b)
                .map_or_else(String::new, |link| cable_name(link.cable)),
        }
    };
    let group = |dimension: u8| Group {
        title: format!("Cables of dimension {dimension}"),
        members: (network.cables.iter().zip(0..))
            .filter(|(cable, _)| cable.dimension == dimension)
            .filter(|(cable, _)| cable.kind != CableKind::AssemblyInternal && wanted(cable.kind))
            .map(instance)
            .collect(),
    };
    let groups = (1..=network.dimensions()).map(group);
    groups.filter(|group| !group.members.is_empty()).collect()
}
