//! What the plan has for the modules around the blocks: ports, instances, what drives every pin, parameters of blocks.

use std::collections::{BTreeMap, BTreeSet};

use super::segments::Segments;
use crate::names::{module_of, node_name, top_name};
use crate::parameters::{instance_parameters, link_bits, module_name, shared_parameters};
use crate::templates::node::{node_ports, parameter_names};
use crate::templates::top::ports;
use crate::templates::top_blocks::{blocks_with_hosts, cable_name};
use crate::verilog::{Declaration, Direction};
use mkns_design::{BlockInstance, BlockModule, ModuleKind, Plan};
use mkns_topology::{End, NetworkIndex, PortIndex};

/// A module of the plan.
#[derive(Default)]
pub struct Module {
    /// Direction and bits.
    pub ports: BTreeMap<String, (&'static str, String)>,
    /// Name and module.
    pub instances: BTreeMap<String, String>,
    /// Inputs of instances and own outputs, and what drives them.
    pub sinks: BTreeMap<String, String>,
}

/// All of them by name.
#[derive(Default)]
pub struct Expected {
    pub modules: BTreeMap<String, Module>,
    /// By path and name; hexadecimal, or `=NAME` of the parameter that is passed on.
    pub parameters: BTreeMap<(String, String), String>,
}

impl Expected {
    pub fn of(plan: &Plan) -> Self {
        let mut expected = Self::default();
        expected.modules.insert(top_name(plan), top(plan));
        for kind in ModuleKind::ALL {
            if let Some(module) = module_of(plan, kind) {
                expected.modules.insert(node_name(plan, kind), node(module));
            }
        }
        if !plan.network.cables.is_empty() {
            expected
                .modules
                .insert("cable".to_owned(), cable(&plan.modules[0]));
        }
        expected.add_parameters(plan);
        expected
    }

    fn add_parameters(&mut self, plan: &Plan) {
        let top = top_name(plan);
        for instance in &plan.instances {
            let path = format!("{top}.{}", plan.network.block(instance.block).name);
            let module = &plan.modules[instance.module];
            if !module.kind.is_rok() {
                self.set(&path, "STEP", "0".to_owned());
            }
            let own: BTreeSet<String> = parameter_names(module).collect();
            for (name, value) in instance_parameters(plan, instance) {
                if own.contains(&name) {
                    self.set(&path, &name, hexadecimal(&value));
                }
            }
        }
        for kind in ModuleKind::ALL {
            let Some(module) = module_of(plan, kind) else {
                continue;
            };
            let path = format!("{}.block", node_name(plan, kind));
            for (name, value) in shared_parameters(module) {
                self.set(&path, &name, hexadecimal(&value));
            }
            for name in parameter_names(module) {
                self.set(&path, &name, format!("={name}"));
            }
        }
        let cables = 0..plan.network.cables.len() as u32;
        let cables = cables.map(|number| format!("{top}.{}", cable_name(number)));
        let pipes = ["cable.a_to_b", "cable.b_to_a"].map(str::to_owned);
        let block = &plan.spec.block;
        for path in cables.chain(pipes) {
            for (name, value) in [
                ("DATA_WIDTH", block.flit_bits),
                ("VCS", block.virtual_channels),
                ("LATENCY", block.link_latency),
            ] {
                self.set(&path, name, format!("{value:x}"));
            }
        }
    }

