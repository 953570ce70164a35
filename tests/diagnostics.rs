//! Every diagnostic code is reported by something, and no code stands as text outside the list of codes. So
//! `mkns explain` does not speak of the dead, and nobody compares words.

use std::fs;

use mkns::diag::Code;

use crate::common::sources::rust_files;

/// The list of codes, the one file that writes their texts.
const LIST: &str = "src/diag/code.rs";

/// Path and text of all Rust files of the program but the list.
fn program() -> Vec<(String, String)> {
    let files = rust_files(&["src", "sim/src"]).into_iter();
    let texts = files.map(|path| {
        let text = fs::read_to_string(&path).expect("a readable file");
        (path.display().to_string(), text)
    });
    texts.filter(|(path, _)| path != LIST).collect()
}

#[test]
fn every_code_is_reported_by_something() {
    let program = program();
    for code in Code::ALL {
        // `Debug` gives the name of the variant.
        let name = format!("Code::{code:?}");
        let is_there = |text: &str| {
            let behind = text.split(&name).skip(1);
            let mut next = behind.map(|rest| rest.chars().next().unwrap_or(' '));
            next.any(|letter| !letter.is_ascii_alphanumeric())
        };
        assert!(
            program.iter().any(|(_, text)| is_there(text)),
            "nothing reports {code} ({name})"
        );
    }
}

#[test]
fn codes_are_text_in_one_file_only() {
    let list = fs::read_to_string(LIST).expect("the list of codes exists");
    assert!(
        first_code(&list).is_some(),
        "codes are found where they are"
    );
    for (path, text) in program() {
        let lines = text.lines().map(str::trim_start);
        for line in lines.filter(|line| !line.starts_with("//")) {
            assert_eq!(first_code(line), None, "{path}: {line}");
        }
    }
}

/// The first word of a text that has the form of a code.
fn first_code(text: &str) -> Option<&str> {
    let mut words = text.split(|letter: char| !letter.is_ascii_alphanumeric());
    words.find(|word| {
        let digits = word.strip_prefix("E0").unwrap_or_default();
        digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit())
    })
}
