//! A module around a top whose outputs are all registers: every input passes a register first.
//!
//! Without it, Verilator recomputes after every change of an input what it computes again after
//! the clock edge. With it, one evaluation of the rising edge takes the inputs of the next cycle
//! and carries out the edge of the last one. Knows Verilog text only; how the model is clocked is
//! in `bank_impl.cc`.

use std::fmt::Write;

use crate::source::{ModelSource, PortDecl};

/// The text of this file: what it generates is part of every model.
pub(crate) const GENERATOR: &str = include_str!("clocked.rs");

/// Scope of the registers. A named block, so that no port can have the name of a register.
const SCOPE: &str = "registered_inputs";

/// Name of the module around the top.
pub(crate) fn name(source: &ModelSource) -> String {
    format!("{}_clocked", source.top)
}

/// Name of the register of an input within the whole design.
pub(crate) fn register(source: &ModelSource, port: &str) -> [String; 3] {
    [name(source), SCOPE.to_owned(), port.to_owned()]
}

/// Verilog of the module. The top is its instance `rtl`. The registers start at zero, unlike the
/// rest of the design; `public_flat_rd` keeps the name of each in the C++.
pub(crate) fn module(source: &ModelSource) -> String {
    let clock = &source.clock;
    let mut ports = vec![format!("input wire {clock}")];
    let mut connections = vec![format!(".{clock}({clock})")];
    let mut registers = String::new();
    let mut loads = String::new();
    for port in &source.inputs {
        let PortDecl { name, bits } = port;
        let range = format!("[{}:0]", bits - 1);
        ports.push(format!("input wire {range} {name}"));
        connections.push(format!(".{name}({SCOPE}.{name})"));
        let _ = writeln!(
            registers,
            "    reg {range} {name} /*verilator public_flat_rd*/ = {bits}'d0;"
        );
        let _ = writeln!(loads, "      {name} <= {}.{name};", self::name(source));
    }
    for PortDecl { name, bits } in &source.outputs {
        ports.push(format!("output wire [{}:0] {name}", bits - 1));
        connections.push(format!(".{name}({name})"));
    }
    let parameters: Vec<String> = source
        .parameters
        .iter()
        .map(|(name, value)| format!(".{name}({value})"))
        .collect();
    format!(
        "/*verilator coverage_off*/\nmodule {module} (\n  {ports}\n);\n\
         \x20 generate if (1) begin : {SCOPE}\n{registers}\
         \x20   always @(posedge {clock}) begin\n{loads}    end\n  end endgenerate\n\
         \x20 {top} #({parameters}) rtl (\n    {connections}\n  );\nendmodule\n",
        module = name(source),
        ports = ports.join(",\n  "),
        top = source.top,
        parameters = parameters.join(", "),
        connections = connections.join(",\n    "),
    )
}
