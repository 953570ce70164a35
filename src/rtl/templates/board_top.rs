//! `<name>_<block>`: the top for a board of its own: the board of its kind with number, address, tables and expected
//! peers of one block.

use std::collections::BTreeMap;

use askama::Template;

use super::board::{board_parameters, board_ports, peer_list};
use super::instance::{connection_lines, overrides};
use crate::names::board_name;
use crate::parameters::instance_parameters;
use crate::verilog::port_list;
use mkns_design::{BlockInstance, Plan};
use mkns_topology::NetworkIndex;

#[derive(Template)]
#[template(path = "network/board_top.v")]
pub struct BoardTop<'a> {
    name: String,
    label: String,
    board: String,
    banner: &'a str,
    ports: String,
    /// Names and values.
    constants: Vec<(String, String)>,
    parameters: String,
    connections: String,
}

impl<'a> BoardTop<'a> {
    /// None where no port is serial.
    pub fn new(
        plan: &'a Plan,
        index: &NetworkIndex,
        instance: &BlockInstance,
        banner: &'a str,
    ) -> Option<Self> {
        let module = &plan.modules[instance.module];
        let peers = peer_list(index, instance, module)?;
        let block = plan.network.block(instance.block);
        let mut values: BTreeMap<String, String> =
            instance_parameters(plan, instance).into_iter().collect();
        values.insert("EXPECTED_PEERS".to_owned(), peers.to_string());
        // what is 0 is left to its default
        let named = |name: String| values.remove_entry(&name);
        let constants: Vec<_> = board_parameters(module).filter_map(named).collect();
        let passed = constants
            .iter()
            .map(|(name, _)| (name.clone(), name.clone()));
        let (own, ports): (Vec<_>, Vec<_>) = board_ports(module)
            .into_iter()
            .partition(|port| port.name == "block_number");
        let number = instance.block.0 & 0xffff;
        let same = ports.iter().map(|port| format!(".{0}({0})", port.name));
        let mut connections: Vec<String> = own
            .iter()
            .map(|port| format!(".{}(16'd{number})", port.name))
            .collect();
        connections.extend(same);
        Some(Self {
            name: board_top_name(plan, &block.name),
            label: block.label(),
            board: board_name(plan, module),
            banner,
            ports: port_list(&ports),
            parameters: connection_lines(&[overrides(&passed.collect::<Vec<_>>())]),
            constants,
            connections: connection_lines(&[connections]),
        })
    }
}

/// Name of the top for the board of a block.
pub fn board_top_name(plan: &Plan, block: &str) -> String {
    format!("{}_{block}", plan.spec.name)
}
