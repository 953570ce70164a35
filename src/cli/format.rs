//! `--format`: which forms there are, and which of them each verb offers.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, ValueEnum};

use super::CommandError;
use mkns_diag::Code;

/// How results and diagnostics are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// For programs: one JSON document
    Json,
    /// For tables: comma-separated values, from verbs that print rows of numbers
    Csv,
    /// For C: a header of constants, from verbs whose result is compiled into programs
    C,
}

/// Forms of a result that is one value: what most verbs offer.
pub const VALUE: &[Format] = &[Format::Text, Format::Json];
/// Forms of a result that is lines of numbers.
pub const LINES: &[Format] = &[Format::Text, Format::Json, Format::Csv];
/// Forms of a result that programs on other machines take.
pub const DATA: &[Format] = &[Format::Text, Format::Json, Format::Csv, Format::C];
/// A result that has its own format, which `--format` does not change.
pub const OWN: &[Format] = &[Format::Text];

impl Format {
    fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Json => "json",
            Self::Csv => "csv",
            Self::C => "c",
        }
    }

    /// Refuses a form that a verb does not offer.
    pub fn check(self, offered: &[Self]) -> Result<(), CommandError> {
        if offered.contains(&self) {
            return Ok(());
        }
        let names: Vec<&str> = offered.iter().map(|format| format.name()).collect();
        let (fact, remedy) = match offered {
            [_] => ("has its own format", "leave `--format` out".to_owned()),
            _ => (
                match self {
                    Self::C => "has no C format",
                    _ => "is not a table of numbers",
                },
                format!("use {}", names.join(" or ")),
            ),
        };
        let fact = format!("`--format {}`: the result of this verb {fact}", self.name());
        Err(CommandError::new(Code::FormatNotOffered, fact, remedy))
    }

    /// What a command line that cannot be read asks for, as far as one can tell.
    pub fn wanted() -> Self {
        let words: Vec<String> = std::env::args().collect();
        let apart = words.windows(2).any(|two| two == ["--format", "json"]);
        match apart || words.iter().any(|word| word == "--format=json") {
            true => Self::Json,
            false => Self::Text,
        }
    }
}

/// `--format` of a verb: only what it offers; hidden where that is nothing.
pub fn option(offered: &'static [Format]) -> Arg {
    let all = <Format as ValueEnum>::value_variants();
    let listed = if offered.len() == 1 { all } else { offered };
    let values = listed.iter().filter_map(ValueEnum::to_possible_value);
    let parser = PossibleValuesParser::new(values.collect::<Vec<_>>());
    let parser = parser.try_map(|name| Format::from_str(&name, false));
    Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .help("How results (standard output) and diagnostics (standard error) are written")
        .value_parser(parser)
        .default_value("text")
        .hide(offered.len() == 1)
}
