//! What the verbs that simulate say alike.

use clap::ValueEnum;

/// Beside what `--step` has no effect.
pub const NO_SWEEP: &str = "without a sweep such as `--load 0.1..0.5`";

/// The cycles of a measurement in words.
pub fn span(cycles: u64, warm_up: u64) -> String {
    format!("the {cycles} measured cycles, after {warm_up} cycles of warm-up")
}

/// The word of a choice on a command line.
pub fn name(value: impl ValueEnum) -> String {
    let value = value.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}
