//! What the plan has for the modules of cables: a pipe of flits for each direction.

use std::collections::BTreeSet;

use super::module::{Module, fields, with_ports};
use super::segments::Segments;
use crate::parameters::link_bits;
use crate::verilog::{Declaration, Direction};
use mkns_design::{BlockModule, Plan, serial_link};
use mkns_topology::{Cable, CableKind};

/// Modules of cables: both directions, one of them, and the simulation of a serial cable.
const CABLE: &str = "cable";
pub const SIMPLEX: &str = "simplex_cable";
pub const SERIAL: &str = "serial_cable";

pub fn cable_module(plan: &Plan, cable: &Cable) -> &'static str {
    match cable.kind {
        CableKind::Simplex => SIMPLEX,
        _ if serial_link(&plan.spec, cable).is_some() => SERIAL,
        _ => CABLE,
    }
}

/// The modules of cables whose inside is connections.
pub fn cable_modules(plan: &Plan) -> BTreeSet<&'static str> {
    let names = plan.network.cables.iter();
    let names = names.map(|cable| cable_module(plan, cable));
    names.filter(|name| *name != SERIAL).collect()
}

pub fn simplex_cable(module: &BlockModule) -> Module {
    let bundle = u64::from(link_bits(module));
    let credits = u64::from(module.parameters.virtual_channels);
    let port = |direction, bits, name| Declaration::new(direction, bits, name);
    let mut cable = with_ports(&[
        port(Direction::Input, 1, "clk"),
        port(Direction::Input, 1, "rst"),
        port(Direction::Input, bundle, "a_tx"),
        port(Direction::Output, credits, "a_credit"),
        port(Direction::Input, bundle, "b_tx"),
        port(Direction::Output, bundle - credits, "b_flit"),
    ]);
    cable.add("a_to_b", "link_pipe");
    cable.clock("a_to_b");
    let mut arrives = Segments::default();
    for (field, low, bits) in fields(module) {
        if field == "credit" {
            cable.drive_by("a_to_b.rx_credit", "b_tx", low, bits);
        } else {
            cable.drive_by(format!("a_to_b.tx_{field}"), "a_tx", low, bits);
            arrives = arrives.pin(&format!("a_to_b.rx_{field}"), 0, bits);
        }
    }
    cable.drive_by("a_credit", "a_to_b.tx_credit", 0, credits);
    cable.drive("b_flit", &arrives);
    cable
}

pub fn cable(module: &BlockModule) -> Module {
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
        cable.add(pipe, "link_pipe");
        cable.clock(pipe);
        let (sent, back_sent) = (format!("{from}_tx"), format!("{to}_tx"));
        let mut arrives = Segments::default();
        for (field, low, bits) in fields(module) {
            if field == "credit" {
                cable.drive_by(format!("{pipe}.rx_credit"), &back_sent, low, bits);
                arrives = arrives.pin(&format!("{back}.tx_credit"), 0, bits);
            } else {
                cable.drive_by(format!("{pipe}.tx_{field}"), &sent, low, bits);
                arrives = arrives.pin(&format!("{pipe}.rx_{field}"), 0, bits);
            }
        }
        cable.drive(format!("{to}_rx"), &arrives);
    }
    cable
}
