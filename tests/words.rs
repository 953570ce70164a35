//! Words that product text does not use: `docs/design/names.md` and the glossary say what to write instead.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::sources::files_below;

/// Words, and what to write.
const BANNED: [(&str, &str); 6] = [
    ("so many", "how many, this many or N"),
    ("the own ", "its own"),
    ("routes round", "routes around"),
    ("lead round", "route around"),
    ("leads round", "routes around"),
    ("led round", "rerouted"),
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

#[test]
fn product_text_has_no_banned_word() {
    let mut found = Vec::new();
    for path in product_text() {
        let text = fs::read_to_string(&path).expect("a readable file");
        for (line, number) in text.lines().zip(1..) {
            let lower = line.to_lowercase();
            for (word, instead) in BANNED {
                if lower.contains(word) {
                    found.push(format!(
                        "{}:{number}: `{word}`: write {instead}",
                        path.display()
                    ));
                }
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
