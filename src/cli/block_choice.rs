//! The blocks that verbs take one of, by their names on the command line.

#[cfg(feature = "cosim")]
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::CommandError;
use mkns_design::{BlockModule, ModuleKind, Plan};
use mkns_diag::Code;
#[cfg(feature = "cosim")]
use mkns_report::TestedPart;

/// A parser of one of these parts; `link` says what is taken of a serial link.
#[cfg(feature = "cosim")]
pub fn one_of(
    parts: &'static [TestedPart],
    link: &'static str,
) -> impl TypedValueParser<Value = TestedPart> {
    let values = parts.iter().map(|part| {
        let value = PossibleValue::new(part.name());
        match part {
            TestedPart::Pok => {
                value.help("The splitter and combiner (POK) of a distributed switch")
            }
            TestedPart::Terminal => value.help("The terminal of a distributed switch"),
            TestedPart::Link => value.help(link),
            TestedPart::Management => {
                value.help("The management unit of a board, without its links")
            }
            _ => value,
        }
    });
    PossibleValuesParser::new(values).map(|name| {
        let part = parts.iter().find(|part| part.name() == name);
        *part.expect("one of the possible values")
    })
}

/// The module of a switch or adapter block in the plan; a usage error when the network has none.
pub fn module_of(kind: ModuleKind, plan: &Plan) -> Result<&BlockModule, CommandError> {
    let other = match kind {
        ModuleKind::Switch => ModuleKind::Adapter,
        _ => ModuleKind::Switch,
    };
    let found = plan.modules.iter().find(|module| module.kind == kind);
    found.ok_or_else(|| {
        let fact = format!("the network has no {} block", kind.name());
        let remedy = format!("use `--block {}`, or give another network", other.name());
        CommandError::new(Code::NoSuchBlock, fact, remedy)
    })
}
