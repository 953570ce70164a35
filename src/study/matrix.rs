//! A matrix of options, multiplied out into command lines.

use std::collections::BTreeMap;
use std::ops::Range;

use toml::{Spanned, Value};

use mkns_diag::nearest;
use mkns_jobs::{runs_of, steps_of};

/// An option of `mkns sim`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimOption {
    /// Without the dashes before it.
    pub name: String,
    pub takes_value: bool,
    /// Whether it can be given several times.
    pub repeats: bool,
    /// Whether its value is the path of a file that is read.
    pub is_file: bool,
}

/// Keys and values with their places.
pub type Table = BTreeMap<Spanned<String>, Spanned<Value>>;

/// What is wrong in a file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyFileError {
    pub span: Range<usize>,
    pub fact: String,
}

/// One command line: its spec, and every option with its values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    pub spec: String,
    pub options: Vec<(String, Vec<String>)>,
}

/// Where an option or label stands among others.
pub fn place(name: &str) -> (usize, String) {
    let first = FIRST.iter().position(|first| *first == name);
    let place = first.unwrap_or(FIRST.len() + usize::from(name == LAST));
    (place, name.to_owned())
}

/// Options in the order of the columns, each with its alternatives; an alternative is the values of an option.
#[derive(Debug)]
pub struct Matrix {
    axes: Vec<(String, Vec<Vec<String>>)>,
}

/// Order of the columns; others follow by name.
const FIRST: [&str; 4] = ["spec", "down", "traffic", "load"];
const LAST: &str = "seed";

impl Matrix {
    /// The options of all runs and those of a matrix, which come before them.
    pub fn new(
        all: &Table,
        own: &Spanned<Table>,
        known: &[SimOption],
    ) -> Result<Matrix, StudyFileError> {
        let mut given: BTreeMap<String, &Spanned<Value>> = BTreeMap::new();
        for table in [all, own.get_ref()] {
            for (key, value) in table {
                let name = key.get_ref().replace('_', "-");
                is_known(&name, known).map_err(|fact| StudyFileError {
                    span: key.span(),
                    fact,
                })?;
                given.insert(name, value);
            }
        }
        let step = given.remove("step").map(number).transpose()?;
        let mut axes = Vec::new();
        for (name, value) in given {
            let error = |fact| StudyFileError {
                span: value.span(),
                fact,
            };
            let (name, alternatives) = match name.as_str() {
                "seeds" => (LAST.to_owned(), seeds(value.get_ref()).map_err(error)?),
                _ => {
                    let repeats = known
                        .iter()
                        .any(|option| option.name == name && option.repeats);
                    let listed =
                        alternatives(&name, value.get_ref(), repeats, step).map_err(error)?;
                    (name, listed)
                }
            };
            if alternatives.is_empty() {
                return Err(error(format!("`{name}` is empty: the matrix has no run")));
            }
            axes.push((name, alternatives));
        }
        axes.sort_by_key(|(name, _)| place(name));
        if axes.first().is_none_or(|(name, _)| name != "spec") {
            let fact = "the matrix has no `spec`".to_owned();
            return Err(StudyFileError {
                span: own.span(),
                fact,
            });
        }
        let twice = axes.windows(2).find(|pair| pair[0].0 == pair[1].0);
        if twice.is_some() {
            let fact = "give `seeds`, how many, or `seed`, which, not both".to_owned();
            return Err(StudyFileError {
                span: own.span(),
                fact,
            });
        }
        Ok(Matrix { axes })
    }

    /// How many combinations there are.
    pub fn runs(&self) -> Result<u64, String> {
        runs_of(self.axes.iter().map(|(_, values)| values.len() as u64))
    }

    /// Every combination, the last option changing fastest.
    pub fn lines(&self) -> Result<Vec<Line>, StudyFileError> {
        let mut lines = vec![Line {
            spec: String::new(),
            options: Vec::new(),
        }];
        for (name, alternatives) in &self.axes {
            let longer = |line: &Line| {
                let line = line.clone();
                let with = move |values: &Vec<String>| {
                    let mut line = line.clone();
                    match name.as_str() {
                        "spec" => line.spec = values[0].clone(),
                        _ => line.options.push((name.clone(), values.clone())),
                    }
                    line
                };
                alternatives.iter().map(with).collect::<Vec<_>>()
            };
            lines = lines.iter().flat_map(longer).collect();
        }
        Ok(lines)
    }
}

