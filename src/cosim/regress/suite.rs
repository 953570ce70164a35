//! The regression file: suites of matrices, multiplied out into cases.
//!
//! A suite is a list of matrices; each gives lists of specs, parts, traffic, loads, cycles and seeds,
//! and stands for every combination. Knows nothing of how a case is run.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use mkns_diag::{Code, Diagnostic, Place};
use mkns_jobs::Limits;
use mkns_report::{Case, Part};

/// A regression file as read.
#[derive(Debug, Clone)]
pub struct Suites {
    pub limits: Limits,
    suites: BTreeMap<String, Vec<Matrix>>,
}

/// The file's own form.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    limits: LimitsTable,
    suite: BTreeMap<String, Vec<Spanned<Matrix>>>,
}

/// What one run may take.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LimitsTable {
    /// Wall time of a run, models included, seconds.
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

/// Lists whose every combination is a case.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Matrix {
    specs: Vec<String>,
    parts: Vec<Part>,
    traffic: Vec<TrafficName>,
    /// How many seeds, from the first one on, or the seeds themselves.
    seeds: Seeds,
    cycles: u64,
    /// Flits of a host per cycle; only for networks.
    #[serde(default = "default_load")]
    load: Vec<f64>,
    /// Folder that the RTL is read from; as generated where there is none.
    rtl: Option<String>,
}

fn default_load() -> Vec<f64> {
    vec![0.3]
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum TrafficName {
    Uniform,
    Permutation,
    Hotspot,
}

impl TrafficName {
    fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Permutation => "permutation",
            Self::Hotspot => "hotspot",
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Seeds {
    Count(u64),
    List(Vec<u64>),
}

/// Reads a regression file; `source` is its path for diagnostics and for specs beside it.
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
    for matrix in document.suite.values().flatten() {
        if let Some(fact) = complaint(matrix.get_ref()) {
            problems.push(faulty(source, text, matrix.span(), fact));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let folder = Path::new(source).parent().unwrap_or(Path::new(""));
    let suites = document.suite.into_iter().map(|(name, matrices)| {
        let matrices = matrices.into_iter().map(|matrix| {
            let mut matrix = matrix.into_inner();
            for spec in &mut matrix.specs {
                if spec.ends_with(".toml") {
                    *spec = beside(folder, spec);
                }
            }
            matrix.rtl = matrix.rtl.map(|rtl| beside(folder, &rtl));
            matrix
        });
        (name, matrices.collect())
    });
    Ok(Suites {
        limits: Limits {
            seconds: limits.seconds,
            memory_bytes: limits.memory_mib << 20,
        },
        suites: suites.collect(),
    })
}

/// Paths count from the folder of the regression file.
fn beside(folder: &Path, path: &str) -> String {
    folder.join(path).display().to_string()
}

/// What is wrong with a matrix, if anything.
fn complaint(matrix: &Matrix) -> Option<String> {
    let no_seeds = match &matrix.seeds {
        Seeds::Count(count) => *count == 0,
        Seeds::List(list) => list.is_empty(),
    };
    let empty = [
        ("specs", matrix.specs.is_empty()),
        ("parts", matrix.parts.is_empty()),
        ("traffic", matrix.traffic.is_empty()),
        ("load", matrix.load.is_empty()),
        ("seeds", no_seeds),
    ];
    if let Some((key, _)) = empty.iter().find(|(_, empty)| *empty) {
        return Some(format!("`{key}` is empty: the matrix has no run"));
    }
    if matrix.cycles == 0 {
        return Some("`cycles` is 0, but it must be at least 1".to_owned());
    }
    let outside = |load: &&f64| !(0.001..=1.0).contains(*load);
    let load = matrix.load.iter().find(outside)?;
    Some(format!(
        "`load` is {load}, but it must be 0.001 to 1: flits of a host per cycle"
    ))
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

    /// How far the first seed moves so that a further round of the suite repeats none.
    pub fn seeds_a_round(&self, suite: &str) -> u64 {
        let count = |matrix: &Matrix| match matrix.seeds {
            Seeds::Count(count) => count,
            Seeds::List(_) => 0,
        };
        let matrices = self.suites.get(suite);
        matrices.map_or(0, |all| all.iter().map(count).max().unwrap_or(0))
    }
}

impl Matrix {
    fn cases(&self, first_seed: u64) -> Vec<Case> {
        let seeds: Vec<u64> = match &self.seeds {
            Seeds::Count(count) => (0..*count).map(|n| first_seed.wrapping_add(n)).collect(),
            Seeds::List(list) => list.clone(),
        };
        let mut cases = Vec::new();
        for spec in &self.specs {
            for &part in &self.parts {
                let loads: Vec<Option<f64>> = match part.has_load() {
                    true => self.load.iter().copied().map(Some).collect(),
                    false => vec![None],
                };
                for traffic in &self.traffic {
                    for &load in &loads {
                        cases.extend(seeds.iter().map(|&seed| Case {
                            spec: spec.clone(),
                            part,
                            traffic: traffic.name().to_owned(),
                            seed,
                            cycles: self.cycles,
                            load,
                            rtl: self.rtl.clone(),
                        }));
                    }
                }
            }
        }
        cases
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(suites.limits.seconds, 5);
        assert_eq!(suites.seeds_a_round("smoke"), 3);
        assert!(suites.cases("nightly", 1).is_none());
    }

    #[test]
    fn faults_of_a_file_are_placed() {
        for (change, to, fact) in [
            ("cycles = 100", "cycles = 0", "`cycles` is 0"),
            ("seeds = 3", "seeds = 0", "`seeds` is empty"),
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
}
