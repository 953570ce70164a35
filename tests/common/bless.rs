//! Recorded texts, and the one way to record them anew: `make bless`.

use std::env;
use std::fs;
use std::path::Path;

/// Whether recorded texts are to be written and not compared.
pub fn is_asked_for() -> bool {
    env::var_os("MKNS_BLESS").is_some()
}

/// Holds a text to the recorded one, or records it.
pub fn matches_recorded(path: &Path, text: &str) {
    if is_asked_for() {
        fs::write(path, text).expect("recorded texts can be written");
    }
    let recorded = fs::read_to_string(path)
        .unwrap_or_else(|error| panic!("{}: {error}; record it: make bless", path.display()));
    assert_eq!(
        text,
        recorded,
        "differs from {}; if that is right: make bless",
        path.display()
    );
}
