//! The rows of a study as latency over load: a curve for each network and traffic.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use mkns_jobs::{Outcome, Status, Store};
use mkns_report::plot::{Curve, CurvePoint};
use mkns_simulation::measure::Interval;

/// Labels that make points of a curve, not curves.
const ALONG: [&str; 2] = ["load", "seed"];

/// Curves of all that has finished in a folder; seeds of a load become one point with its confidence interval.
///
/// # Errors
/// When the folder cannot be read.
pub fn curves(folder: &Path) -> io::Result<Vec<Curve>> {
    let all = Store::new(folder).all()?;
    let finished = all
        .values()
        .filter(|outcome| outcome.status == Status::Finished);
    let mut curves: BTreeMap<String, BTreeMap<u64, Vec<&Outcome>>> = BTreeMap::new();
    let finished: Vec<&Outcome> = finished.collect();
    let varying = varying(&finished);
    for outcome in &finished {
        let load = number(outcome, "offered_load");
        let asked = label(outcome, "load").and_then(|load| load.parse::<f64>().ok());
        let place = (asked.unwrap_or(load) * 1e6) as u64;
        let points = curves.entry(name(outcome, &varying)).or_default();
        points.entry(place).or_default().push(outcome);
    }
    let curve = |(name, points): (String, BTreeMap<u64, Vec<&Outcome>>)| Curve {
        name,
        traffic: String::new(),
        pairs_without_route: pairs_without_route(&points),
        points: points.into_values().map(|seeds| point(&seeds)).collect(),
    };
    Ok(curves.into_iter().map(curve).collect())
}

/// Those of the run that has most of them.
fn pairs_without_route(points: &BTreeMap<u64, Vec<&Outcome>>) -> u64 {
    let all = points.values().flatten();
    let pairs = all.map(|outcome| number(outcome, "pairs_without_route") as u64);
    pairs.max().unwrap_or(0)
}

fn label<'a>(outcome: &'a Outcome, name: &str) -> Option<&'a str> {
    let found = outcome.job.labels.iter().find(|(label, _)| label == name);
    found.map(|(_, value)| value.as_str())
}

/// Labels, beside the spec, that differ between runs: the name of a curve needs no others.
fn varying(outcomes: &[&Outcome]) -> Vec<String> {
    let mut values: BTreeMap<&str, Vec<Option<&str>>> = BTreeMap::new();
    let names = outcomes
        .iter()
        .flat_map(|outcome| &outcome.job.labels)
        .map(|(name, _)| name.as_str());
    for name in names.collect::<std::collections::BTreeSet<_>>() {
        values.insert(
            name,
            outcomes
                .iter()
                .map(|outcome| label(outcome, name))
                .collect(),
        );
    }
    let differs = |values: &[Option<&str>]| values.iter().any(|value| *value != values[0]);
    let names = values
        .iter()
        .filter(|(name, values)| **name != "spec" && !ALONG.contains(name) && differs(values));
    names.map(|(name, _)| (*name).to_owned()).collect()
}

fn name(outcome: &Outcome, varying: &[String]) -> String {
    let spec = label(outcome, "spec").unwrap_or("").to_owned();
    let further = varying
        .iter()
        .filter_map(|name| match (name.as_str(), label(outcome, name)?) {
            (_, "") => None,
            ("traffic", value) => Some(value.to_owned()),
            (name, value) => Some(format!("{name} {value}")),
        });
    [spec]
        .into_iter()
        .chain(further)
        .collect::<Vec<_>>()
        .join(", ")
}

/// A number of the one point of a simulation.
fn number(outcome: &Outcome, name: &str) -> f64 {
    let value = outcome.result.pointer(&format!("/points/0/{name}"));
    value.and_then(serde_json::Value::as_f64).unwrap_or(0.0)
}

fn point(seeds: &[&Outcome]) -> CurvePoint {
    let over = |name: &str| {
        let values: Vec<f64> = seeds.iter().map(|outcome| number(outcome, name)).collect();
        Interval::of(&values)
    };
    let latency = over("latency_mean");
    let is_saturated = |outcome: &&Outcome| {
        let flag = outcome.result.pointer("/points/0/saturated");
        flag.and_then(serde_json::Value::as_bool).unwrap_or(false)
    };
    CurvePoint {
        offered_load: over("offered_load").mean,
        accepted_load: over("accepted_load").mean,
        latency_mean: latency.mean,
        latency_p99: over("latency_p99").mean,
        latency_mean_95: latency.half_width,
        saturated: seeds.iter().any(is_saturated),
    }
}
