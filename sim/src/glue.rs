//! The generated part of a model's C++: how its port table maps to Verilator's variables.

use std::fmt::Write;

use crate::clocked;
use crate::source::{ModelSource, PortDecl};

/// The hand-written C++ that every model compiles, by file name.
pub(crate) const FILES: [(&str, &str); 6] = [
    ("bank.h", include_str!("../cxx/bank.h")),
    ("bank_impl.cc", include_str!("../cxx/bank_impl.cc")),
    ("hooks.cc", include_str!("../cxx/hooks.cc")),
    ("hooks.h", include_str!("../cxx/hooks.h")),
    ("prelude.h", include_str!("../cxx/prelude.h")),
    ("words.h", include_str!("../cxx/words.h")),
];

/// The text of this file: what it generates is part of every model.
pub(crate) const GENERATOR: &str = include_str!("glue.rs");

/// Prefix of all that Verilator generates.
pub(crate) const PREFIX: &str = "Vmodel";

/// Text of `ports.h`. `generated` is all that Verilator wrote.
pub(crate) fn ports_header(source: &ModelSource, generated: &[String]) -> String {
    let mut text = format!(
        "// Generated from the port table of {top}.\n#pragma once\n\
         #include \"{PREFIX}.h\"\n#include \"{PREFIX}___024root.h\"\n#include \"words.h\"\n\n\
         using Model = {PREFIX};\nusing Root = {PREFIX}___024root;\n\
         void {PREFIX}___024root___eval(Root* root);\n\
         void {PREFIX}___024root___eval_settle(Root* root);\n\
         #define MKNS_EVAL(root) {PREFIX}___024root___eval(&(root))\n\
         #define MKNS_SETTLE(root) {PREFIX}___024root___eval_settle(&(root))\n\
         #define MKNS_CLOCK(root) (root).{clock}\n\
         #define MKNS_CLOCKED {clocked}\n",
        top = source.top,
        clock = variable(&source.clock),
        clocked = u8::from(source.registered_outputs),
    );
    if source.trace {
        let _ = writeln!(
            text,
            "#include \"{PREFIX}__Syms.h\"\n\
             #define MKNS_CHANGED(root) ((root).vlSymsp->__Vm_activity = true)"
        );
    }
    if let Some(previous) = previous_clock(source, generated) {
        let _ = writeln!(text, "#define MKNS_PREVIOUS_CLOCK(root) (root).{previous}");
    }
    if source.registered_outputs
        && let Some(parts) = edge_parts(source, generated)
    {
        text += &parts;
    }
    let _ = writeln!(
        text,
        "constexpr std::size_t INPUT_WORDS = {};\nconstexpr std::size_t OUTPUT_WORDS = {};",
        source.input_words(),
        source.output_words()
    );
    write_loads(&mut text, "apply_inputs", &source.inputs, variable);
    if source.registered_outputs {
        write_loads(&mut text, "load_registers", &source.inputs, |port| {
            clocked::register(source, port)
                .map(|part| variable(&part))
                .join("__DOT__")
        });
    }
    text += "\ninline void sample_outputs(const Root& root, std::uint64_t* words) {\n";
    write_ports(&mut text, &source.outputs, |port, bits, word| {
        let name = variable(port);
        match bits {
            1..=64 => format!("words[{word}] = root.{name};"),
            _ => format!("mkns_sim::store_wide<{bits}>(words + {word}, root.{name});"),
        }
    });
    text += "}\n";
    text
}

/// A function that sets one variable for each port.
fn write_loads(
    text: &mut String,
    function: &str,
    ports: &[PortDecl],
    variable: impl Fn(&str) -> String,
) {
    let _ = writeln!(
        text,
        "\ninline void {function}(Root& root, const std::uint64_t* words) {{"
    );
    write_ports(text, ports, |port, bits, word| {
        let name = variable(port);
        match bits {
            1..64 => format!(
                "root.{name} = words[{word}] & {:#x}ULL;",
                (1u64 << bits) - 1
            ),
            64 => format!("root.{name} = words[{word}];"),
            _ => format!("mkns_sim::load_wide<{bits}>(root.{name}, words + {word});"),
        }
    });
    *text += "}\n";
}

fn write_ports(text: &mut String, ports: &[PortDecl], line: impl Fn(&str, u32, usize) -> String) {
    let mut word = 0;
    for port in ports {
        let _ = writeln!(text, "    {}", line(&port.name, port.bits, word));
        word += port.words();
    }
}

