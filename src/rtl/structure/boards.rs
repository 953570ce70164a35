//! What the plan has for boards: a node, a link port at each of its serial network ports, and the window to their registers.

use super::module::{Module, fields, with_ports};
use super::segments::Segments;
use crate::names::node_name;
use crate::parameters::link_bits;
use crate::templates::board::board_ports;
use crate::templates::node::node_ports;
use crate::verilog::Direction;
use mkns_design::{BlockModule, Plan, network_hash};
use mkns_spec::SerialLink;

/// Handshakes of the control port that the window makes in place of the node, and those that the node makes.
const OF_WINDOW: [&str; 5] = ["awvalid", "wvalid", "bready", "arvalid", "rready"];
const OF_NODE: [&str; 7] = [
    "awready", "bvalid", "bresp", "arready", "rvalid", "rdata", "rresp",
];
/// A word of a line in the place of a flit.
const LINE: [(&str, &str); 3] = [("valid", "valid"), ("ctl", "last"), ("data", "data")];

/// Ports, instances and connections.
pub fn board(plan: &Plan, module: &BlockModule) -> Module {
    let mut board = with_ports(&board_ports(module));
    board.add("node", node_name(plan, module.kind));
    board.add("window", "link_window");
    let managed = plan.spec.is_managed_in_band();
    if managed {
        board.add("management", "management_unit");
        management(&mut board, module);
    }
    for (port, line) in module.serial_port_numbers().zip(0..) {
        board.add(port_name(port), "link_port");
        link_port(&mut board, module, port, line);
        messages(&mut board, port, managed);
    }
    window(&mut board, module, managed);
    node(&mut board, module, managed);
    outputs(&mut board, module, managed);
    board
}

fn port_name(port: u32) -> String {
    format!("port_{port}")
}

/// Drivers of a vector with a part for each network port, the highest first.
fn of_ports(module: &BlockModule, part: impl Fn(Segments, u32, bool) -> Segments) -> Segments {
    let is_serial = |port: u32| module.serial_port_numbers().any(|serial| serial == port);
    (0..module.network_ports)
        .rev()
        .fold(Segments::default(), |all, port| {
            part(all, port, is_serial(port))
        })
}

fn link_port(board: &mut Module, module: &BlockModule, port: u32, line: u64) {
    let low = u64::from(port) * u64::from(link_bits(module));
    let sink = |pin: &str| format!("{}.{pin}", port_name(port));
    board.clock(&port_name(port));
    for pin in ["link_clk", "link_rst", "line_tx_ready"] {
        board.drive_by(sink(pin), pin, line, 1);
    }
    board.drive_by(sink("block_number"), "window.announced", 0, 16);
    for (field, first, bits) in fields(module) {
        let pin = match field {
            "credit" => "rx_credit".to_owned(),
            _ => format!("tx_{field}"),
        };
        board.drive_by(sink(&pin), "node.link_tx", low + first, bits);
        if let Some((pin, _)) = LINE.iter().find(|(_, place)| *place == field) {
            let pin = sink(&format!("line_rx_{pin}"));
            board.drive_by(pin, "link_rx", low + first, bits);
        }
    }
    board.drive_by(sink("line_rx_up"), "link_up", port.into(), 1);
    board.drive_by(sink("reg_valid"), "window.reg_valid", port.into(), 1);
    for (pin, bits) in [("reg_write", 1), ("reg_address", 5), ("reg_wdata", 32)] {
        board.drive_by(sink(pin), &format!("window.{pin}"), 0, bits);
    }
}

/// What the management unit says to a link port, or nothing.
fn messages(board: &mut Module, port: u32, managed: bool) {
    for (pin, bits, is_shared) in [
        ("read", 1, false),
        ("read_at", 3, true),
        ("release", 1, false),
        ("write", 1, false),
        ("write_at", 3, true),
        ("write_word", 32, true),
        ("send", 1, false),
    ] {
        let sink = format!("{}.message_{pin}", port_name(port));
        let low = if is_shared { 0 } else { u64::from(port) };
        match managed {
            true => board.drive_by(sink, &format!("management.message_{pin}"), low, bits),
            false => board.drive(sink, &Segments::default().zeros(bits)),
        }
    }
}

