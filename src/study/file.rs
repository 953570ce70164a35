//! The study file: limits, how to use Slurm, options for all runs, and matrices.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;

use schemars::{JsonSchema, Schema, schema_for};
use serde::Deserialize;
use toml::Spanned;

use super::matrix::{Line, Matrix, SimOption, StudyFileError, Table};
use mkns_diag::{Code, Diagnostic, Place, TextFile, TextKind};
use mkns_jobs::slurm::Settings;
use mkns_jobs::{Job, Limits, runs_of};
use mkns_spec::is_file;

/// A study as read.
#[derive(Debug, Clone)]
pub struct Study {
    pub limits: Limits,
    pub slurm: Settings,
    /// In the order of the file, none twice; where each was asked for.
    pub jobs: Vec<Job>,
}

/// A study file of mkns: a matrix of simulations.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(title = "StudyFile")]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default)]
    limits: LimitsTable,
    #[serde(default)]
    slurm: Settings,
    /// Options of every run: those of `mkns sim`, with _ for -.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    options: Table,
    /// Lists whose every combination is a run.
    #[schemars(with = "Vec<BTreeMap<String, serde_json::Value>>")]
    matrix: Vec<Spanned<Table>>,
}

/// What one run may take.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct LimitsTable {
    /// Wall time of a run, seconds.
    seconds: u64,
    /// Address space of a run, MiB.
    memory_mib: u64,
}

impl Default for LimitsTable {
    fn default() -> Self {
        Self {
            seconds: 3600,
            memory_mib: 8192,
        }
    }
}

/// JSON schema of the file, for editors.
pub fn json_schema() -> Schema {
    schema_for!(Document)
}

/// Reads a study; `source` is its path for diagnostics and for the files that it names. `options` are those of
/// `mkns sim`, and `check` says what is wrong with a command line.
///
/// # Errors
/// With what is wrong and where.
pub fn read_study(
    source: &str,
    text: &str,
    options: &[SimOption],
    mut check: impl FnMut(&mut Job) -> Result<(), Box<Diagnostic>>,
) -> Result<Study, Vec<Diagnostic>> {
    let document: Document = toml::from_str(text).map_err(|error| {
        let span = error.span().unwrap_or(0..0);
        vec![faulty(source, text, span, error.message())]
    })?;
    let mut problems = Vec::new();
    let limits = &document.limits;
    if limits.seconds == 0 || limits.memory_mib == 0 {
        problems.push(faulty(source, text, 0..0, "limits of 0 let nothing run"));
    }
    if let Some(fact) = document.slurm.complaint() {
        problems.push(faulty(source, text, 0..0, &fact));
    }
    if document.matrix.is_empty() {
        problems.push(faulty(source, text, 0..0, "there is no [[matrix]]"));
    }
    let folder = Path::new(source).parent().unwrap_or(Path::new(""));
    let mut jobs: Vec<Job> = Vec::new();
    let mut seen = BTreeSet::new();
    let mut runs = 0;
    for matrix in &document.matrix {
        let mut counted = |read: Matrix| {
            runs += read.runs()?;
            runs_of([runs]).map(|_| read)
        };
        let lines = Matrix::new(&document.options, matrix, options).and_then(|read| {
            let span = matrix.span();
            let read = counted(read).map_err(|fact| StudyFileError { span, fact })?;
            read.lines()
        });
        let lines = match lines {
            Ok(lines) => lines,
            Err(StudyFileError { span, fact }) => {
                problems.push(faulty(source, text, span, &fact));
                continue;
            }
        };
        for line in lines {
            match job(line, folder, options, &mut check) {
                Ok(job) => jobs.extend(seen.insert(job.key.clone()).then_some(job)),
                Err(found) => {
                    let place = Place::in_text(source, text, matrix.span(), "");
                    problems.push(found.at(place));
                    // One of a matrix says what is wrong with it.
                    break;
                }
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(Study {
        limits: Limits {
            seconds: limits.seconds,
            cpu_seconds: None,
            memory_bytes: limits.memory_mib.saturating_mul(1 << 20),
        },
        slurm: document.slurm,
        jobs,
    })
}

/// The job of a line; paths count from the folder of the file, and their contents are part of its key.
fn job(
    line: Line,
    folder: &Path,
    options: &[SimOption],
    check: &mut impl FnMut(&mut Job) -> Result<(), Box<Diagnostic>>,
) -> Result<Job, Box<Diagnostic>> {
    let mut inputs = Vec::new();
    let mut words = vec!["sim".to_owned()];
    // Where a folder stands does not change what is run: contents stand for paths.
    let mut key_words = words.clone();
    let mut add = |word: &str, is_file: bool| {
        if !is_file {
            words.push(word.to_owned());
            key_words.push(word.to_owned());
            return Ok(());
        }
        let path = std::path::absolute(folder.join(word)).unwrap_or_else(|_| folder.join(word));
        // Whatever kind it is of: the run reads it again.
        let file = TextFile::new(&path, TextKind::Trace);
        let remedy = "paths count from the folder of the study file";
        let text = file.missing(Code::NotStudyFile, remedy).read();
        inputs.push(text.map_err(|mut diagnostic| {
            // The place will be the line of the study.
            diagnostic.fact = format!("{}: {}", path.display(), diagnostic.fact);
            diagnostic
        })?);
        words.push(path.display().to_string());
        Ok::<(), Box<Diagnostic>>(())
    };
    if line.spec == "-" {
        let fact = "`spec` is `-`, but a run has no standard input";
        let remedy = "write the spec into a file and give its path";
        return Err(Box::new(Diagnostic::new(Code::NotStudyFile, fact, remedy)));
    }
    // A file of the working directory is none of the study, but a run would read it.
    let is_path = [folder, Path::new("")].map(|folder| is_file(&line.spec, folder));
    add(&line.spec, is_path.contains(&true))?;
    for (name, values) in &line.options {
        let option = options.iter().find(|option| option.name == *name);
        let is_file = option.is_some_and(|option| option.is_file);
        if values.is_empty() {
            continue;
        }
        for value in values {
            add(&format!("--{name}"), false)?;
            if option.is_none_or(|option| option.takes_value) {
                add(value, is_file)?;
            }
        }
    }
    let mut labels = vec![("spec".to_owned(), line.spec.clone())];
    let joined = line
        .options
        .iter()
        .map(|(name, values)| (name.replace('-', "_"), values.join(" ")));
    labels.extend(joined);
    let mut job = Job::new(key_words, labels, &inputs);
    job.words = words;
    check(&mut job)?;
    Ok(job)
}

fn faulty(source: &str, text: &str, span: Range<usize>, fact: &str) -> Diagnostic {
    let remedy = "see docs/how-to/study-on-a-cluster.md for the keys of a study file";
    Diagnostic::new(Code::NotStudyFile, fact, remedy).at(Place::in_text(source, text, span, ""))
}
