//! The harness around a block that is placed alone: shift registers on all ports but the clock.

use askama::Template;

use mkns_design::{Port, PortTable};
use mkns_rtl::verilog;

/// Name of the harness module.
pub const HARNESS: &str = "bench_harness";

#[derive(Template)]
#[template(path = "fpga/bench_harness.v")]
struct BenchHarness<'a> {
    banner: &'a str,
    module: &'a str,
    inputs: u32,
    outputs: u32,
    parameters: String,
    connections: String,
}

/// Verilog of the harness of a module with these pins, whose Verilog name and parameters are given.
pub fn harness(
    table: &PortTable,
    name: &str,
    parameters: &[(String, String)],
    banner: &str,
) -> String {
    let bits = |ports: &[Port]| ports.iter().map(|port| port.bits).sum();
    let mut pins = connections(&table.inputs, "stimulus");
    pins.extend(connections(&table.outputs, "response"));
    let view = BenchHarness {
        banner,
        module: name,
        inputs: bits(&table.inputs),
        outputs: bits(&table.outputs),
        parameters: overrides(parameters).join(",\n"),
        connections: pins.join(",\n"),
    };
    verilog(view.render(), banner)
}

/// A line for every parameter that an instance sets.
pub fn overrides(parameters: &[(String, String)]) -> Vec<String> {
    let line = |(name, value): &(String, String)| format!("        .{name}({value})");
    parameters.iter().map(line).collect()
}

/// Every port joined to its stretch of a vector, in table order from bit 0 up.
pub fn connections(ports: &[Port], vector: &str) -> Vec<String> {
    let mut at = 0;
    let mut lines = Vec::new();
    for port in ports {
        lines.push(format!(
            "        .{}({vector}[{at} +: {}])",
            port.name, port.bits
        ));
        at += port.bits;
    }
    lines
}
