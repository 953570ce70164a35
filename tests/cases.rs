//! Cases that are files, a test each: specs with what they mean or what is said of them, and transcripts of
//! the command line. After a deliberate change `make bless` writes the expectations anew; read the
//! difference before committing it.
//!
//! - `tests/specs/invalid`: TOML or notation (`.mkns`), beside it the exact text of its diagnostics
//! - `tests/specs/valid`: TOML whose head states notation, name and ports
//! - `tests/cli`: transcripts (`.trycmd`) that must repeat
//! - `docs`: commands that a page shows (`tests/common/pages.rs`)

mod common {
    pub mod bless;
    pub mod page_runs;
    pub mod pages;
}

use std::fs;
use std::path::Path;

use common::bless::matches_recorded;
use common::{page_runs, pages};
use mkns::diag::Diagnostic;
use mkns::spec::{self, NetworkKind, NetworkSpec};

datatest_stable::harness! {
    { test = invalid_spec, root = "tests/specs/invalid", pattern = r"\.(toml|mkns)$" },
    { test = valid_spec, root = "tests/specs/valid", pattern = r"\.toml$" },
    { test = transcript, root = "tests/cli", pattern = r"\.trycmd$" },
    { test = page, root = "docs", pattern = r"\.md$" },
}

/// What a test of a file returns; failures panic with words of their own.
type Tested = datatest_stable::Result<()>;

/// The diagnostics are exactly those beside the spec, and each has place, fact and remedy.
fn invalid_spec(path: &Path) -> Tested {
    let read = match path.extension().is_some_and(|found| found == "mkns") {
        true => spec::parse(fs::read_to_string(path)?.trim_end()),
        false => spec::parse(&path.to_string_lossy()),
    };
    let found = read.expect_err("an invalid spec is refused");
    for Diagnostic {
        place,
        fact,
        remedy,
        code,
    } in &found
    {
        assert!(!place.source.is_empty(), "{code}: no source");
        assert!(!fact.is_empty() && !remedy.is_empty(), "{code}: no words");
        assert!(!fact.ends_with('.') && !remedy.ends_with('.'), "{code}");
    }
    matches_recorded(
        &path.with_extension("expected"),
        &mkns::cli::render_diagnostics(&found),
    );
    Ok(())
}

/// The spec means what its head says, and survives being written as TOML.
fn valid_spec(path: &Path) -> Tested {
    let text = fs::read_to_string(path)?;
    let spec = accepted(spec::parse(&path.to_string_lossy()));
    assert_eq!(spec.notation(), stated(&text, "notation"));
    assert_eq!(spec.name, stated(&text, "name"));
    let plan = |plan: spec::PortPlan| format!("{:?}", plan.dimensions);
    let ports = match &spec.kind {
        NetworkKind::Mkns(mkns) => {
            plan(spec::port_plan(mkns).expect("a valid spec has a port plan"))
        }
        NetworkKind::Grid(grid) => plan(grid.port_plan()),
        NetworkKind::FatTree(_)
        | NetworkKind::SlimFly(_)
        | NetworkKind::RandomShortcut(_)
        | NetworkKind::Loop(_) => "none".to_owned(),
        NetworkKind::DistributedSwitch(switch) => {
            format!("{} branches, {} trunks", switch.ports, switch.trunks())
        }
    };
    assert_eq!(ports, stated(&text, "ports"));
    assert_eq!(accepted(spec::parse_toml("written", &spec.to_toml())), spec);
    Ok(())
}

/// Every command of the file prints what is recorded.
fn transcript(path: &Path) -> Tested {
    trycmd::TestCases::new().case(path);
    Ok(())
}

/// Every command of the page that needs no tools does what the page says.
fn page(path: &Path) -> Tested {
    page_runs::run(
        path,
        pages::Runner::Cargo,
        Path::new(env!("CARGO_BIN_EXE_mkns")),
    );
    Ok(())
}

/// The value of a `# key: value` line at the top of a valid case.
fn stated<'a>(text: &'a str, key: &str) -> &'a str {
    let prefix = format!("# {key}: ");
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(prefix.as_str()));
    line.unwrap_or_else(|| panic!("no line `{prefix}…`"))
}

fn accepted(result: Result<NetworkSpec, Vec<Diagnostic>>) -> NetworkSpec {
    result.unwrap_or_else(|found| panic!("refused:\n{}", mkns::cli::render_diagnostics(&found)))
}
