//! Specs as users write them: what holds of all cases together, and of the page that describes the format.
//! Each case by itself is a test of `cases.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use mkns::diag::{Code, Diagnostic};
use mkns::spec::{self, BlockParameters, NetworkSpec};

/// Files of a folder of `tests/specs` with one of `extensions`, in order of their names.
fn cases(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let folder = Path::new("tests/specs").join(folder);
    let entries = fs::read_dir(&folder).expect("the folder of cases exists");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let is_case = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| extensions.contains(&extension))
    };
    let mut cases: Vec<_> = paths.filter(is_case).collect();
    cases.sort();
    cases
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn every_expectation_belongs_to_a_case() {
    let stem = |path: &PathBuf| path.file_stem().expect("a file has a stem").to_owned();
    let inputs: Vec<_> = cases("invalid", &["toml", "mkns"])
        .iter()
        .map(stem)
        .collect();
    let expected: BTreeSet<_> = cases("invalid", &["expected"]).iter().map(stem).collect();
    let distinct: BTreeSet<_> = inputs.iter().cloned().collect();
    assert_eq!(
        inputs.len(),
        distinct.len(),
        "two cases share an expectation"
    );
    assert_eq!(distinct, expected);
}

/// `tests/spec_settings.rs` shows it: no file has settings.
const OF_SETTINGS: Code = Code::NotASetting;

#[test]
fn every_spec_code_has_an_invalid_case() {
    let expected = cases("invalid", &["expected"]);
    let said: String = expected.iter().map(|path| read(path)).collect();
    let of_specs = |code: &&Code| code.text().starts_with("E02") && **code != OF_SETTINGS;
    for code in Code::ALL.iter().filter(of_specs) {
        assert!(
            said.contains(&format!("[{code}]")),
            "no invalid spec shows {code}"
        );
    }
}

#[test]
fn a_file_that_cannot_be_read_is_one_diagnostic() {
    for path in [
        "tests/specs/missing.toml",
        "missing/machine",
        "tests/specs/valid/",
    ] {
        let diagnostics = spec::parse(path).expect_err("there is no such file");
        assert_eq!(diagnostics.len(), 1);
        let code = match path.ends_with('/') {
            true => Code::InputFile,
            false => Code::SpecUnreadable,
        };
        assert_eq!(diagnostics[0].code, code, "{path}");
        assert_eq!(diagnostics[0].place.source, path);
    }
}

#[test]
fn examples_of_the_format_description_are_valid() {
    let page = read(Path::new("docs/reference/spec.md"));
    let examples: Vec<&str> = page
        .split("```toml\n")
        .skip(1)
        .map(|rest| rest.split("```").next().expect("a split has a first part"))
        .collect();
    assert!(
        examples.len() >= 2,
        "the page shows {} examples",
        examples.len()
    );
    for example in examples {
        accepted(spec::parse_toml("docs/reference/spec.md", example));
    }
}

#[test]
fn the_format_description_states_every_block_parameter_with_its_default() {
    let page = read(Path::new("docs/reference/spec.md"));
    let defaults = serde_json::to_value(BlockParameters::default()).expect("plain values");
    for (key, default) in defaults.as_object().expect("a struct is an object") {
        let row = |default: &str| page.contains(&format!("| `{key}` | {default} |"));
        let default = default.to_string();
        assert!(
            row(&default) || row(&format!("`{default}`")),
            "no row for {key} = {default}"
        );
    }
}

fn accepted(result: Result<NetworkSpec, Vec<Diagnostic>>) -> NetworkSpec {
    result.unwrap_or_else(|found| panic!("refused:\n{}", mkns::cli::render_diagnostics(&found)))
}
