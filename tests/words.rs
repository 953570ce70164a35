//! Words that product text does not use: `docs/design/names.md` and the glossary say what to write instead.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::sources::files_below;

/// Words, and what to write.
const BANNED: [(&str, &str); 13] = [
    ("one line a ", "one line per "),
    ("one line an ", "one line per "),
    ("so many", "how many, this many or N"),
    ("the own ", "its own"),
    ("routes round", "routes around"),
    ("lead round", "route around"),
    ("leads round", "routes around"),
    ("led round", "rerouted"),
    ("compute module", "host"),
    ("rooms", "crates"),
    ("which room", "which crate"),
    ("each room", "each crate"),
    ("this room", "this crate"),
];

/// Words that count only by themselves, and what to write: keys such as `vms_per_node` stay.
const BANNED_ALONE: [(&str, &str); 2] = [("vm", "host"), ("vms", "hosts")];

/// Where a banned word stays: the glossary, lists of older names, and code that reads or refuses them.
const EXCEPTIONS: [&str; 5] = [
    "docs/reference/glossary.md",
    "docs/design/names.md",
    "src/cli/explore/mod.rs",
    "src/cli/traffic/mod.rs",
    "src/topology/locate.rs",
];

fn product_text() -> Vec<PathBuf> {
    let folders = ["src", "sim", "hdl-templates", "tools", "docs"];
    let files = folders
        .iter()
        .flat_map(|folder| files_below(Path::new(folder)));
    let endings = ["rs", "v", "md", "toml", "py", "sh", "cc", "h", "tcl"];
    let is_text = |path: &PathBuf| {
        let ending = path.extension().and_then(|ending| ending.to_str());
        ending.is_some_and(|ending| endings.contains(&ending))
    };
    files.filter(is_text).collect()
}

/// Whether a word stands in a line by itself or before a number.
fn stands_alone(line: &str, word: &str) -> bool {
    let mut parts = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    parts.any(|part| part.trim_end_matches(|letter: char| letter.is_ascii_digit()) == word)
}

#[test]
fn product_text_has_no_banned_word() {
    let mut found = Vec::new();
    for path in product_text() {
        let text = fs::read_to_string(&path).expect("a readable file");
        let is_exception = EXCEPTIONS.iter().any(|other| path == Path::new(other));
        for (line, number) in text.lines().zip(1..) {
            let lower = line.to_lowercase();
            let spaced = BANNED.iter().filter(|(word, _)| lower.contains(word));
            let alone = BANNED_ALONE
                .iter()
                .filter(|(word, _)| stands_alone(&lower, word));
            for (word, instead) in spaced.chain(alone).filter(|_| !is_exception) {
                found.push(format!(
                    "{}:{number}: `{word}`: write {instead}",
                    path.display()
                ));
            }
            let is_cyrillic = |letter: char| ('\u{400}'..='\u{4ff}').contains(&letter);
            // Pages cite the papers by their own words.
            if !path.starts_with("docs") && line.contains(is_cyrillic) {
                found.push(format!("{}:{number}: Cyrillic letters", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
