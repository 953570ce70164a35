//! Holds a port table against what Verilator found in the RTL, so that a wrong name or width is an
//! error and not a silently undriven port.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::source::{ModelSource, PortDecl};

/// Fails unless the table lists exactly the ports of the RTL. `tree` is the design as Verilator's
/// `--json-only` writes it: one node a line, types referred to by address.
pub(crate) fn check(source: &ModelSource, tree: &str) -> Result<()> {
    check_ports(source, top_ports(tree))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Input,
    Output,
    Other,
}

impl Direction {
    fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Output => "output",
            Self::Other => "neither input nor output",
        }
    }
}

/// Ports of the top module. Width 0: not a plain vector.
fn top_ports(tree: &str) -> BTreeMap<String, (Direction, u32)> {
    let widths: BTreeMap<&str, u32> = tree
        .lines()
        .filter(|line| line.contains(r#""type":"BASICDTYPE""#))
        .filter_map(|line| Some((field(line, "addr")?, width(field(line, "range")))))
        .collect();
    tree.lines()
        .filter(|line| line.contains(r#""isPrimaryIO":true"#))
        .filter_map(|line| {
            let direction = match field(line, "direction")? {
                "INPUT" => Direction::Input,
                "OUTPUT" => Direction::Output,
                _ => Direction::Other,
            };
            let bits = widths.get(field(line, "dtypep")?).copied().unwrap_or(0);
            Some((field(line, "name")?.to_owned(), (direction, bits)))
        })
        .collect()
}

/// First value of that name in a line; values hold no quotes.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(&format!(r#""{name}":""#))?;
    Some(rest.split_once('"')?.0)
}

/// Bits of a range such as `9:0`; none is one bit.
fn width(range: Option<&str>) -> u32 {
    let Some(range) = range else { return 1 };
    let bounds = range
        .split_once(':')
        .and_then(|(most, least)| Some((most.parse::<u32>().ok()?, least.parse::<u32>().ok()?)));
    bounds.map_or(0, |(most, least)| most.abs_diff(least) + 1)
}

fn check_ports(
    source: &ModelSource,
    mut unlisted: BTreeMap<String, (Direction, u32)>,
) -> Result<()> {
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
    for (port, direction) in inputs.chain(outputs).chain([(&clock, Direction::Input)]) {
        match unlisted.remove(&port.name) {
            Some(actual) if actual == (direction, port.bits) => {}
            Some((_, 0)) => return mismatch(&port.name, "not a plain vector in the RTL".into()),
            Some((actual, bits)) => {
                return mismatch(
                    &port.name,
                    format!(
                        "the table says {} of {} bits, the RTL {} of {bits}",
                        direction.name(),
                        port.bits,
                        actual.name()
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

#[cfg(test)]
mod tests {
    use super::*;

    const TREE: &str = r#"
    {"type":"VAR","name":"clk","addr":"(G)","dtypep":"(H)","isPrimaryIO":true,"direction":"INPUT"},
    {"type":"VAR","name":"data","addr":"(I)","dtypep":"(J)","isPrimaryIO":true,"direction":"INPUT"},
    {"type":"VAR","name":"wide","addr":"(K)","dtypep":"(L)","isPrimaryIO":true,"direction":"OUTPUT"},
    {"type":"VAR","name":"inner","addr":"(M)","dtypep":"(H)","direction":"INPUT"},
    {"type":"BASICDTYPE","name":"logic","addr":"(H)","dtypep":"(H)","rangep": []},
    {"type":"BASICDTYPE","name":"logic","addr":"(J)","dtypep":"(J)","range":"0:63","rangep": []},
    {"type":"BASICDTYPE","name":"logic","addr":"(L)","dtypep":"(L)","range":"100:1","rangep": []},
"#;

    fn source() -> ModelSource {
        ModelSource {
            top: "block".into(),
            inputs: vec![PortDecl::new("data", 64)],
            outputs: vec![PortDecl::new("wide", 100)],
            ..ModelSource::default()
        }
    }

    #[test]
    fn the_table_must_be_the_rtl() {
        check(&source(), TREE).unwrap();
        let fact = |change: &dyn Fn(&mut ModelSource)| {
            let mut changed = source();
            change(&mut changed);
            check(&changed, TREE).unwrap_err().to_string()
        };
        assert!(fact(&|s| s.inputs[0].bits = 63).contains("input of 63 bits, the RTL input of 64"));
        assert!(fact(&|s| s.inputs[0].name = "dat".into()).contains("not in the RTL"));
        assert!(
            fact(&|s| s.outputs.clear()).contains("`wide` of module `block`: in the RTL, but not")
        );
        assert!(fact(&|s| s.clock = "clock".into()).contains("`clock`"));
        assert!(fact(&|s| std::mem::swap(&mut s.inputs, &mut s.outputs)).contains("RTL"));
    }

    #[test]
    fn types_beyond_vectors_are_refused() {
        let tree = TREE.replace(
            r#"BASICDTYPE","name":"logic","addr":"(L)"#,
            r#"REFDTYPE","addr":"(L)"#,
        );
        let error = check(&source(), &tree).unwrap_err().to_string();
        assert!(
            error.contains("`wide`") && error.contains("not a plain vector"),
            "{error}"
        );
    }
}
