//! The generated part of a model's C++: how its port table maps to Verilator's variables.
//!
//! Also holds the table against what Verilator found in the RTL, so that a wrong name or width is
//! an error here and not a silently undriven port.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::error::{Error, Result};
use crate::source::{ModelSource, PortDecl};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Input,
    Output,
}

/// The hand-written C++ that every model compiles, by file name.
pub(crate) const FILES: [(&str, &str); 5] = [
    ("bank.h", include_str!("../cxx/bank.h")),
    ("bank_impl.cc", include_str!("../cxx/bank_impl.cc")),
    ("hooks.cc", include_str!("../cxx/hooks.cc")),
    ("hooks.h", include_str!("../cxx/hooks.h")),
    ("words.h", include_str!("../cxx/words.h")),
];

/// The text of this file: what it generates is part of every model.
pub(crate) const GENERATOR: &str = include_str!("glue.rs");

/// Prefix of all that Verilator generates.
pub(crate) const PREFIX: &str = "Vmodel";

/// Text of `ports.h`. `header` is Verilator's `Vmodel.h`, `generated` all its other output.
pub(crate) fn ports_header(
    source: &ModelSource,
    header: &str,
    generated: &[String],
) -> Result<String> {
    check_ports(source, &verilated_ports(header))?;
    let clock = variable(&source.clock);
    let mut text = format!(
        "// Generated from the port table of {top}.\n#pragma once\n\
         #include \"{PREFIX}.h\"\n#include \"{PREFIX}___024root.h\"\n#include \"words.h\"\n\n\
         using Model = {PREFIX};\nusing Root = {PREFIX}___024root;\n\
         void {PREFIX}___024root___eval(Root* root);\n\
         #define MKNS_EVAL(root) {PREFIX}___024root___eval(&(root))\n\
         #define MKNS_CLOCK(root) (root).{clock}\n\
         #define MKNS_REGISTERED {registered}\n",
        top = source.top,
        registered = u8::from(source.registered_outputs),
    );
    if let Some(previous) = previous_clock(source, generated) {
        let _ = writeln!(text, "#define MKNS_PREVIOUS_CLOCK(root) (root).{previous}");
    }
    let _ = writeln!(
        text,
        "constexpr std::size_t INPUT_WORDS = {};",
        source.input_words()
    );
    let _ = writeln!(
        text,
        "constexpr std::size_t OUTPUT_WORDS = {};\n",
        source.output_words()
    );
    text += "inline void apply_inputs(Root& root, const std::uint64_t* words) {\n";
    write_ports(&mut text, &source.inputs, |name, bits, word| match bits {
        1..64 => format!(
            "root.{name} = words[{word}] & {:#x}ULL;",
            (1u64 << bits) - 1
        ),
        64 => format!("root.{name} = words[{word}];"),
        _ => format!("mkns_sim::load_wide<{bits}>(root.{name}, words + {word});"),
    });
    text += "}\n\ninline void sample_outputs(const Root& root, std::uint64_t* words) {\n";
    write_ports(&mut text, &source.outputs, |name, bits, word| match bits {
        1..=64 => format!("words[{word}] = root.{name};"),
        _ => format!("mkns_sim::store_wide<{bits}>(words + {word}, root.{name});"),
    });
    text += "}\n";
    Ok(text)
}

fn write_ports(text: &mut String, ports: &[PortDecl], line: impl Fn(&str, u32, usize) -> String) {
    let mut word = 0;
    for port in ports {
        let _ = writeln!(text, "    {}", line(&variable(&port.name), port.bits, word));
        word += port.words();
    }
}

/// Verilator's C++ name of a port.
fn variable(port: &str) -> String {
    port.replace("__", "___05F")
}

/// The ports that Verilator declares, as `VL_IN8(&name,msb,lsb);` and the like.
fn verilated_ports(header: &str) -> BTreeMap<String, (Direction, u32)> {
    header
        .lines()
        .filter_map(|line| verilated_port(line.trim()))
        .collect()
}

fn verilated_port(line: &str) -> Option<(String, (Direction, u32))> {
    let (direction, rest) = match line.strip_prefix("VL_IN") {
        Some(rest) => (Direction::Input, rest),
        None => (Direction::Output, line.strip_prefix("VL_OUT")?),
    };
    let (_, fields) = rest.strip_suffix(");")?.split_once("(&")?;
    let mut fields = fields.split(',');
    let name = fields.next()?.to_owned();
    let most: i64 = fields.next()?.parse().ok()?;
    let least: i64 = fields.next()?.parse().ok()?;
    Some((
        name,
        (direction, u32::try_from((most - least).abs() + 1).ok()?),
    ))
}