/// Keys that older study files have, and what to write now.
const RENAMED: [(&str, &str); 2] = [("trace", "packets"), ("hot_vm", "hot_host")];

fn is_known(name: &str, known: &[SimOption]) -> Result<(), String> {
    let names = || {
        known
            .iter()
            .map(|option| option.name.as_str())
            .chain(["spec", "seeds", "step"])
    };
    if names().any(|known| known == name) {
        return Ok(());
    }
    let shown = name.replace('-', "_");
    if let Some((_, new)) = RENAMED.iter().find(|(old, _)| *old == shown) {
        return Err(format!("`{shown}` is called `{new}` now: write `{new}`"));
    }
    Err(match nearest(name, names()) {
        Some(near) => {
            let near = near.replace('-', "_");
            format!("`{shown}` is no option of a run; did you mean `{near}`?")
        }
        None => format!("`{shown}` is no option of a run (`mkns sim --help` lists them)"),
    })
}

/// `5` is five seeds from 1 on.
fn seeds(value: &Value) -> Result<Vec<Vec<String>>, String> {
    match value.as_integer() {
        Some(count) if count > 0 => {
            runs_of([count as u64])?;
            Ok((1..=count).map(|seed| vec![seed.to_string()]).collect())
        }
        _ => Err(format!(
            "`seeds` is {value}, but it must be how many, at least 1"
        )),
    }
}

fn number(value: &Spanned<Value>) -> Result<f64, StudyFileError> {
    let read = match value.get_ref() {
        Value::Float(number) => Some(*number),
        Value::Integer(number) => Some(*number as f64),
        _ => None,
    };
    read.filter(|step| *step > 0.0)
        .ok_or_else(|| StudyFileError {
            span: value.span(),
            fact: format!(
                "`step` is {}, but it must be a number above 0",
                value.get_ref()
            ),
        })
}

/// A value or a list of them; of an option that repeats each may be a list, whose values are given together.
fn alternatives(
    name: &str,
    value: &Value,
    repeats: bool,
    step: Option<f64>,
) -> Result<Vec<Vec<String>>, String> {
    let one = |value: &Value| match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(_) | Value::Float(_) => Ok(value.to_string()),
        Value::Boolean(true) => Ok("true".to_owned()),
        other => Err(format!(
            "`{name}` is {other}, but it must be text or a number"
        )),
    };
    match value {
        Value::Boolean(false) => Ok(vec![Vec::new()]),
        Value::String(text) if name == "load" && text.contains("..") => sweep(text, step),
        Value::Array(list) => list
            .iter()
            .map(|value| match value {
                Value::Array(together) if repeats => together.iter().map(one).collect(),
                Value::Boolean(false) => Ok(Vec::new()),
                value => one(value).map(|value| vec![value]),
            })
            .collect(),
        value => one(value).map(|value| vec![vec![value]]),
    }
}

/// The loads from one to another.
fn sweep(text: &str, step: Option<f64>) -> Result<Vec<Vec<String>>, String> {
    let ends = text.split_once("..").and_then(|(from, to)| {
        let number = |text: &str| text.trim().parse::<f64>().ok();
        number(from).zip(number(to))
    });
    let step = step.unwrap_or(0.05);
    let (from, to) = ends
        .filter(|(from, to)| from <= to)
        .ok_or_else(|| format!("`load` is \"{text}\", but a sweep is such as \"0.05..0.6\""))?;
    let steps = runs_of([steps_of((from, to), step)])?;
    // Sums of a decimal step have digits that nobody asked for.
    let load = |at| vec![(((from + at as f64 * step) * 1e9).round() / 1e9).to_string()];
    Ok((0..steps).map(load).collect())
}
