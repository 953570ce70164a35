//! What the verbs that simulate say alike.

use std::fmt::Display;

use clap::ValueEnum;

use crate::CommandError;

/// Beside what `--step` has no effect.
pub const NO_SWEEP: &str = "without a sweep such as `--load 0.1..0.5`";

/// The cycles of a measurement in words.
pub fn span(cycles: u64, warm_up: u64) -> String {
    format!("the {cycles} measured cycles, after {warm_up} cycles of warm-up")
}

pub fn name(value: impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}

pub fn unexpected(what: &str, error: &impl Display) -> CommandError {
    CommandError::io(what, &std::io::Error::other(error.to_string()))
}
