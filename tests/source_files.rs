//! Every file says what it is for, and every test file runs. The order of the crates is held by Cargo: a
//! crate sees those that its `Cargo.toml` names.

use std::fs;
use std::path::Path;

use crate::common::sources::{files_below, rust_files};

#[test]
fn every_file_says_what_it_is_for() {
    for file in rust_files(&["src", "sim/src", "sim/tests", "tests"]) {
        let text = fs::read_to_string(&file).expect("a readable file");
        assert!(
            text.starts_with("//!"),
            "{} does not open with `//!`",
            file.display()
        );
    }
}

/// What programs under test print would stand between the runner's own lines.
#[test]
fn users_14_no_test_lets_a_program_write_to_the_terminal() {
    // Of the project's own crates, too; this line is no call.
    let inherits = [".sta", "tus()"].concat();
    for file in rust_files(&["sim/tests", "tests"]) {
        let text = fs::read_to_string(&file).expect("a readable file");
        let calls = text.lines().filter(|line| line.contains(&inherits));
        let calls: Vec<&str> = calls.collect();
        assert!(
            calls.is_empty(),
            "{}: {calls:?}: use output()",
            file.display()
        );
    }
}

/// A file that nothing names would never run.
#[test]
fn every_test_file_is_a_program_or_a_module_of_one() {
    each_is_named_once("tests", &["cases", "plain", "tools"]);
    each_is_named_once("sim/tests", &["tools"]);
}

/// Rust files of a folder of tests, its programs and their modules.
fn each_is_named_once(folder: &str, programs: &[&str]) {
    let mut named: Vec<String> = programs.iter().map(|&name| name.to_owned()).collect();
    for program in programs {
        let text = fs::read_to_string(format!("{folder}/{program}.rs")).expect("a readable file");
        let modules = text.lines().filter_map(|line| line.strip_prefix("mod "));
        named.extend(modules.filter_map(|module| Some(module.strip_suffix(';')?.to_owned())));
    }
    let files = fs::read_dir(folder).expect("the folder exists");
    for path in files.map(|entry| entry.expect("a readable entry").path()) {
        if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.file_stem().expect("a name").to_string_lossy();
            let times = named.iter().filter(|named| **named == name).count();
            assert!(times == 1, "{folder}: {name} is named {times} times");
        }
    }
}

/// The writer frames Verilog at its banner and leaves text without one as it is (`src/rtl/file_text.rs`).
#[test]
fn every_module_that_is_printed_has_a_banner_and_the_writers_frame() {
    let not_printed = ["hdl-templates/cells", "hdl-templates/formal"];
    let files = files_below(Path::new("hdl-templates"));
    let printed = files.into_iter().filter(|path| {
        let is_verilog = path.extension().is_some_and(|end| end == "v");
        is_verilog && !not_printed.iter().any(|folder| path.starts_with(folder))
    });
    let mut modules = 0;
    for path in printed {
        let text = fs::read_to_string(&path).expect("a readable template");
        assert!(!text.contains("default_nettype"), "{}", path.display());
        // other files are parts of modules
        if text.contains("\nendmodule") {
            modules += 1;
            let banners = text.matches("\n<$ banner $>\n\n").count();
            assert_eq!(banners, 1, "{}", path.display());
        }
    }
    assert!(modules > 100, "{modules} modules");
}

/// Pages that a comment or message names, as paths from the top of the repository.
#[test]
fn every_page_that_is_cited_is_in_the_repository() {
    let mut files = rust_files(&["src", "sim/src"]);
    files.extend(files_below(Path::new("hdl-templates")));
    // written by `mkns generate`
    let generated = ["docs/ports.md"];
    for path in files {
        // a font is no text
        let Ok(text) = fs::read_to_string(&path) else {
            continue;
        };
        for line in text.lines() {
            let foreign = ["the digest", "(digest 0", "ontract 1."];
            assert!(
                !line.trim_start().starts_with("/// The same"),
                "{}: a docstring that cannot be read alone: {line}",
                path.display()
            );
            assert!(
                !foreign.iter().any(|words| line.contains(words)),
                "{}: {line}",
                path.display()
            );
            let words = line
                .split(|letter: char| !letter.is_ascii_alphanumeric() && !"/._-".contains(letter));
            let pages = words.filter(|word| word.starts_with("docs/") && word.ends_with(".md"));
            for page in pages.filter(|page| !generated.contains(page)) {
                assert!(Path::new(page).exists(), "{}: {page}", path.display());
            }
        }
    }
}

/// What `make plant` takes out of the fast model, and `make formal` out of the RTL.
#[test]
fn every_fault_to_be_planted_has_its_place() {
    let table = |path: &str| -> toml::Table {
        let text = fs::read_to_string(path).expect("a readable file");
        text.parse().expect("TOML")
    };
    let faults = |of: &toml::Value| of.get("fault").and_then(toml::Value::as_array).cloned();
    let planted = toml::Value::from(table("tools/planted_faults.toml"));
    let of_model = faults(&planted).expect("faults");
    let proofs = table("hdl-templates/formal/proofs.toml");
    let proofs = proofs["proof"].as_array().expect("proofs");
    let of_rtl: Vec<_> = proofs.iter().filter_map(faults).flatten().collect();
    for (folder, faults) in [("src/simulation", of_model), ("hdl-templates", of_rtl)] {
        for fault in faults {
            let word = |key: &str| fault[key].as_str().expect("text");
            let path = format!("{folder}/{}", word("file"));
            let text = fs::read_to_string(path).expect("a readable file");
            let times = text.matches(word("good")).count();
            assert!(times == 1, "{}: {times} times", word("name"));
        }
    }
}

/// `make figures` writes the page whole: its words are those of the template.
#[test]
fn the_page_of_figures_is_not_edited_by_hand() {
    let read = |path: &str| fs::read_to_string(path).expect("a readable file");
    let (words, page) = (read("tools/figures_page.md"), read("docs/figures.md"));
    let mut rest = page.as_str();
    for piece in ["@BLOCKS@", "@NETWORKS@"]
        .iter()
        .fold(vec![words.as_str()], |pieces, mark| {
            pieces.iter().flat_map(|piece| piece.split(mark)).collect()
        })
    {
        let found = rest.split_once(piece);
        let (_, after) = found.unwrap_or_else(|| panic!("run `make figures`: no {piece:?}"));
        rest = after;
    }
    assert_eq!(rest, "");
}
