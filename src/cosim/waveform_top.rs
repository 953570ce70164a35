//! What a waveform of a failure shows: the block, the golden outputs beside its own, and the pins of
//! the failing port cut out of the wide vectors; and the save file that opens GTKWave on them.

use std::fmt::Write;

use mkns_design::{BlockModule, Port};

use super::mismatch::Failure;
use super::port_signal::{PinGroup, is_of_link};

/// Name of the module that holds the block and the golden outputs.
pub const WAVEFORM_TOP: &str = "lockstep_view";
/// Prefix of the inputs that carry the golden outputs of the next cycle.
pub const NEXT: &str = "next_";
/// Cycles that GTKWave shows before the marked one.
const SHOWN_BEFORE: u64 = 20;

/// One port's part of a signal.
struct Cut {
    /// Name of the whole signal.
    signal: &'static str,
    bit: u32,
    bits: u32,
    is_output: bool,
}

/// The pins of one port, in the order of the port table.
fn cuts(module: &BlockModule, block_port: PinGroup) -> Vec<Cut> {
    let table = module.board_table();
    let serial = |place: usize| {
        let links = module.serial_port_numbers();
        links.zip(0..).find(|(port, _)| *port == place as u32)
    };
    let part = |port: &Port, is_output| {
        if is_of_link(port.name) {
            // lines lie side by side, lowest port first
            let PinGroup::Network(place) = block_port else {
                return None;
            };
            let bits = port.bits / module.serial_ports.count_ones();
            let (_, link): (_, u32) = serial(place)?;
            return Some(Cut {
                signal: port.name,
                bit: bits * link,
                bits,
                is_output,
            });
        }
        let (ports_of_kind, place) = match (PinGroup::of_signal(port.name)?, block_port) {
            (PinGroup::Control, PinGroup::Control) => (1, 0),
            (PinGroup::Host(_), PinGroup::Host(place)) => (module.pcie_ports, place),
            (PinGroup::Network(_), PinGroup::Network(place)) => (module.network_ports, place),
            _ => return None,
        };
        let bits = port.bits / ports_of_kind;
        Some(Cut {
            signal: port.name,
            bit: bits * place as u32,
            bits,
            is_output,
        })
    };
    let inputs = table.inputs.iter().filter_map(|port| part(port, false));
    let outputs = table.outputs.iter().filter_map(|port| part(port, true));
    inputs.chain(outputs).collect()
}

/// A module around the block, or around the board that it is on, whose name and overrides are given. Its extra inputs are
/// the golden outputs of the next cycle: a register shows them from the clock edge on, as the block does its own.
pub fn waveform_top(
    module: &BlockModule,
    (name, parameters): (String, Vec<(String, String)>),
    block_port: Option<PinGroup>,
) -> String {
    let table = module.board_table();
    let range = |bits: u32| format!("[{}:0]", bits - 1);
    let mut ports = vec!["input wire clk".to_owned()];
    let mut golden = String::new();
    for port in &table.inputs {
        ports.push(format!("input wire {} {}", range(port.bits), port.name));
    }
    for Port { name, bits, .. } in &table.outputs {
        let range = range(*bits);
        ports.push(format!("output wire {range} {name}"));
        ports.push(format!("input wire {range} {NEXT}{name}"));
        let _ = writeln!(
            golden,
            "  reg {range} golden_{name};\n  always @(posedge clk) golden_{name} <= {NEXT}{name};"
        );
    }
    let parameters: Vec<String> = (parameters.iter())
        .map(|(name, value)| format!(".{name}({value})"))
        .collect();
    let all = table.inputs.iter().chain(&table.outputs);
    let pins = ["clk"].into_iter().chain(all.map(|port| port.name));
    let connections: Vec<String> = pins.map(|name| format!(".{name}({name})")).collect();
    let differences: Vec<String> = (table.outputs.iter())
        .map(|port| format!("{0} != golden_{0}", port.name))
        .collect();
    let mut text = format!(
        "module {WAVEFORM_TOP} (\n  {}\n);\n  {name} #(\n    {}\n  ) rtl (\n    {}\n  );\n{golden}\
         \x20 wire differs = {};\n",
        ports.join(",\n  "),
        parameters.join(",\n    "),
        connections.join(",\n    "),
        differences.join("\n    || ")
    );
    for cut in block_port.map_or(Vec::new(), |block_port| cuts(module, block_port)) {
        for name in cut.names() {
            let _ = writeln!(
                text,
                "  wire {} focus_{name} = {name}[{} +: {}];",
                range(cut.bits),
                cut.bit,
                cut.bits
            );
        }
    }
    text + "endmodule\n"
}

impl Cut {
    /// The signal, and its golden counterpart.
    fn names(&self) -> impl Iterator<Item = String> {
        let golden = self.is_output.then(|| format!("golden_{}", self.signal));
        [self.signal.to_owned()].into_iter().chain(golden)
    }
}

/// The GTKWave save file beside the waveform `file`: opens on the failing port's pins, or on all pins
/// when no port is to blame, with the marker at the failure. Cycle c takes time units 2c and 2c + 1.
pub fn save_file(module: &BlockModule, failure: &Failure, file: &str) -> String {
    const BINARY: &str = "@28";
    const HEXADECIMAL: &str = "@22";
    const COMMENT: &str = "@200";
    let marker = 2 * failure.cycle;
    let mut text = format!(
        "[*] mkns: first failure in cycle {}\n[dumpfile] \"{file}\"\n[timestart] {}\n*-4.0 {marker}{}\n",
        failure.cycle,
        marker.saturating_sub(2 * SHOWN_BEFORE),
        " -1".repeat(26)
    );
    let mut signal = |name: &str, bits: u32| {
        let _ = match bits {
            1 => writeln!(text, "{BINARY}\nTOP.{WAVEFORM_TOP}.{name}"),
            _ => writeln!(
                text,
                "{HEXADECIMAL}\nTOP.{WAVEFORM_TOP}.{name}[{}:0]",
                bits - 1
            ),
        };
    };
    ["clk", "rst", "differs"]
        .iter()
        .for_each(|name| signal(name, 1));
    let table = module.board_table();
    match failure.block_port {
        Some(block_port) => {
            for cut in cuts(module, block_port) {
                cut.names()
                    .for_each(|name| signal(&format!("focus_{name}"), cut.bits));
            }
        }
        None => {
            for port in table.inputs.iter().filter(|port| port.name != "rst") {
                signal(port.name, port.bits);
            }
            for port in &table.outputs {
                signal(port.name, port.bits);
                signal(&format!("golden_{}", port.name), port.bits);
            }
        }
    }
    text + &format!("{COMMENT}\n-{} {}\n", failure.block, failure.port)
}