/// The management unit between the pins of the board and the window.
fn management(board: &mut Module, module: &BlockModule) {
    board.clock("management");
    for port in node_ports(module) {
        let Some(signal) = port.name.strip_prefix("s_axil_") else {
            continue;
        };
        if port.direction == Direction::Input {
            board.drive_by(
                format!("management.{}", port.name),
                &port.name,
                0,
                port.bits,
            );
        } else if OF_NODE.contains(&signal) {
            let pin = format!("window.{}", port.name);
            board.drive_by(format!("management.window_{signal}"), &pin, 0, port.bits);
        }
    }
    board.drive_by("management.reg_valid", "window.unit_valid", 0, 1);
    for (pin, bits) in [("reg_write", 1), ("reg_address", 5), ("reg_wdata", 32)] {
        board.drive_by(
            format!("management.{pin}"),
            &format!("window.{pin}"),
            0,
            bits,
        );
    }
    board.drive("management.link_up", &block_up(module));
    for (pin, bits) in [("word", 32), ("full", 1), ("busy", 1)] {
        let drivers = of_ports(module, |all, port, is_serial| match is_serial {
            true => all.pin(&format!("{}.message_{pin}", port_name(port)), 0, bits),
            false => all.zeros(bits),
        });
        board.drive(format!("management.message_{pin}"), &drivers);
    }
}

/// `link_up` of the block.
fn block_up(module: &BlockModule) -> Segments {
    of_ports(module, |all, port, is_serial| match is_serial {
        true => all.pin(&format!("{}.link_up", port_name(port)), 0, 1),
        false => all.pin("link_up", port.into(), 1),
    })
}

/// Where the window and the node have a pin of the master from.
fn master(name: &str, managed: bool) -> String {
    match (managed, name.strip_prefix("s_axil_")) {
        (true, Some(signal)) => format!("management.window_{signal}"),
        _ => name.to_owned(),
    }
}

fn window(board: &mut Module, module: &BlockModule, managed: bool) {
    board.clock("window");
    board.drive_by("window.block_number", "block_number", 0, 16);
    for (pin, bits) in [("ready", 1), ("rdata", 32)] {
        let sink = format!("window.unit_{pin}");
        match managed {
            true => board.drive_by(sink, &format!("management.reg_{pin}"), 0, bits),
            false => board.drive(sink, &Segments::default().zeros(bits)),
        }
    }
    for port in node_ports(module) {
        let Some(signal) = port.name.strip_prefix("s_axil_") else {
            continue;
        };
        if port.direction == Direction::Input {
            let from = master(&port.name, managed);
            board.drive_by(format!("window.{}", port.name), &from, 0, port.bits);
        } else if OF_NODE.contains(&signal) {
            let pin = format!("node.{}", port.name);
            // The window answers with words of its own or with those of the node.
            board.drive_by(format!("window.block_{signal}"), &pin, 0, port.bits);
        }
    }
    for (pin, bits) in [("reg_ready", 1), ("reg_rdata", 32)] {
        let drivers = of_ports(module, |all, port, is_serial| match is_serial {
            true => all.pin(&format!("{}.{pin}", port_name(port)), 0, bits),
            false => all.zeros(bits),
        });
        board.drive(format!("window.{pin}"), &drivers);
    }
}

