//! What the jobs of a folder found, a row each.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use serde::Serialize;
use serde_json::Value;

use super::matrix::place;
use mkns_jobs::{Job, Outcome, Status, Store};

/// A value of a row.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    Nothing,
    Integer(i64),
    Real(f64),
    Text(String),
}

impl Cell {
    /// As it stands in a table of text.
    pub fn text(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Integer(number) => number.to_string(),
            Self::Real(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        }
    }
}

/// A table of results: names of the columns, and rows in the order of their keys' jobs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rows {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
    /// Rows of each status.
    pub statuses: BTreeMap<&'static str, usize>,
}

/// Columns that differ from run to run of the same job.
pub const OF_THE_MACHINE: [&str; 6] = [
    "seconds",
    "host",
    "version",
    "router_cycles_per_second",
    "set_up_seconds",
    "detail",
];

impl Rows {
    /// A row for every job: those given, in their order, whether they have run or not; without them all of the folder.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn of(folder: &Path, jobs: Option<&[Job]>) -> io::Result<Rows> {
        let mut results = Store::new(folder).all()?;
        let outcomes: Vec<Outcome> = match jobs {
            None => {
                let mut all: Vec<Outcome> = results.into_values().collect();
                all.sort_by_cached_key(order);
                all
            }
            Some(jobs) => {
                let missing = |job: &Job| Outcome::without(job, Status::NotRun, "");
                let row = |job: &Job| results.remove(&job.key).unwrap_or_else(|| missing(job));
                jobs.iter().map(row).collect()
            }
        };
        Ok(Rows::table(&outcomes))
    }

    fn table(outcomes: &[Outcome]) -> Rows {
        let mut labels: Vec<&str> = Vec::new();
        for (name, _) in outcomes.iter().flat_map(|outcome| &outcome.job.labels) {
            if !labels.contains(&name.as_str()) {
                labels.push(name);
            }
        }
        // The same columns for the same jobs, whichever comes first.
        labels.sort_by_key(|name| place(name));
        let measured: Vec<BTreeMap<String, Cell>> = outcomes.iter().map(measured).collect();
        let own = [
            "status",
            "exit_code",
            "seconds",
            "host",
            "version",
            "detail",
        ];
        let is_new =
            |name: &&String| !labels.contains(&name.as_str()) && !own.contains(&name.as_str());
        let names = measured.iter().flat_map(BTreeMap::keys).filter(is_new);
        let names: Vec<&String> = names.collect::<BTreeSet<_>>().into_iter().collect();
        let head = ["run"].into_iter().chain(labels.iter().copied()).chain(own);
        let columns = head
            .map(str::to_owned)
            .chain(names.iter().map(|name| (*name).clone()));
        let row = |(outcome, measured): (&Outcome, &BTreeMap<String, Cell>)| {
            let label = |name: &&str| {
                let found = outcome.job.labels.iter().find(|(label, _)| label == name);
                found.map_or(Cell::Nothing, |(_, value)| Cell::Text(value.clone()))
            };
            let mut row = vec![Cell::Text(outcome.job.key.clone())];
            row.extend(labels.iter().map(label));
            row.extend([
                Cell::Text(outcome.status.name().to_owned()),
                outcome
                    .exit_code
                    .map_or(Cell::Nothing, |code| Cell::Integer(code.into())),
                Cell::Real(outcome.seconds),
                Cell::Text(outcome.host.clone()),
                Cell::Text(outcome.version.clone()),
                Cell::Text(outcome.detail.clone()),
            ]);
            row.extend(
                names
                    .iter()
                    .map(|name| measured.get(*name).cloned().unwrap_or(Cell::Nothing)),
            );
            row
        };
        let mut statuses = BTreeMap::new();
        for outcome in outcomes {
            *statuses.entry(outcome.status.name()).or_default() += 1;
        }
        Rows {
            columns: columns.collect(),
            rows: outcomes.iter().zip(&measured).map(row).collect(),
            statuses,
        }
    }

    /// How many rows have which status.
    pub fn summary(&self) -> String {
        let statuses = self.statuses.iter();
        let statuses: Vec<String> = statuses
            .map(|(status, count)| format!("{count} {status}"))
            .collect();
        format!("{} runs: {}", self.rows.len(), statuses.join(", "))
    }

    /// Jobs with this status.
    pub fn count(&self, status: Status) -> usize {
        self.statuses.get(status.name()).copied().unwrap_or(0)
    }

    /// As CSV with a head; cells with commas are quoted.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let written = writer.write_record(&self.columns).and_then(|()| {
            let mut rows = self.rows.iter();
            rows.try_for_each(|row| writer.write_record(row.iter().map(Cell::text)))
        });
        written.expect("memory takes all rows of one length");
        let bytes = writer.into_inner().expect("memory takes all rows");
        String::from_utf8(bytes).expect("all cells are text")
    }
}

/// Labels, numbers by their value, so that rows of merged folders stand as in a file.
fn order(outcome: &Outcome) -> Vec<(u64, String)> {
    let labels = outcome.job.labels.iter();
    let place = |(_, value): &(String, String)| {
        let number = value.parse::<f64>().unwrap_or(0.0);
        ((number.max(0.0) * 1e6) as u64, value.clone())
    };
    labels
        .map(place)
        .chain([(0, outcome.job.key.clone())])
        .collect()
}

/// Names of results that say the same as a label or hold lists.
const LEFT_OUT: [&str; 7] = [
    "spec",
    "traffic",
    "injection",
    "seed",
    "seeds",
    "points",
    "confidence",
];

/// What a simulation found: the numbers of its one point and of the network.
fn measured(outcome: &Outcome) -> BTreeMap<String, Cell> {
    let mut cells = BTreeMap::new();
    let objects = [Some(&outcome.result), outcome.result.pointer("/points/0")];
    for (name, value) in objects
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .flatten()
    {
        let cell = match value {
            Value::Bool(flag) => Cell::Integer((*flag).into()),
            Value::Number(number) => match number.as_i64() {
                Some(number) => Cell::Integer(number),
                None => Cell::Real(number.as_f64().unwrap_or(f64::NAN)),
            },
            Value::String(text) => Cell::Text(text.clone()),
            _ => continue,
        };
        if !LEFT_OUT.contains(&name.as_str()) {
            cells.insert(name.clone(), cell);
        }
    }
    cells
}
