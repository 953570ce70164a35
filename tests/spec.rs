//! Specs as users write them: valid files and what they mean, invalid ones and what is said of them.
//!
//! `tests/specs/invalid` has one file per case, TOML or notation (`.mkns`), and beside it the exact
//! text of its diagnostics. After a deliberate change `MKNS_BLESS=1 cargo test --test all spec::` writes
//! the expectations anew; read the difference before committing it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use mkns::diag::Diagnostic;
use mkns::spec::{self, BlockParameters, NetworkKind, NetworkSpec};

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

/// The diagnostics of an invalid case, read as the command line would.
fn diagnostics(path: &Path) -> Vec<Diagnostic> {
    let text = read(path);
    let result = if path
        .extension()
        .is_some_and(|extension| extension == "mkns")
    {
        spec::parse(text.trim_end())
    } else {
        spec::parse(&path.to_string_lossy())
    };
    match result {
        Ok(_) => panic!("{} was accepted", path.display()),
        Err(diagnostics) => diagnostics,
    }
}

#[test]
fn invalid_specs_get_their_exact_diagnostics() {
    let cases = cases("invalid", &["toml", "mkns"]);
    assert!(cases.len() >= 25, "only {} invalid specs", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let rendered = mkns::cli::render_diagnostics(&diagnostics(case));
        let expected = case.with_extension("expected");
        if std::env::var_os("MKNS_BLESS").is_some() {
            fs::write(&expected, &rendered).expect("the folder of cases is writable");
        } else if read(&expected) != rendered {
            wrong.push(format!("{}\n{rendered}", case.display()));
        }
    }
    assert!(
        wrong.is_empty(),
        "differs from the expected text:\n{}",
        wrong.join("\n")
    );
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
const OF_SETTINGS: &str = "E0228";

#[test]
fn every_spec_code_has_an_invalid_case() {
    let cases = cases("invalid", &["toml", "mkns"]);
    let seen: BTreeSet<&str> = cases
        .iter()
        .flat_map(|case| diagnostics(case))
        .map(|diagnostic| diagnostic.code)
        .collect();
    let documented = read(Path::new("docs/diagnostics.md"));
    let codes = documented
        .lines()
        .filter_map(|line| line.strip_prefix("## "));
    for code in codes
        .map(|heading| &heading[..5])
        .filter(|code| code.starts_with("E02") && *code != OF_SETTINGS)
    {
        assert!(seen.contains(code), "no invalid spec shows {code}");
    }
}

#[test]
fn every_diagnostic_of_a_spec_has_place_fact_and_remedy() {
    for case in cases("invalid", &["toml", "mkns"]) {
        for diagnostic in diagnostics(&case) {
            let Diagnostic {
                place,
                fact,
                remedy,
                ..
            } = &diagnostic;
            let shown = format!("{}: {diagnostic}", case.display());
            assert!(!place.source.is_empty(), "{shown}: no source");
            assert!(
                !fact.is_empty() && !remedy.is_empty(),
                "{shown}: fact or remedy is empty"
            );
            assert!(
                !fact.ends_with('.') && !remedy.ends_with('.'),
                "{shown}: trailing period"
            );
        }
    }
}

/// The value of a `# key: value` line at the top of a valid case.
fn stated<'a>(text: &'a str, key: &str) -> &'a str {
    let prefix = format!("# {key}: ");
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(prefix.as_str()));
    line.unwrap_or_else(|| panic!("no line `{prefix}…`"))
}

#[test]
fn valid_specs_mean_what_their_heads_say() {
    let cases = cases("valid", &["toml"]);
    assert!(!cases.is_empty());
    for case in cases {
        let text = read(&case);
        let spec = accepted(spec::parse(&case.to_string_lossy()));
        assert_eq!(
            spec.notation(),
            stated(&text, "notation"),
            "{}",
            case.display()
        );
        assert_eq!(spec.name, stated(&text, "name"), "{}", case.display());
        let plan = |plan: spec::PortPlan| format!("{:?}", plan.dimensions);
        let ports = match &spec.kind {
            NetworkKind::Mkns(mkns) => {
                plan(spec::port_plan(mkns).expect("a valid spec has a port plan"))
            }
            NetworkKind::Grid(grid) => plan(grid.port_plan()),
            NetworkKind::FatTree(_) => "none".to_owned(),
            NetworkKind::DistributedSwitch(switch) => {
                format!("{} branches, {} trunks", switch.ports, switch.trunks())
            }
        };
        assert_eq!(ports, stated(&text, "ports"), "{}", case.display());
        assert_eq!(accepted(spec::parse_toml("written", &spec.to_toml())), spec);
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
        assert_eq!(diagnostics[0].code, "E0101");
        assert_eq!(diagnostics[0].place.source, path);
    }
}

#[test]
fn examples_of_the_format_description_are_valid() {
    let page = read(Path::new("docs/spec-format.md"));
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
        accepted(spec::parse_toml("docs/spec-format.md", example));
    }
}

#[test]
fn the_format_description_states_every_block_parameter_with_its_default() {
    let page = read(Path::new("docs/spec-format.md"));
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
