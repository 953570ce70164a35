//! The regression file: suites of matrices, multiplied out into cases.
//!
//! A suite is a list of matrices; each gives lists of specs, parts, traffic, loads, cycles, seeds and options of
//! `mkns cosim`, and stands for every combination, or names saved cases. Knows nothing of how a case is run.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;
use toml::Spanned;

use super::matrix::{Matrix, Table};
use mkns_cosim::CaseFile;
use mkns_design::ModuleKind;
use mkns_diag::{Code, Diagnostic, Place, TextFile, TextKind};
use mkns_jobs::{Limits, runs_of};
use mkns_report::{Case, CaseOptions, TestedPart, folder_of};
use mkns_spec::is_file;

/// A regression file as read.
#[derive(Debug, Clone)]
pub struct Suites {
    pub limits: Limits,
    suites: BTreeMap<String, Vec<Matrix>>,
}

/// A regression file of mkns: suites of co-simulations.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(title = "RegressionFile")]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    limits: LimitsTable,
    /// Suites, each a list of matrices.
    #[schemars(with = "BTreeMap<String, Vec<Table>>")]
    suite: BTreeMap<String, Vec<Spanned<Table>>>,
}

/// What one run may take.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct LimitsTable {
    /// Processor time of a run, without the compilers that it starts, seconds. One that waits is ended after ten times
    /// as long.
    seconds: u64,
    /// Address space of a run and of the compilers that it starts, MiB.
    memory_mib: u64,
}

impl Default for LimitsTable {
    fn default() -> Self {
        Self {
            seconds: 600,
            memory_mib: 8192,
        }
    }
}

/// The suite that is meant where none is named.
const SMOKE: &str = "smoke";
/// How much longer than its processor time a run may take: it may wait for its model, and for processors.
const WAITING: u64 = 10;

/// JSON schema of the file, for editors.
pub fn json_schema() -> Schema {
    schema_for!(Document)
}

/// Reads a regression file; `source` is its path for diagnostics and for files that it names.
///
/// # Errors
/// With what is wrong and where.
pub fn read_suites(source: &str, text: &str) -> Result<Suites, Vec<Diagnostic>> {
    let document: Document = toml::from_str(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        vec![faulty(source, text, span, error.message().to_owned())]
    })?;
    let mut problems = Vec::new();
    let limits = &document.limits;
    if limits.seconds == 0 || limits.memory_mib == 0 {
        let fact = "limits of 0 let nothing run".to_owned();
        problems.push(faulty(source, text, 0..0, fact));
    }
    if document.suite.is_empty() {
        let fact = "there is no suite".to_owned();
        problems.push(faulty(source, text, 0..0, fact));
    }
    let folder = Path::new(source).parent().unwrap_or(Path::new(""));
    let mut suites = BTreeMap::new();
    for (name, tables) in document.suite {
        let mut matrices: Vec<Matrix> = Vec::new();
        for table in tables {
            let span = table.span();
            match matrix(table.into_inner(), folder, &matrices) {
                Ok(matrix) => matrices.push(matrix),
                Err(fact) => problems.push(faulty(source, text, span, fact)),
            }
        }
        suites.insert(name, matrices);
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(Suites {
        limits: Limits {
            seconds: limits.seconds.saturating_mul(WAITING),
            cpu_seconds: Some(limits.seconds),
            memory_bytes: limits.memory_mib.saturating_mul(1 << 20),
        },
        suites,
    })
}

/// A matrix whose paths count from the folder of the regression file; with those before it, it is not too large.
fn matrix(mut table: Table, folder: &Path, before: &[Matrix]) -> Result<Matrix, String> {
    for spec in &mut table.specs {
        if is_file(spec, folder) {
            *spec = beside(folder, spec);
        }
    }
    table.rtl = table.rtl.map(|rtl| beside(folder, &rtl));
    let saved = table.case.iter().map(|path| {
        Ok::<_, String>(Case {
            rtl: table.rtl.clone(),
            ..saved_case(&beside(folder, path))?
        })
    });
    let saved = saved.collect::<Result<_, _>>()?;
    let matrix = Matrix::new(table, saved)?;
    let runs = before.iter().chain([&matrix]).map(Matrix::runs);
    runs_of([runs.sum::<Result<u64, String>>()?])?;
    Ok(matrix)
}

/// Paths count from the folder of the regression file.
fn beside(folder: &Path, path: &str) -> String {
    folder.join(path).display().to_string()
}

