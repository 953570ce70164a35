//! Holds port table and parameters against what Verilator found in the RTL, so that a wrong name or
//! width is an error and not a silently undriven port.

use std::collections::BTreeMap;
use std::fmt;

use crate::error::{Error, Result};
use crate::source::{ModelSource, PortDecl};

/// Fails unless the table lists exactly the ports of the RTL. `tree` is the design as Verilator's
/// `--json-only` writes it: one node a line, types referred to by address.
pub(crate) fn check(source: &ModelSource, tree: &str) -> Result<()> {
    check_ports(source, top_ports(tree))
}

/// How Verilator begins a line on parameters of the command line; their names follow.
const NO_SUCH_PARAMETERS: &str = "Parameters from the command line were not found in the design:";

/// Says it plainly when Verilator failed because the RTL lacks parameters.
pub(crate) fn missing_parameters(source: &ModelSource, error: Error) -> Error {
    let Error::ToolFailed { said, .. } = &error else {
        return error;
    };
    let Some((_, rest)) = said.split_once(NO_SUCH_PARAMETERS) else {
        return error;
    };
    let names = rest.lines().next().unwrap_or_default().split_whitespace();
    let quoted: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    Error::ParameterMissing {
        top: source.top.clone(),
        parameters: quoted.join(", "),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Direction {
    Input,
    Output,
    Other,
}

impl fmt::Display for Direction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Input => "an input",
            Self::Output => "an output",
            Self::Other => "an inout",
        })
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
    let inputs = source.inputs.iter().map(|port| (port, Direction::Input));
    let outputs = source.outputs.iter().map(|port| (port, Direction::Output));
    let clock = PortDecl::new(&source.clock, 1);
    let mut wrong = None;
    for (port, direction) in inputs.chain(outputs).chain([(&clock, Direction::Input)]) {
        let wanted = (direction, port.bits);
        let found = unlisted.remove(&port.name);
        if wrong.is_none() && found != Some(wanted) {
            wrong = Some((port.name.clone(), wanted, found));
        }
    }
    let strangers: Vec<String> = unlisted.keys().map(|name| format!("`{name}`")).collect();
    let strangers = strangers.join(", ");
    let (port, fact) = match (wrong, unlisted.into_keys().next()) {
        (Some((port, wanted, found)), _) => (port, what_differs(wanted, found, &strangers)),
        (None, Some(port)) => (port, "the RTL has it, but it is not expected".to_owned()),
        (None, None) => return Ok(()),
    };
    let top = source.top.clone();
    Err(Error::PortMismatch { top, port, fact })
}

/// `strangers`: ports of the RTL that nobody expects.
fn what_differs(
    (direction, bits): (Direction, u32),
    found: Option<(Direction, u32)>,
    strangers: &str,
) -> String {
    let wanted = format!("{direction} of {bits} bits is expected");
    match found {
        None if strangers.is_empty() => format!("{wanted}, but it is not in the RTL"),
        None => format!("{wanted}, but it is not in the RTL, which has {strangers} instead"),
        Some((_, 0)) => format!("{wanted}, but in the RTL it is not a plain vector"),
        Some((direction, bits)) => {
            format!("{wanted}, but in the RTL it is {direction} of {bits} bits")
        }
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
        assert!(
            fact(&|s| s.inputs[0].bits = 63).contains(
                "an input of 63 bits is expected, but in the RTL it is an input of 64 bits"
            )
        );
        let renamed = fact(&|s| s.inputs[0].name = "dat".into());
        assert!(
            renamed.contains("`dat` of module `block`: an input of 64 bits is expected")
                && renamed.contains("which has `data` instead"),
            "{renamed}"
        );
        assert!(fact(&|s| s.outputs.clear()).contains("`wide` of module `block`: the RTL has it"));
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
