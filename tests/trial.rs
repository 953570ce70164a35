//! Every item that an outside trial found has a test, or a reason why it has none.
//!
//! `tests/data/trial_items.csv` maps the items to their tests.

use std::collections::BTreeSet;
use std::fs;

use crate::common::sources::rust_files;

/// Pages of the trial and how many items each has.
const PAGES: [(&str, u32); 6] = [
    ("users_", 15),
    ("abuse_", 19),
    ("reports_", 15),
    ("numbers_a", 12),
    ("numbers_b", 11),
    ("page_", 15),
];

/// The item, its test and, where there is none, the reason.
fn rows() -> Vec<[String; 3]> {
    let mut reader = csv::Reader::from_path("tests/data/trial_items.csv").expect("a table");
    let rows = reader.records().map(|row| row.expect("a row"));
    rows.map(|row| [0, 1, 2].map(|column| row[column].to_owned()))
        .collect()
}

#[test]
fn every_item_of_the_trial_is_in_the_table() {
    let listed: BTreeSet<String> = rows().into_iter().map(|[item, _, _]| item).collect();
    let items = PAGES
        .iter()
        .flat_map(|(page, count)| (1..=*count).map(move |number| format!("{page}{number}")));
    let missing: Vec<String> = items.filter(|item| !listed.contains(item)).collect();
    assert!(missing.is_empty(), "no row: {}", missing.join(", "));
}

#[test]
fn every_item_of_the_trial_has_its_test_or_a_reason() {
    let files = rust_files(&["src", "sim/src", "sim/tests", "tests"]);
    let text: String = files
        .iter()
        .map(|file| fs::read_to_string(file).expect("a readable file"))
        .collect();
    for [item, test, reason] in rows() {
        if test.is_empty() {
            assert!(reason.len() > 20, "{item} has no test and no reason");
            continue;
        }
        assert!(
            test.starts_with(&format!("{item}_")),
            "{test} is not named after {item}"
        );
        assert!(text.contains(&format!("fn {test}(")), "no test {test}");
    }
}
