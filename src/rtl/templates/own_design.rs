//! "In a design of your own" of `docs/ports.md`: ports and parameters of the node of a kind of blocks, and an instance.

use askama::Template;

use super::instance::{connection_lines, overrides, same_name};
use super::node::{node_ports, parameter_names};
use crate::block_path::block_path;
use crate::names::node_name;
use crate::parameters::{instance_parameters, module_name};
use crate::verilog::Declaration;
use mkns_design::{BlockModule, ModuleKind, Plan};

/// Longest word that is printed as it is.
const LONGEST: usize = 72;

#[derive(Template)]
#[template(path = "flow/own_design.md")]
pub struct OwnDesign {
    node: String,
    block: &'static str,
    /// Name of a block, and the path of its module.
    example: String,
    path: String,
    ports: Vec<PortRow>,
    parameters: Vec<ParameterRow>,
    instance: String,
}

/// A port, ready to print.
pub struct PortRow {
    pub name: String,
    pub direction: &'static str,
    pub bits: u64,
    pub meaning: &'static str,
}

impl PortRow {
    pub fn new(port: Declaration, meaning: &'static str) -> Self {
        Self {
            direction: port.direction.word(),
            bits: port.bits,
            meaning,
            name: port.name,
        }
    }
}

struct ParameterRow {
    name: String,
    bits: String,
    meaning: String,
}

impl OwnDesign {
    /// None where there is no block of the kind.
    pub fn new(plan: &Plan, kind: ModuleKind) -> Option<Self> {
        let mut instances = plan.instances.iter();
        let instance = instances.find(|one| plan.modules[one.module].kind == kind)?;
        let module = &plan.modules[instance.module];
        let node = node_name(plan, kind);
        let example = plan.network.block(instance.block).name.clone();
        let names: Vec<String> = parameter_names(module).collect();
        let values = instance_parameters(plan, instance).into_iter();
        let values = values.filter(|(name, _)| names.contains(name));
        let values = values.map(|(name, value)| match value.len() {
            0..=LONGEST => (name, value),
            _ => (name.clone(), name),
        });
        let connections = node_ports(module).into_iter();
        let connections = connections.map(|port| same_name(&port.name));
        let head = match connection_lines(&[overrides(&values.collect::<Vec<_>>())]) {
            none if none.is_empty() => node.clone(),
            parameters => format!("{node} #(\n{parameters}\n)"),
        };
        let connections = connection_lines(&[connections.collect()]);
        Some(Self {
            path: block_path(plan, instance.block),
            block: module_name(kind),
            ports: bundles(module),
            parameters: names.iter().map(|name| row(name, module)).collect(),
            instance: format!("{head} {example} (\n{connections}\n);"),
            node,
            example,
        })
    }
}

/// Clock, reset and links.
fn bundles(module: &BlockModule) -> Vec<PortRow> {
    let rows = node_ports(module).into_iter().filter_map(|port| {
        let meaning = match port.name.as_str() {
            "clk" => "clock, rising edge",
            "rst" => "synchronous reset, active high",
            "link_up" => "bit p: the link of network port p is up; 0 where there is none",
            "link_rx" => "what comes in, a bundle for each network port, port 0 in the low bits",
            "link_tx" => "what goes out, likewise",
            _ => return None,
        };
        Some(PortRow::new(port, meaning))
    });
    rows.collect()
}

fn row(name: &str, module: &BlockModule) -> ParameterRow {
    let ports = module.core_ports();
    let layers = module.parameters.layers;
    let table = name.trim_start_matches("TABLE").split('_').next();
    let table = table.unwrap_or_default();
    let shape = table.parse().ok().and_then(|n: usize| module.tables.get(n));
    let integer = || "integer".to_owned();
    let (bits, meaning) = match name {
        "NODE_ADDRESS" => (
            20.to_string(),
            "own address, the source of packets from its hosts: fields as in the destination, PCIe port 0".to_owned(),
        ),
        "STEP" => (
            (ports * ports).to_string(),
            format!(
                "bit i*{ports} + o: packets from port i to port o go one virtual channel up; 0 with one channel"
            ),
        ),
        "LAYER_ENTRY" => (
            16.to_string(),
            "bits 2*l+1 to 2*l: virtual channel on which packets of layer l start".to_owned(),
        ),
        "MASKS_INIT" => (
            module.masks.map_or(0, |masks| 8 * masks.entries()).to_string(),
            "byte a: layers that lead to node address a, bit l for layer l".to_owned(),
        ),
        "CANDIDATES_INIT" => (
            (module.candidates())
                .map_or(0, |nodes| module.network_ports * nodes.entries())
                .to_string(),
            format!(
                "bits {0}*a+{1} to {0}*a: ports on shortest paths to node address a, bit o for port o",
                module.network_ports,
                module.network_ports - 1
            ),
        ),
        _ if name.ends_with("_LSB") => (
            integer(),
            format!("lowest bit of the destination that indexes table {table}"),
        ),
        _ if name.ends_with("_BITS") => (integer(), "number of those bits".to_owned()),
        _ => (
            shape
                .map_or(0, |shape| 16 * (layers << shape.bits))
                .to_string(),
            format!("table {table} at power-up: entry e in bits 16*e+15 to 16*e, its index as above"),
        ),
    };
    ParameterRow {
        name: name.to_owned(),
        bits,
        meaning,
    }
}