/// The run of a saved case, with what it says of itself.
fn saved_case(path: &str) -> Result<Case, String> {
    let text = TextFile::new(Path::new(path), TextKind::Toml).read();
    let text = text.map_err(|found| format!("`case`: cannot read {path}: {}", found.fact))?;
    let case = CaseFile::read(path, &text).map_err(|found| {
        let facts: Vec<String> = found.into_iter().map(|found| found.fact).collect();
        format!("`case`: {path}: {}", facts.join("; "))
    })?;
    let part = match case.block {
        None => TestedPart::Network,
        Some(ModuleKind::Switch) => TestedPart::Switch,
        Some(ModuleKind::Adapter) => TestedPart::Adapter,
        Some(ModuleKind::Pok) => TestedPart::Pok,
        Some(ModuleKind::Terminal) => TestedPart::Terminal,
    };
    let folder = folder_of(Path::new(path));
    let spec = match is_file(&case.spec, folder) {
        true => beside(folder, &case.spec),
        false => case.spec,
    };
    Ok(Case {
        load: None,
        case: Some(path.to_owned()),
        options: CaseOptions {
            set: case.set,
            link_faults: case.link_faults,
            control_traffic: case.control_traffic,
            ..CaseOptions::default()
        },
        ..Case::new(&spec, part, case.traffic.name(), case.seed, case.cycles)
    })
}

fn faulty(source: &str, text: &str, span: Range<usize>, fact: String) -> Diagnostic {
    let remedy = "see docs/reference/verification.md for the keys of a regression file";
    Diagnostic::new(Code::NotRegressionFile, fact, remedy)
        .at(Place::in_text(source, text, span, ""))
}

