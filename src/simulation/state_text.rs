//! Words for the state of a model in mismatch reports.

use std::fmt::Display;

/// `3, 0, 1`.
pub fn list(values: impl IntoIterator<Item = impl Display>) -> String {
    let words: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    words.join(", ")
}

/// The value, or `none`.
pub fn or_none(value: Option<impl Display>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

/// A beat on its way to the host: ` last` and ` bad` where they are set.
pub fn beat_flags(last: bool, bad: bool) -> String {
    let flag = |on: bool, word: &'static str| if on { word } else { "" };
    format!("{}{}", flag(last, " last"), flag(bad, " bad"))
}