    fn set(&mut self, path: &str, name: &str, value: String) {
        self.parameters
            .insert((path.to_owned(), name.to_owned()), value);
    }
}

/// The digits of a Verilog constant, without leading zeros.
fn hexadecimal(constant: &str) -> String {
    let parts = constant.trim_matches(['{', '}', '\n', ' ']).split(',');
    let digits: String = parts
        .map(|part| match part.trim().split_once('\'') {
            None => part
                .trim()
                .parse()
                .map_or(String::new(), |value: u64| format!("{value:x}")),
            Some((_, digits)) => digits[1..].replace('_', ""),
        })
        .collect();
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() { "0" } else { digits }.to_owned()
}

fn with_ports(declarations: &[Declaration]) -> Module {
    let port = |port: &Declaration| {
        let direction = match port.direction {
            Direction::Input => "in",
            Direction::Output => "out",
        };
        (port.name.clone(), (direction, port.bits.to_string()))
    };
    Module {
        ports: declarations.iter().map(port).collect(),
        ..Module::default()
    }
}

impl Module {
    fn drive(&mut self, sink: impl Into<String>, drivers: &Segments) {
        self.sinks.insert(sink.into(), drivers.text());
    }

    fn drive_by(&mut self, sink: impl Into<String>, pin: &str, low: u64, bits: u64) {
        self.drive(sink, &Segments::default().pin(pin, low, bits));
    }
}

fn top(plan: &Plan) -> Module {
    let index = plan.network.index();
    let mut module = with_ports(&ports(plan));
    let bundle = u64::from(link_bits(&plan.modules[0]));
    for (cable, number) in plan.network.cables.iter().zip(0..) {
        let name = cable_name(number);
        module.drive_by(format!("{name}.clk"), "clk", 0, 1);
        module.drive_by(format!("{name}.rst"), "rst", 0, 1);
        for (pin, end) in [("a_tx", cable.a), ("b_tx", cable.b)] {
            let block = &plan.network.block(end.block).name;
            let low = u64::from(end.port.0) * bundle;
            module.drive_by(
                format!("{name}.{pin}"),
                &format!("{block}.link_tx"),
                low,
                bundle,
            );
        }
        module.instances.insert(name, "cable".to_owned());
    }
    for instance in &plan.instances {
        block(&mut module, plan, &index, instance);
    }
    outputs(&mut module, plan);
    module
}

fn block(top: &mut Module, plan: &Plan, index: &NetworkIndex, instance: &BlockInstance) {
    let module = &plan.modules[instance.module];
    let name = &plan.network.block(instance.block).name;
    let bundle = u64::from(link_bits(module));
    let number = u64::from(instance.block.0);
    let (mut up, mut incoming) = (Segments::default(), Segments::default());
    for port in (0..module.network_ports).rev() {
        let own = End {
            block: instance.block,
            port: PortIndex(port as u8),
        };
        match index.link(own) {
            None => (up, incoming) = (up.zeros(1), incoming.zeros(bundle)),
            Some(link) => {
                let is_a = plan.network.cables[link.cable as usize].a == own;
                let end = if is_a { "a_rx" } else { "b_rx" };
                let pin = format!("{}.{end}", cable_name(link.cable));
                up = up.pin("cable_up", u64::from(link.cable), 1);
                incoming = incoming.pin(&pin, 0, bundle);
            }
        }
    }
    top.drive(format!("{name}.link_up"), &up);
    top.drive(format!("{name}.link_rx"), &incoming);
    for port in node_ports(module) {
        let sink = format!("{name}.{}", port.name);
        match port.name.as_str() {
            "link_up" | "link_rx" => {}
            "clk" | "rst" => top.drive_by(sink, &port.name, 0, 1),
            // Streams are those of adapter blocks, which come first.
            shared if port.direction == Direction::Input => {
                top.drive_by(sink, shared, number * port.bits, port.bits);
            }
            _ => {}
        }
    }
    top.instances
        .insert(name.clone(), node_name(plan, module.kind));
}

/// The network's own outputs, each gathered from all blocks that have them.
fn outputs(top: &mut Module, plan: &Plan) {
    for port in ports(plan) {
        if port.direction == Direction::Input {
            continue;
        }
        let count = match port.name.starts_with("s_axil_") {
            true => plan.instances.len(),
            false => blocks_with_hosts(&plan.network),
        };
        let bits = port.bits / count.max(1) as u64;
        let blocks = plan.instances[..count].iter().rev();
        let drivers = blocks.fold(Segments::default(), |drivers, instance| {
            let name = &plan.network.block(instance.block).name;
            drivers.pin(&format!("{name}.{}", port.name), 0, bits)
        });
        top.drive(port.name, &drivers);
    }
}

/// Where the fields of a bundle lie, {credit, bad, last, vc, valid, data}: name, first bit, bits; highest first.
fn fields(module: &BlockModule) -> [(&'static str, u64, u64); 6] {
    let data = u64::from(module.parameters.flit_bits);
    let channel = u64::from(module.virtual_channel_bits());
    let credits = u64::from(module.parameters.virtual_channels);
    [
        ("credit", data + channel + 3, credits),
        ("bad", data + channel + 2, 1),
        ("last", data + channel + 1, 1),
        ("vc", data + 1, channel),
        ("valid", data, 1),
        ("data", 0, data),
    ]
}

fn node(module: &BlockModule) -> Module {
    let mut node = with_ports(&node_ports(module));
    let bundle = u64::from(link_bits(module));
    let count = u64::from(module.network_ports);
    node.instances
        .insert("block".to_owned(), module_name(module.kind).to_owned());
    for (field, low, bits) in fields(module) {
        let sink = match field {
            "credit" => "block.tx_credit".to_owned(),
            _ => format!("block.rx_{field}"),
        };
        let drivers = (0..count).rev().fold(Segments::default(), |drivers, port| {
            drivers.pin("link_rx", port * bundle + low, bits)
        });
        node.drive(sink, &drivers);
    }
    let mut outgoing = Segments::default();
    for port in (0..count).rev() {
        for (field, _, bits) in fields(module) {
            let pin = match field {
                "credit" => "block.rx_credit".to_owned(),
                _ => format!("block.tx_{field}"),
            };
            outgoing = outgoing.pin(&pin, port * bits, bits);
        }
    }
    node.drive("link_tx", &outgoing);
    for port in node_ports(module) {
        let inside = format!("block.{}", port.name);
        match (port.name.as_str(), port.direction) {
            ("link_rx" | "link_tx", _) => {}
            (name, Direction::Input) => node.drive_by(inside, name, 0, port.bits),
            (name, Direction::Output) => node.drive_by(name, &inside, 0, port.bits),
        }
    }
    node
}

fn cable(module: &BlockModule) -> Module {
    let bundle = u64::from(link_bits(module));
    let port = |direction, bits, name| Declaration::new(direction, bits, name);
    let mut cable = with_ports(&[
        port(Direction::Input, 1, "clk"),
        port(Direction::Input, 1, "rst"),
        port(Direction::Input, bundle, "a_tx"),
        port(Direction::Output, bundle, "b_rx"),
        port(Direction::Input, bundle, "b_tx"),
        port(Direction::Output, bundle, "a_rx"),
    ]);
    for (pipe, back, from, to) in [
        ("a_to_b", "b_to_a", "a", "b"),
        ("b_to_a", "a_to_b", "b", "a"),
    ] {
        cable
            .instances
            .insert(pipe.to_owned(), "link_pipe".to_owned());
        cable.drive_by(format!("{pipe}.clk"), "clk", 0, 1);
        cable.drive_by(format!("{pipe}.rst"), "rst", 0, 1);
        let mut arrives = Segments::default();
        for (field, low, bits) in fields(module) {
            if field == "credit" {
                cable.drive_by(format!("{pipe}.rx_credit"), &format!("{to}_tx"), low, bits);
                arrives = arrives.pin(&format!("{back}.tx_credit"), 0, bits);
            } else {
                cable.drive_by(
                    format!("{pipe}.tx_{field}"),
                    &format!("{from}_tx"),
                    low,
                    bits,
                );
                arrives = arrives.pin(&format!("{pipe}.rx_{field}"), 0, bits);
            }
        }
        cable.drive(format!("{to}_rx"), &arrives);
    }
    cable
}
