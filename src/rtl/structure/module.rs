//! A module of the plan: its ports, its instances, and what drives every pin inside.

use std::collections::BTreeMap;

use super::segments::Segments;
use crate::verilog::Declaration;
use mkns_design::BlockModule;

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

pub fn with_ports(declarations: &[Declaration]) -> Module {
    let port = |port: &Declaration| {
        let shape = (port.direction.word(), port.bits.to_string());
        (port.name.clone(), shape)
    };
    Module {
        ports: declarations.iter().map(port).collect(),
        ..Module::default()
    }
}

impl Module {
    /// An instance of the module `of`.
    pub fn add(&mut self, name: impl Into<String>, of: impl Into<String>) {
        self.instances.insert(name.into(), of.into());
    }

    /// An instance has the clock and the reset of the module around it.
    pub fn clock(&mut self, instance: &str) {
        for pin in ["clk", "rst"] {
            self.drive_by(format!("{instance}.{pin}"), pin, 0, 1);
        }
    }

    pub fn drive(&mut self, sink: impl Into<String>, drivers: &Segments) {
        self.sinks.insert(sink.into(), drivers.text());
    }

    pub fn drive_by(&mut self, sink: impl Into<String>, pin: &str, low: u64, bits: u64) {
        self.drive(sink, &Segments::default().pin(pin, low, bits));
    }
}

/// Where the fields of a bundle lie, {credit, bad, last, vc, valid, data}: name, first bit, bits; highest first.
pub fn fields(module: &BlockModule) -> [(&'static str, u64, u64); 6] {
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
