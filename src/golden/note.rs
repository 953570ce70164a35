//! States in words, for reports.

use std::fmt::Debug;

/// Adds the name and value of something that differs from its reset value.
pub fn note<T: Debug + PartialEq>(text: &mut String, name: &str, value: T, reset: T) {
    if value != reset {
        text.push_str(&format!(" {name} {value:?}"));
    }
}
