//! What no regression can reach and is therefore not counted: bits with a fixed value, clocks, functions
//! that only work out parameters.
//!
//! A bit is fixed if Yosys finds it constant in the flattened and optimised RTL with the parameters of
//! the module; a register that keeps its reset value is. Knows Verilator's places by path and line.

use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;

use serde::Deserialize;

use crate::scoring::{YosysError, flattening, run_yosys};
use mkns_design::BlockModule;
use mkns_rtl as rtl;
use mkns_scratch::Scratch;

/// What is not counted in one block module.
#[derive(Debug, Default)]
pub struct Unreachable {
    /// Path of each signal and which of its bits are fixed, by the last name of the path.
    signals: BTreeMap<String, Vec<(String, Fixed)>>,
    /// File and lines.
    functions: Vec<(String, RangeInclusive<u32>)>,
}

/// Which bits of a signal are fixed, from bit number `first` on.
#[derive(Debug)]
struct Fixed {
    first: usize,
    bits: Vec<bool>,
}

/// What `write_json` says of a design.
#[derive(Deserialize)]
struct Design {
    modules: BTreeMap<String, Netlist>,
}

#[derive(Deserialize)]
struct Netlist {
    netnames: BTreeMap<String, Net>,
}

#[derive(Deserialize)]
struct Net {
    hide_name: u8,
    bits: Vec<Bit>,
    #[serde(default)]
    offset: usize,
}

/// A number is a wire; a text is a constant, `x` if nothing drives it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Bit {
    Wire(#[expect(dead_code, reason = "its number tells it from a text")] u64),
    Constant(String),
}

impl Unreachable {
    /// Asks Yosys about a module of the sources (file name and text).
    pub fn of(module: &BlockModule, sources: &[(String, String)]) -> Result<Self, YosysError> {
        let folder = Scratch::new("coverage")?;
        let top = rtl::module_name(module.kind);
        let parameters = rtl::block_parameters(module);
        let flatten = flattening(folder.path(), sources, top, &parameters)?;
        // Wires stay, so that every name can be looked up.
        let script =
            format!("{flatten}setattr -set keep 1 w:*\nopt -full\nwrite_json fixed.json\n");
        run_yosys(folder.path(), "fixed", &script)?;
        let text = fs::read_to_string(folder.path().join("fixed.json"))?;
        let design: Design = serde_json::from_str(&text).map_err(std::io::Error::from)?;
        let netlists = design.modules.into_values();
        let nets = netlists.flat_map(|netlist| netlist.netnames);
        Ok(Self::new(
            nets.filter(|(_, net)| net.hide_name == 0),
            sources,
        ))
    }

    fn new(nets: impl Iterator<Item = (String, Net)>, sources: &[(String, String)]) -> Self {
        let mut unreachable_places = Self::default();
        for (path, net) in nets {
            let is_fixed = |bit: &Bit| matches!(bit, Bit::Constant(value) if value != "x");
            let fixed = Fixed {
                first: net.offset,
                bits: net.bits.iter().map(is_fixed).collect(),
            };
            let name = last_name(&path).to_owned();
            unreachable_places
                .signals
                .entry(name)
                .or_default()
                .push((path, fixed));
        }
        for (file, text) in sources {
            let lines = functions(text).into_iter();
            let lines = lines.map(|lines| (file.clone(), lines));
            unreachable_places.functions.extend(lines);
        }
        unreachable_places
    }

    /// Whether a bit cannot change: `path` from the top module down, with `*` where it stands for several
    /// instances, all of which have to be fixed.
    pub fn is_fixed(&self, path: &str, bit: usize) -> bool {
        let name = last_name(path);
        let candidates = self.signals.get(name).into_iter().flatten();
        let mut bits = candidates
            .filter(|(candidate, _)| is_match(path, candidate))
            // A `*` may also stand for smaller signals.
            .filter_map(|(_, fixed)| fixed.bits.get(bit.checked_sub(fixed.first)?))
            .peekable();
        name == "clk" || bits.peek().is_some() && bits.all(|is_fixed| *is_fixed)
    }

    /// Whether a line only serves to work out parameters.
    pub fn is_elaboration(&self, file: &str, line: u32) -> bool {
        let mut functions = self.functions.iter();
        functions.any(|(name, lines)| name == file && lines.contains(&line))
    }
}

fn last_name(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

fn is_match(pattern: &str, text: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == text;
    };
    let Some(left) = text.strip_prefix(start) else {
        return false;
    };
    let mut ends = left.char_indices().map(|(place, _)| place);
    ends.any(|place| is_match(rest, &left[place..]))
}