/// Verilator's C++ name of a port or scope.
fn variable(name: &str) -> String {
    name.replace("__", "___05F")
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

/// What a rising edge does, as a list of functions: `MKNS_EDGE_PARTS` and what it needs. Only where
/// rising edges are all that can wake the model, and the text has the form known here; otherwise
/// models are evaluated as a whole.
fn edge_parts(source: &ModelSource, generated: &[String]) -> Option<String> {
    previous_clock(source, generated)?;
    let head = format!("\nvoid {PREFIX}___024root___eval_nba({PREFIX}___024root* vlSelf) {{\n");
    let function = generated
        .iter()
        .find_map(|text| text.split_once(&head)?.1.split_once("\n}\n"))?
        .0;
    let (locals, body) = function.split_once("    // Body\n")?;
    let when = "    if ((1ULL & vlSelfRef.__VnbaTriggered[0U])) {\n";
    let body = body.strip_prefix(when)?.strip_suffix("\n    }")?;
    if body.contains("\n    }") {
        return None; // more than this one branch
    }
    let name = |line: &str| {
        let call = line.strip_prefix("        ")?.strip_suffix("(vlSelf);")?;
        call.starts_with(PREFIX).then(|| call.to_owned())
    };
    let calls: Vec<String> = body.lines().filter_map(name).collect();
    let mut parts: Vec<String> = body.lines().map_while(name).collect();
    let rest: Vec<&str> = body.lines().skip(parts.len()).collect();
    let mut text = format!("#include \"{PREFIX}__Syms.h\"\n");
    for call in &calls {
        let _ = writeln!(text, "void {call}({PREFIX}___024root*);");
    }
    if parts.is_empty() || !rest.is_empty() {
        let _ = writeln!(
            text,
            "static void mkns_rest_of_edge({PREFIX}___024root* vlSelf) {{\n{locals}{}\n}}",
            rest.join("\n"),
        );
        parts.push("mkns_rest_of_edge".to_owned());
    }
    let _ = writeln!(text, "#define MKNS_EDGE_PARTS {}", parts.join(", "));
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let text = ports_header(&source(), &[]);
        assert!(text.contains("    root.data = words[0];"));
        assert!(text.contains("root.block_clocked__DOT__registered_inputs__DOT__data = words[0];"));
        assert!(text.contains("store_wide<100>(words + 0, root.wide);"));
        assert!(text.contains("INPUT_WORDS = 1;") && text.contains("OUTPUT_WORDS = 2;"));
        assert!(!text.contains("PREVIOUS_CLOCK"));
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

    #[test]
    fn a_rising_edge_is_known_part_by_part() {
        let state = "CData __Vtrigprevexpr___TOP__clk__0;\n\
                     // trigger index 0 is active: @(posedge clk)\\n\n"
            .to_owned();
        let function = |body: &str| {
            format!(
                "\nvoid Vmodel___024root___eval_nba(Vmodel___024root* vlSelf) {{\n    int local;\n    \
                 // Body\n    if ((1ULL & vlSelfRef.__VnbaTriggered[0U])) {{\n{body}    }}\n}}\n"
            )
        };
        let first = "        Vmodel___024root___nba_sequent__TOP__0(vlSelf);\n";
        let second = "        Vmodel___024root___nba_sequent__TOP__1(vlSelf);\n";
        let inline = "        vlSelfRef.a = 1U;\n";
        let whole = function(&[first, inline, second].concat());
        let parts = edge_parts(&source(), &[state.clone(), whole]).expect("the form is known");
        assert!(parts.ends_with(
            "#define MKNS_EDGE_PARTS Vmodel___024root___nba_sequent__TOP__0, mkns_rest_of_edge\n"
        ));
        assert!(parts.contains(&format!("    int local;\n{inline}{}", second.trim_end())));
        assert!(parts.contains("void Vmodel___024root___nba_sequent__TOP__1(Vmodel___024root*);"));
        let all = edge_parts(
            &source(),
            &[state.clone(), function(&[first, second].concat())],
        );
        let all = all.expect("the form is known");
        assert!(
            !all.contains("rest_of_edge"),
            "calls only: nothing is left over"
        );
        let more = function(&format!("{first}    }}\n    if (more) {{\n{second}"));
        assert!(edge_parts(&source(), &[state, more]).is_none());
    }
}