impl Suites {
    /// Names of all suites.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.suites.keys().map(String::as_str)
    }

    /// The cases of a suite in the order of the file, seeds counted from `first_seed`; none when
    /// there is no such suite.
    pub fn cases(&self, suite: &str, first_seed: u64) -> Option<Vec<Case>> {
        let matrices = self.suites.get(suite)?;
        let all = matrices.iter().flat_map(|matrix| matrix.cases(first_seed));
        Some(all.collect())
    }

    /// The suite that is meant where none is named: `smoke`, or the only one.
    pub fn default_name(&self) -> Option<&str> {
        match self.suites.contains_key(SMOKE) {
            true => Some(SMOKE),
            false => self.names().next().filter(|_| self.suites.len() == 1),
        }
    }

    /// How far the first seed moves so that a further round of the suite repeats none.
    pub fn seeds_a_round(&self, suite: &str) -> u64 {
        let matrices = self.suites.get(suite).into_iter().flatten();
        matrices.map(Matrix::seed_count).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    const GOOD: &str = r#"
        [limits]
        seconds = 5
        [[suite.smoke]]
        specs = ["MKNS(2,4,2,1)", "small.toml"]
        parts = ["switch", "network"]
        traffic = ["uniform", "hotspot"]
        load = [0.1, 0.4]
        cycles = 100
        seeds = 3
        [[suite.smoke]]
        specs = ["MKNS(1,8,1,1)"]
        parts = ["adapter"]
        rtl = "../rtl-out/mine"
        traffic = ["permutation"]
        cycles = 7
        seeds = [99]
    "#;

    #[test]
    fn a_suite_is_every_combination_of_its_matrices() {
        let suites = read_suites("dir/r.toml", GOOD).expect("a good file");
        let cases = suites.cases("smoke", 11).expect("there is such a suite");
        // Two specs, two kinds of traffic, three seeds: a switch once, a network with two loads.
        assert_eq!(cases.len(), 2 * 2 * 3 * 3 + 1);
        let names: std::collections::BTreeSet<String> = cases.iter().map(Case::name).collect();
        assert_eq!(names.len(), cases.len());
        assert_eq!(cases[0].seed, 11);
        assert_eq!(cases[0].load, None);
        let last = cases.last().expect("not empty");
        assert_eq!(last.seed, 99);
        assert_eq!(last.rtl.as_deref(), Some("dir/../rtl-out/mine"));
        assert!(cases.iter().any(|case| case.spec == "dir/small.toml"));
        // Processor time; the rest is waiting.
        assert_eq!(suites.limits.cpu_seconds, Some(5));
        assert_eq!(suites.limits.seconds, 50);
        assert_eq!(suites.default_name(), Some("smoke"));
        assert_eq!(suites.seeds_a_round("smoke"), 3);
        assert!(suites.cases("nightly", 1).is_none());
    }

    #[test]
    fn faults_of_a_file_are_placed() {
        for (change, to, fact) in [
            ("cycles = 100", "cycles = 0", "`cycles` is 0"),
            ("seeds = 3", "seeds = 0", "`seeds` is missing or empty"),
            ("seeds = 3", "seeds = 1000000000", "at most 100000"),
            ("seeds = 3", "seeds = 90000", "at most 100000"),
            ("cycles = 100", "", "`cycles` is missing"),
            (
                "seeds = 3",
                "seeds = 3\nmanager = 1",
                "`manager` is 1, but it must be true or false",
            ),
            (
                "seeds = [99]",
                "seeds = [99]\nlink_faults = true",
                "`link_faults` has no effect",
            ),
            (
                "seeds = [99]",
                "seeds = [99]\ncase = [\"none.toml\"]",
                "cannot read none.toml",
            ),
            ("seeds = 3", "seed = 3", "unknown field `seed`"),
            ("\"switch\"", "\"swich\"", "unknown variant `swich`"),
            ("[0.1, 0.4]", "[0.1, 40]", "`load` is 40"),
        ] {
            let text = GOOD.replace(change, to);
            let found = read_suites("r.toml", &text).expect_err("a faulty file");
            assert!(found[0].fact.contains(fact), "{}: {}", to, found[0].fact);
            assert!(found[0].place.excerpt.is_some());
        }
    }

    #[test]
    fn users_5_options_of_cosim_are_lists_of_a_matrix() {
        let text = r#"
            [[suite.mine]]
            specs = ["MKNS(2,4,2,1)"]
            parts = ["network", "flat", "switch"]
            traffic = ["uniform"]
            cycles = 100
            seeds = 2
            set = { flit_bits = [64, 128], virtual_channels = [1, 2] }
            control_traffic = true
            fail = [[], ["kb_y0@50"], ["kb_y0@50", "kb_y1@60"]]
            manager = [false, true]
            simulator = ["verilator", "icarus"]
        "#;
        let suites = read_suites("r.toml", text).expect("a good file");
        assert_eq!(suites.default_name(), Some("mine"));
        let cases = suites.cases("mine", 1).expect("there is such a suite");
        // Of a network: no failure, and two with and without a manager.
        assert_eq!(cases.len(), 4 * 2 * ((1 + 2 * 2) + 1 + 2));
        let names: std::collections::BTreeSet<String> = cases.iter().map(Case::name).collect();
        assert_eq!(names.len(), cases.len());
        let of = |part: TestedPart| cases.iter().filter(move |case| case.part == part);
        assert!(of(TestedPart::Flat).all(|case| case.options.control_traffic));
        assert!(of(TestedPart::Switch).all(|case| !case.options.control_traffic));
        let is_managed = |case: &&Case| case.options.manager;
        assert!(
            of(TestedPart::Network)
                .filter(is_managed)
                .all(|case| !case.options.fail.is_empty())
        );
        assert_eq!(cases[0].options.set, ["flit_bits=64", "virtual_channels=1"]);
    }

    #[test]
    fn users_5_a_suite_names_saved_cases() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text);
        fs::create_dir(folder.path().join("cases")).expect("a folder");
        write("lab", "").expect("a file");
        let case =
            "spec = \"../lab\"\nblock = \"switch\"\ntraffic = \"hotspot\"\ncycles = 70\nseed = 9\n";
        write("cases/a.toml", case).expect("a file");
        let source = folder.path().join("r.toml").display().to_string();
        let text = "[[suite.smoke]]\ncase = [\"cases/a.toml\"]\nrtl = \"mine\"\n";
        let suites = read_suites(&source, text).expect("a good file");
        let cases = suites.cases("smoke", 5).expect("there is such a suite");
        let [case] = &cases[..] else {
            panic!("{cases:?}");
        };
        assert_eq!(
            (case.part, case.seed, case.cycles),
            (TestedPart::Switch, 9, 70)
        );
        assert!(case.spec.ends_with("cases/../lab"), "{}", case.spec);
        let words = case.arguments();
        assert_eq!(
            (&*words[0], &*words[1], &*words[3]),
            ("cosim", "--case", "--rtl")
        );
        assert_eq!(suites.seeds_a_round("smoke"), 0);
        let both = format!("{text}seeds = 3\n");
        let found = read_suites(&source, &both).expect_err("a case has its seed");
        assert!(
            found[0].fact.contains("`seeds` has no effect"),
            "{}",
            found[0].fact
        );
    }
}