/// Lines of the functions of a file that are called for `localparam`s, for checks of parameters, or by such functions.
fn functions(text: &str) -> Vec<RangeInclusive<u32>> {
    let lines = || (1..).zip(text.lines().map(str::trim_start));
    let starts = lines().filter(|(_, line)| line.starts_with("function "));
    let ends = lines().filter(|(_, line)| line.starts_with("endfunction"));
    let all: Vec<_> = starts.zip(ends).collect();
    let mut found: Vec<RangeInclusive<u32>> = Vec::new();
    // Functions call those that stand above them.
    for ((first, head), (last, _)) in all.into_iter().rev() {
        let call = format!("{}(", function_name(head));
        let is_counted = |(number, line): &(u32, &str)| {
            !(first..=last).contains(number)
                && !found.iter().any(|known| known.contains(number))
                && line.contains(&call)
        };
        let mut calls = lines().filter(is_counted);
        if calls.all(|(number, line)| {
            line.starts_with("localparam") || is_parameter_check(text, number as usize)
        }) {
            found.push(first..=last);
        }
    }
    found
}

/// The name in `function [WIDTH-1:0] name(input a);` or `function [1:0] name;`.
fn function_name(head: &str) -> &str {
    let before_ports = head.split("(input ").next().unwrap_or(head);
    let name = before_ports.trim_end_matches(';').split_whitespace();
    name.last().unwrap_or_default()
}

/// Whether the statement of a line (from 1 on) ends with the block that rejects a parameter.
fn is_parameter_check(text: &str, number: usize) -> bool {
    let mut rest = text.lines().skip(number - 1);
    rest.find(|line| line.ends_with("begin") || line.contains(" begin : ") || line.ends_with(';'))
        .is_some_and(|line| line.contains("begin : gen_check_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unreachable_places() -> Unreachable {
        let net = |offset, bits: &[u8]| Net {
            hide_name: 0,
            offset,
            bits: bits
                .iter()
                .map(|bit| match bit {
                    0 | 1 => Bit::Constant(bit.to_string()),
                    2 => Bit::Constant("x".to_owned()),
                    wire => Bit::Wire(u64::from(*wire)),
                })
                .collect(),
        };
        let nets = [
            ("core.unit[0].flag", net(0, &[0, 7, 1, 2])),
            ("core.unit[1].flag", net(0, &[1, 8])),
            ("core.unit[1].more", net(4, &[9, 0])),
        ];
        let nets = nets.map(|(path, net)| (path.to_owned(), net));
        let text = "a\n    function [1:0] f;\n    endfunction\n    localparam A = f(1);\n\
                    function g(input b);\nendfunction\nassign c = g(d);\n"
            .to_owned();
        Unreachable::new(nets.into_iter(), &[("a.v".to_owned(), text)])
    }

    #[test]
    fn a_bit_is_fixed_when_it_is_constant_in_every_instance_that_has_it() {
        let unreachable_places = unreachable_places();
        assert!(unreachable_places.is_fixed("core.unit[*].flag", 0));
        assert!(!unreachable_places.is_fixed("core.unit[*].flag", 1));
        assert!(unreachable_places.is_fixed("core.unit[*].flag", 2));
        assert!(!unreachable_places.is_fixed("core.unit[1].flag", 2));
        assert!(
            !unreachable_places.is_fixed("core.unit[*].flag", 3),
            "undriven"
        );
        assert!(unreachable_places.is_fixed("core.unit[1].more", 5));
        assert!(!unreachable_places.is_fixed("core.unit[1].more", 4));
        assert!(!unreachable_places.is_fixed("core.unit[1].other", 0));
    }

    #[test]
    fn functions_of_parameters_are_recognised_by_their_calls() {
        let text = "function [(A<<B)-1:0] wide(input integer a);\nendfunction\n\
                    function low(input integer a);\nendfunction\n\
                    function both(input integer a);\nboth = low(a);\nendfunction\n\
                    function used(input integer a);\nendfunction\n\
                    localparam [(A<<B)-1:0] W = wide(1);\n\
                    if (low(C)\n|| both(D)) begin : gen_check_c\n\
                    localparam E = used(1);\nassign e = used(d);\n";
        let mut lines: Vec<_> = functions(text);
        lines.sort_by_key(|lines| *lines.start());
        assert_eq!(lines, [1..=2, 3..=4, 5..=7]);
    }

    #[test]
    fn clocks_and_functions_of_constants_are_outside() {
        let unreachable_places = unreachable_places();
        assert!(unreachable_places.is_fixed("core.clk", 0));
        let lines: Vec<u32> = (1..9)
            .filter(|line| unreachable_places.is_elaboration("a.v", *line))
            .collect();
        assert_eq!(lines, [2, 3]);
        assert!(!unreachable_places.is_elaboration("b.v", 2));
    }
}
