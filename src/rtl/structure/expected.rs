//! What the plan has for the modules around the blocks: ports, instances, what drives every pin, parameters of blocks.

use std::collections::{BTreeMap, BTreeSet};

use super::boards;
use super::cables::{SERIAL, SIMPLEX, cable, cable_module, cable_modules, simplex_cable};
use super::module::{Module, fields, with_ports};
use super::segments::Segments;
use crate::names::{board_name, module_of, node_name, top_name};
use crate::parameters::{instance_parameters, link_bits, module_name, shared_parameters};
use crate::templates::board::peer_list;
use crate::templates::node::{node_ports, parameter_names};
use crate::templates::top::ports;
use crate::templates::top_blocks::{blocks_with_hosts, cable_name};
use crate::verilog::Direction;
use mkns_design::{BlockInstance, BlockModule, ModuleKind, Plan};
use mkns_topology::{CableKind, End, NetworkIndex, PortIndex};

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
        for module in boards(plan) {
            let name = board_name(plan, module);
            expected.modules.insert(name, boards::board(plan, module));
        }
        for name in cable_modules(plan) {
            let module = match name {
                SIMPLEX => simplex_cable(&plan.modules[0]),
                _ => cable(&plan.modules[0]),
            };
            expected.modules.insert(name.to_owned(), module);
        }
        expected.add_parameters(plan);
        expected
    }

    fn add_parameters(&mut self, plan: &Plan) {
        let (top, index) = (top_name(plan), plan.network.index());
        for instance in &plan.instances {
            let path = format!("{top}.{}", plan.network.block(instance.block).name);
            let module = &plan.modules[instance.module];
            if !module.kind.is_pok() {
                self.set(&path, "STEP", "0".to_owned());
            }
            let own: BTreeSet<String> = parameter_names(module).collect();
            if let Some(peers) = peer_list(&index, instance, module) {
                self.set(&path, "EXPECTED_PEERS", hexadecimal(&peers.to_string()));
            }
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
        for (module, link) in boards(plan).zip(std::iter::repeat(plan.spec.link.as_ref())) {
            let path = board_name(plan, module);
            let inside = link.map(|link| boards::parameters(plan, link, module));
            for (instance, name, value) in inside.into_iter().flatten() {
                self.set(&format!("{path}.{instance}"), name, value);
            }
            for name in parameter_names(module) {
                self.set(&format!("{path}.node"), &name, format!("={name}"));
            }
        }
        for (cable, number) in plan.network.cables.iter().zip(0..) {
            let path = format!("{top}.{}", cable_name(number));
            self.add_cable(plan, cable_module(plan, cable), &path);
        }
        for name in cable_modules(plan) {
            let pipes: &[&str] = match name {
                SIMPLEX => &["a_to_b"],
                _ => &["a_to_b", "b_to_a"],
            };
            for pipe in pipes {
                self.add_cable(plan, name, &format!("{name}.{pipe}"));
            }
        }
    }

    fn add_cable(&mut self, plan: &Plan, module: &str, path: &str) {
        let block = &plan.spec.block;
        let flight = plan.spec.link.as_ref().map_or(1, |link| link.flight_words);
        let parameters: &[(&str, u32)] = match module {
            SERIAL => &[("VCS", block.virtual_channels), ("FLIGHT", flight)],
            _ => &[
                ("DATA_WIDTH", block.flit_bits),
                ("VCS", block.virtual_channels),
                ("LATENCY", block.link_latency),
            ],
        };
        for (name, value) in parameters {
            self.set(path, name, format!("{value:x}"));
        }
    }

    fn set(&mut self, path: &str, name: &str, value: String) {
        self.parameters
            .insert((path.to_owned(), name.to_owned()), value);
    }
}

/// Modules that stand on boards with link ports.
pub fn boards(plan: &Plan) -> impl Iterator<Item = &BlockModule> {
    plan.modules
        .iter()
        .filter(|module| module.serial_ports != 0)
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

fn top(plan: &Plan) -> Module {
    let index = plan.network.index();
    let mut module = with_ports(&ports(plan));
    let bundle = u64::from(link_bits(&plan.modules[0]));
    for (cable, number) in plan.network.cables.iter().zip(0..) {
        let name = cable_name(number);
        module.clock(&name);
        for (pin, end) in [("a_tx", cable.a), ("b_tx", cable.b)] {
            let sends = format!("{}.link_tx", plan.network.block(end.block).name);
            let low = u64::from(end.port.0) * bundle;
            module.drive_by(format!("{name}.{pin}"), &sends, low, bundle);
        }
        module.add(name, cable_module(plan, cable));
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
    let credits = u64::from(module.parameters.virtual_channels);
    let (mut up, mut incoming) = (Segments::default(), Segments::default());
    for port in (0..module.network_ports).rev() {
        let own = End {
            block: instance.block,
            port: PortIndex(port as u8),
        };
        match index.link(own) {
            None => (up, incoming) = (up.zeros(1), incoming.zeros(bundle)),
            Some(link) => {
                let cable = &plan.network.cables[link.cable as usize];
                let sends = cable_name(link.cable);
                up = up.pin("cable_up", u64::from(link.cable), 1);
                incoming = match index.receives_from(own) {
                    Some(receives) if cable.kind == CableKind::Simplex => {
                        let flits = format!("{}.b_flit", cable_name(receives.cable));
                        let incoming = incoming.pin(&format!("{sends}.a_credit"), 0, credits);
                        incoming.pin(&flits, 0, bundle - credits)
                    }
                    _ => {
                        let end = if cable.a == own { "a_rx" } else { "b_rx" };
                        incoming.pin(&format!("{sends}.{end}"), 0, bundle)
                    }
                };
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
    let lines = u64::from(module.serial_ports.count_ones());
    if lines > 0 {
        for pin in ["clk", "rst"] {
            let copies = (0..lines).fold(Segments::default(), |all, _| all.pin(pin, 0, 1));
            top.drive(format!("{name}.link_{pin}"), &copies);
        }
        let number = Segments::default().number(number, 16);
        top.drive(format!("{name}.block_number"), &number);
        let ready = Segments::default().number(u64::MAX, lines);
        top.drive(format!("{name}.line_tx_ready"), &ready);
    }
    let of = match lines {
        0 => node_name(plan, module.kind),
        _ => board_name(plan, module),
    };
    top.add(name, of);
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

fn node(module: &BlockModule) -> Module {
    let mut node = with_ports(&node_ports(module));
    let bundle = u64::from(link_bits(module));
    let count = u64::from(module.network_ports);
    node.add("block", module_name(module.kind));
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
