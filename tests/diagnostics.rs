//! Every diagnostic code used in `src` is explained in `docs/diagnostics.md`, and every explanation
//! belongs to a code in use. So `mkns explain` never comes up empty, nor speaks of the dead.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Codes in string literals of all Rust files below `folder`.
fn codes_in_use(folder: &Path) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for entry in fs::read_dir(folder).expect("the folder exists") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            codes.extend(codes_in_use(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).expect("a readable file");
            let literals = text.split('"').filter(|piece| is_code(piece));
            codes.extend(literals.map(str::to_owned));
        }
    }
    codes
}

fn is_code(text: &str) -> bool {
    let digits = text.strip_prefix('E').unwrap_or("");
    digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Code and text of each section.
fn explanations() -> Vec<(String, String)> {
    let page = fs::read_to_string("docs/diagnostics.md").expect("the page of codes exists");
    let sections = page.split("\n## ").skip(1);
    sections
        .map(|section| {
            let (heading, text) = section.split_once('\n').expect("a section has a text");
            let (code, title) = heading
                .split_once(": ")
                .expect("a heading is `code: title`");
            assert!(is_code(code) && !title.is_empty(), "heading `{heading}`");
            (code.to_owned(), text.to_owned())
        })
        .collect()
}

#[test]
fn codes_and_explanations_are_the_same_list() {
    let used = codes_in_use(Path::new("src"));
    assert!(used.len() > 20, "only {} codes were found", used.len());
    let explained: BTreeSet<String> = explanations().into_iter().map(|(code, _)| code).collect();
    let missing: Vec<_> = used.difference(&explained).collect();
    assert!(missing.is_empty(), "docs/diagnostics.md lacks {missing:?}");
    let dead: Vec<_> = explained.difference(&used).collect();
    assert!(
        dead.is_empty(),
        "docs/diagnostics.md explains codes that nothing reports: {dead:?}"
    );
}

#[test]
fn explanations_give_cause_example_and_fix_in_order_of_code() {
    let explanations = explanations();
    for (code, text) in &explanations {
        let at = |part: &str| {
            text.find(&format!("\n{part}: "))
                .unwrap_or_else(|| panic!("{code} has no {part}"))
        };
        assert!(
            at("Cause") < at("Example") && at("Example") < at("Fix"),
            "{code}: wrong order"
        );
    }
    assert!(
        explanations.is_sorted_by(|a, b| a.0 < b.0),
        "sections are not in order of code"
    );
}
