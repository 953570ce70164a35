//! `<name>_<block>`: one block with its number, address, tables and expected peers as constants: the top for a board of its
//! own, or, where no port is serial, a module for another design.

use std::collections::BTreeMap;

use askama::Template;

use super::board::{board_parameters, board_ports, peer_list};
use super::instance::{connection_lines, overrides, same_name};
use super::node::{node_ports, parameter_names};
use crate::names::{board_name, node_name};
use crate::parameters::instance_parameters;
use crate::verilog::{Declaration, port_list};
use mkns_design::{BlockInstance, BlockModule, Plan};
use mkns_topology::NetworkIndex;

#[derive(Template)]
#[template(path = "network/board_top.v")]
pub struct BoardTop<'a> {
    name: String,
    label: String,
    purpose: &'static str,
    /// The module inside, and its instance.
    module: String,
    instance: &'static str,
    banner: &'a str,
    ports: String,
    /// Names and values.
    constants: Vec<(String, String)>,
    parameters: String,
    connections: String,
}

/// What is inside.
struct Inside {
    module: String,
    instance: &'static str,
    purpose: &'static str,
    parameters: Vec<String>,
    ports: Vec<Declaration>,
}

impl<'a> BoardTop<'a> {
    /// A board. None where no port is serial.
    pub fn new(
        plan: &'a Plan,
        index: &NetworkIndex,
        instance: &BlockInstance,
        banner: &'a str,
    ) -> Option<Self> {
        let module = &plan.modules[instance.module];
        let peers = peer_list(index, instance, module)?;
        let inside = Inside {
            module: board_name(plan, module),
            instance: "board",
            purpose: "for a board of its own",
            parameters: board_parameters(module).collect(),
            ports: board_ports(module),
        };
        let peers = ("EXPECTED_PEERS".to_owned(), peers.to_string());
        Some(Self::around(plan, instance, inside, Some(peers), banner))
    }

    /// A node.
    pub fn of_node(plan: &'a Plan, instance: &BlockInstance, banner: &'a str) -> Self {
        let module: &BlockModule = &plan.modules[instance.module];
        let inside = Inside {
            module: node_name(plan, module.kind),
            instance: "node",
            purpose: "for another design",
            parameters: parameter_names(module).collect(),
            ports: node_ports(module),
        };
        Self::around(plan, instance, inside, None, banner)
    }

    fn around(
        plan: &Plan,
        instance: &BlockInstance,
        inside: Inside,
        peers: Option<(String, String)>,
        banner: &'a str,
    ) -> Self {
        let block = plan.network.block(instance.block);
        let values = instance_parameters(plan, instance).into_iter();
        let mut values: BTreeMap<String, String> = values.chain(peers).collect();
        // what is 0 is left to its default
        let named = |name: String| values.remove_entry(&name);
        let constants: Vec<_> = inside.parameters.into_iter().filter_map(named).collect();
        let passed = constants
            .iter()
            .map(|(name, _)| (name.clone(), name.clone()));
        let (own, ports): (Vec<_>, Vec<_>) =
            (inside.ports.into_iter()).partition(|port| port.name == "block_number");
        let number = instance.block.0 & 0xffff;
        let same = ports.iter().map(|port| same_name(&port.name));
        let mut connections: Vec<String> = own
            .iter()
            .map(|port| format!(".{}(16'd{number})", port.name))
            .collect();
        connections.extend(same);
        Self {
            name: board_top_name(plan, &block.name),
            label: block.label(),
            purpose: inside.purpose,
            module: inside.module,
            instance: inside.instance,
            banner,
            ports: port_list(&ports),
            parameters: connection_lines(&[overrides(&passed.collect::<Vec<_>>())]),
            constants,
            connections: connection_lines(&[connections]),
        }
    }
}

/// Name of the module for a block.
pub fn board_top_name(plan: &Plan, block: &str) -> String {
    format!("{}_{block}", plan.spec.name)
}
