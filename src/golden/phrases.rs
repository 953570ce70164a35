//! State in words, for the reports of failures.

use std::fmt::Display;

/// The items with spaces between them.
pub fn list<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let words: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    words.join(" ")
}

/// The item, or `none`.
pub fn or_none<T: Display>(item: Option<T>) -> String {
    item.map_or_else(|| "none".to_owned(), |item| item.to_string())
}
