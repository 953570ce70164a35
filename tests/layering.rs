//! Holds the module order of `src/lib.rs`: a module imports only modules to its left, the three
//! descriptions of one plan never see each other, and only `cosim` and `cli` name the `sim` crate.
//! Every file says what it is for.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Modules by rank; a module may name modules of lower rank and itself.
const RANKS: [&[&str]; 10] = [
    &["diag", "block_design"],
    &["tools"],
    &["spec"],
    &["topology"],
    &["routing"],
    &["design"],
    &["rtl", "golden", "fpga"],
    &["report"],
    &["cosim"],
    &["cli"],
];

/// Modules that may name the crate `mkns_sim`.
const SIMULATOR_USERS: [&str; 2] = ["cosim", "cli"];

fn rank(module: &str) -> Option<usize> {
    RANKS.iter().position(|modules| modules.contains(&module))
}

/// All Rust files below a folder, in order.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder exists");
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.expect("a readable entry").path()) {
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// The module that a file of `src` belongs to; none for the crate roots.
fn module_of(path: &Path) -> Option<String> {
    let inside = path.strip_prefix("src").expect("a file of src");
    let first = inside.components().next()?.as_os_str().to_str()?;
    let module = first.strip_suffix(".rs").unwrap_or(first);
    (module != "lib" && module != "main").then(|| module.to_owned())
}

/// A text without its comments, which may link anywhere. A `//` inside a string cuts the line short,
/// which can only hide a path that stands behind it.
fn code_of(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}

/// Modules named in `crate::…` and `mkns::…` paths, also in braces: `use crate::{spec, topology::X}`.
fn named_modules(code: &str) -> Vec<String> {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut modules = Vec::new();
    for root in ["crate::", "mkns::"] {
        for (at, _) in code.match_indices(root) {
            if code[..at].ends_with(is_word) {
                continue;
            }
            let rest = &code[at + root.len()..];
            match rest.strip_prefix('{') {
                Some(group) => modules.extend(group_heads(group)),
                None => modules.push(rest.chars().take_while(|&letter| is_word(letter)).collect()),
            }
        }
    }
    modules
}

/// First path segments of the items of a `use` group, whose opening brace is already read.
fn group_heads(group: &str) -> Vec<String> {
    let mut heads = vec![String::new()];
    let mut depth = 1;
    let mut is_head = true;
    for letter in group.chars() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 1 => break,
            '}' => depth -= 1,
            ',' if depth == 1 => {
                heads.push(String::new());
                is_head = true;
            }
            ':' => is_head = false,
            _ if letter.is_whitespace() => {}
            _ if depth == 1 && is_head => heads.last_mut().expect("never empty").push(letter),
            _ => {}
        }
    }
    heads.retain(|head| !head.is_empty());
    heads
}

/// What is wrong with the imports of a file of `module`.
fn violations(module: &str, text: &str) -> Vec<String> {
    let code = code_of(text);
    let Some(own) = rank(module) else {
        return vec![format!(
            "module `{module}` has no rank in tests/layering.rs"
        )];
    };
    let mut found: Vec<String> = named_modules(&code)
        .into_iter()
        .filter(|named| named != module && rank(named).is_some_and(|rank| rank >= own))
        .map(|named| format!("`{module}` must not name `{named}`"))
        .collect();
    if code.contains("mkns_sim") && !SIMULATOR_USERS.contains(&module) {
        found.push(format!("`{module}` must not name the crate mkns_sim"));
    }
    found
}

#[test]
fn modules_import_only_to_their_left() {
    let files = sources(Path::new("src"));
    assert!(files.len() > 20, "only {} files were found", files.len());
    let mut found = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a readable file");
        if let Some(module) = module_of(&file) {
            let violations = violations(&module, &text);
            found.extend(
                violations
                    .iter()
                    .map(|what| format!("{}: {what}", file.display())),
            );
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_simulator_crate_knows_nothing_of_networks() {
    for file in sources(Path::new("sim/src")) {
        let text = fs::read_to_string(&file).expect("a readable file");
        assert!(
            !code_of(&text).contains("mkns::"),
            "{} names mkns",
            file.display()
        );
    }
}

#[test]
fn every_file_says_what_it_is_for() {
    for folder in ["src", "sim/src", "tests"] {
        for file in sources(Path::new(folder)) {
            let text = fs::read_to_string(&file).expect("a readable file");
            assert!(
                text.starts_with("//!"),
                "{} does not open with `//!`",
                file.display()
            );
        }
    }
}

/// A file that nothing names would never run.
#[test]
fn every_test_file_is_a_module_of_all() {
    let all = fs::read_to_string("tests/all.rs").expect("a readable file");
    let modules: BTreeSet<&str> = all.lines().filter_map(|l| l.strip_prefix("mod ")).collect();
    let files = fs::read_dir("tests").expect("the folder exists");
    for path in files.map(|entry| entry.expect("a readable entry").path()) {
        let name = path.file_name().and_then(|name| name.to_str());
        if let Some(name) = name.and_then(|name| name.strip_suffix(".rs")) {
            let module = format!("{name};");
            assert!(name == "all" || modules.contains(module.as_str()), "{name}");
        }
    }
}

#[test]
fn violations_are_seen() {
    let bad = [
        ("spec", "use crate::topology::Network;"),
        ("rtl", "use crate::golden;"),
        ("golden", "let x = crate::rtl::emit();"),
        (
            "routing",
            "use crate::{\n    spec::{A, B},\n    design::Plan,\n};",
        ),
        ("report", "use mkns_sim::Model;"),
        ("nowhere", ""),
    ];
    for (module, text) in bad {
        assert_eq!(violations(module, text).len(), 1, "{module}: {text}");
    }
    let good = [
        ("routing", "use crate::{spec, topology::{Network, design}};"),
        (
            "routing",
            "use crate::routing::Table; /// [`crate::design`]",
        ),
        ("cosim", "use mkns_sim::Model; use crate::golden::Fifo;"),
        ("spec", "use other_crate::topology::Network;"),
    ];
    for (module, text) in good {
        assert_eq!(
            violations(module, text),
            Vec::<String>::new(),
            "{module}: {text}"
        );
    }
}