fn check_ports(source: &ModelSource, found: &BTreeMap<String, (Direction, u32)>) -> Result<()> {
    let mismatch = |port: &str, fact: String| {
        Err(Error::PortMismatch {
            top: source.top.clone(),
            port: port.into(),
            fact,
        })
    };
    let inputs = source.inputs.iter().map(|port| (port, Direction::Input));
    let outputs = source.outputs.iter().map(|port| (port, Direction::Output));
    let clock = PortDecl::new(&source.clock, 1);
    let mut unlisted = found.clone();
    for (port, direction) in inputs.chain(outputs).chain([(&clock, Direction::Input)]) {
        match unlisted.remove(&variable(&port.name)) {
            Some(actual) if actual == (direction, port.bits) => {}
            Some((actual, bits)) => {
                return mismatch(
                    &port.name,
                    format!(
                        "the table says {direction:?} of {} bits, the RTL {actual:?} of {bits}",
                        port.bits
                    ),
                );
            }
            None => return mismatch(&port.name, "not in the RTL, or listed twice".into()),
        }
    }
    match unlisted.first_key_value() {
        Some((name, _)) => mismatch(name, "in the RTL, but not in the port table".into()),
        None => Ok(()),
    }
}

/// The variable in which the model remembers its clock, if rising edges of it are all that can
/// wake the model. Verilator names every trigger in its debug output.
fn previous_clock(source: &ModelSource, generated: &[String]) -> Option<String> {
    let only = format!("is active: @(posedge {})", source.clock);
    let mut triggers = generated
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| line.contains("trigger index") && !line.contains("is active: Internal"))
        .peekable();
    triggers.peek()?;
    let name = format!("__Vtrigprevexpr___TOP__{}__0", variable(&source.clock));
    let declared = generated
        .iter()
        .any(|text| text.contains(&format!(" {name};")));
    (triggers.all(|line| line.contains(&only)) && declared).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str =
        "    VL_IN8(&clk,0,0);\n    VL_IN64(&data,63,0);\n    VL_OUTW(&wide,99,0,4);\n";

    fn source() -> ModelSource {
        ModelSource {
            top: "block".into(),
            inputs: vec![PortDecl::new("data", 64)],
            outputs: vec![PortDecl::new("wide", 100)],
            registered_outputs: true,
            ..ModelSource::default()
        }
    }

    #[test]
    fn words_follow_the_table() {
        let text = ports_header(&source(), HEADER, &[]).unwrap();
        assert!(text.contains("root.data = words[0];"));
        assert!(text.contains("store_wide<100>(words + 0, root.wide);"));
        assert!(text.contains("INPUT_WORDS = 1;") && text.contains("OUTPUT_WORDS = 2;"));
        assert!(!text.contains("PREVIOUS_CLOCK"));
    }

    #[test]
    fn the_table_must_be_the_rtl() {
        let fact = |change: &dyn Fn(&mut ModelSource)| {
            let mut changed = source();
            change(&mut changed);
            ports_header(&changed, HEADER, &[]).unwrap_err().to_string()
        };
        assert!(fact(&|s| s.inputs[0].bits = 63).contains("Input of 63 bits, the RTL Input of 64"));
        assert!(fact(&|s| s.inputs[0].name = "dat".into()).contains("not in the RTL"));
        assert!(
            fact(&|s| s.outputs.clear()).contains("`wide` of module `block`: in the RTL, but not")
        );
        assert!(fact(&|s| s.clock = "clock".into()).contains("`clock`"));
    }

    #[test]
    fn falling_edges_forbid_the_short_pulse() {
        let state = "CData __Vtrigprevexpr___TOP__clk__0;".to_owned();
        let rising = "trigger index 0 is active: @(posedge clk)\\n".to_owned();
        let falling = "trigger index 1 is active: @(negedge clk)\\n".to_owned();
        let of = |parts: &[&String]| {
            previous_clock(
                &source(),
                &parts.iter().map(|part| (*part).clone()).collect::<Vec<_>>(),
            )
        };
        assert!(of(&[&state, &rising]).is_some());
        assert!(of(&[&state, &rising, &falling]).is_none());
        assert!(of(&[&rising]).is_none());
        assert!(of(&[&state]).is_none());
    }
}