fn node(board: &mut Module, module: &BlockModule, managed: bool) {
    let bundle = u64::from(link_bits(module));
    let up = block_up(module);
    let incoming = of_ports(module, |all, port, is_serial| match is_serial {
        true => fields(module).iter().fold(all, |all, (field, _, bits)| {
            let pin = match *field {
                "credit" => "tx_credit".to_owned(),
                _ => format!("rx_{field}"),
            };
            all.pin(&format!("{}.{pin}", port_name(port)), 0, *bits)
        }),
        false => all.pin("link_rx", u64::from(port) * bundle, bundle),
    });
    for port in node_ports(module) {
        let sink = format!("node.{}", port.name);
        let signal = port.name.strip_prefix("s_axil_").unwrap_or_default();
        match port.name.as_str() {
            "link_up" => board.drive(sink, &up),
            "link_rx" => board.drive(sink, &incoming),
            _ if port.direction == Direction::Output => {}
            _ if OF_WINDOW.contains(&signal) => {
                board.drive_by(sink, &format!("window.block_{signal}"), 0, port.bits);
            }
            name => board.drive_by(sink, &master(name, managed), 0, port.bits),
        }
    }
}

fn outputs(board: &mut Module, module: &BlockModule, managed: bool) {
    let bundle = u64::from(link_bits(module));
    let outgoing = of_ports(module, |all, port, is_serial| match is_serial {
        true => fields(module).iter().fold(all, |all, (field, _, bits)| {
            match LINE.iter().find(|(_, place)| place == field) {
                Some((pin, _)) => all.pin(&format!("{}.line_tx_{pin}", port_name(port)), 0, *bits),
                None => all.zeros(*bits),
            }
        }),
        false => all.pin("node.link_tx", u64::from(port) * bundle, bundle),
    });
    board.drive("link_tx", &outgoing);
    for port in node_ports(module) {
        if port.direction == Direction::Output && port.name != "link_tx" {
            let from = match port.name.starts_with("s_axil_") {
                true if managed => "management",
                true => "window",
                false => "node",
            };
            let pin = format!("{from}.{}", port.name);
            board.drive_by(port.name, &pin, 0, port.bits);
        }
    }
}

/// Parameters of the instances inside a board: instance, name, value in hexadecimal or `=NAME`. The peers are those of
/// [`peers_apart`].
pub fn parameters(
    plan: &Plan,
    link: &SerialLink,
    module: &BlockModule,
) -> Vec<(String, &'static str, String)> {
    let block = &module.parameters;
    let [request, tail] = link.ticks();
    let ports = [
        ("PORTS", module.network_ports),
        ("LINKS", module.serial_ports),
    ];
    let of = |instance: &'static str| {
        ports.map(|(name, value)| (instance.to_owned(), name, u64::from(value)))
    };
    let mut list = Vec::from(of("window"));
    if link.is_managed() {
        list.push(("window".to_owned(), "MANAGEMENT", 1));
        list.extend(of("management"));
    }
    for (port, line) in module.serial_port_numbers().zip(1..) {
        for (name, value) in [
            ("VCS", u64::from(block.virtual_channels)),
            ("RX_BUFFER_FLITS", u64::from(block.rx_buffer_flits)),
            ("LINE_FLITS", u64::from(link.receive_flits)),
            ("REQUEST_TICKS", u64::from(request)),
            ("TAIL_TICKS", u64::from(tail)),
            ("NETWORK", u64::from(network_hash(&plan.spec.name))),
            ("PORT", u64::from(port)),
            ("KIND", u64::from(module.kind.code())),
            ("EXPECTED_PEER", line),
        ] {
            list.push((port_name(port), name, value));
        }
        if link.is_managed() {
            list.push((port_name(port), "MANAGEMENT", 1));
        }
    }
    list.into_iter()
        .map(|(path, name, value)| (path, name, format!("{value:x}")))
        .collect()
}

/// `EXPECTED_PEERS` for a board that is elaborated by itself: another number at each line, so that swapped lines differ.
pub fn peers_apart(module: &BlockModule) -> String {
    let lines = 1..=module.serial_port_numbers().count();
    let numbers: Vec<String> = lines.rev().map(|line| format!("32'd{line}")).collect();
    format!(".EXPECTED_PEERS({{{}}})", numbers.join(", "))
}
