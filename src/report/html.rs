//! A regression as one HTML page that needs nothing else: no network, no other file.

use askama::Template;

use super::regression::{Regression, Run, Verdict};

/// What the page prints; the template only loops.
#[derive(Template)]
#[template(path = "regression.html")]
struct Page {
    suite: String,
    summary: String,
    all_passed: bool,
    has_coverage: bool,
    rows: Vec<RunRow>,
}

/// One run. Pairs are (what is shown, what it is sorted by).
struct RunRow {
    class: &'static str,
    verdict: &'static str,
    spec: String,
    part: &'static str,
    traffic: String,
    seed: u64,
    cycles: (String, u64),
    seconds: (String, f64),
    speed: (String, f64),
    coverage: (String, f64),
    detail: String,
    replay: String,
}

/// The page; rows in the order of the runs.
pub fn html(regression: &Regression) -> String {
    let failures = regression.failures().count();
    let page = Page {
        suite: regression.suite.clone(),
        summary: format!(
            "{} runs, {} passed, {failures} not; {:.0} s with {} workers; mkns {}; {}",
            regression.runs.len(),
            regression.count(Verdict::Passed),
            regression.seconds,
            regression.workers,
            regression.version,
            regression.file
        ),
        all_passed: failures == 0,
        has_coverage: regression.runs.iter().any(|run| run.coverage.is_some()),
        rows: regression.runs.iter().map(row).collect(),
    };
    page.render().expect("the template fails on nothing")
}

fn row(run: &Run) -> RunRow {
    let case = &run.case;
    let load = case.load.map_or(String::new(), |load| format!(" {load} %"));
    let options = case.options.words();
    let options = options.iter().map(|word| format!(" {word}"));
    let cycles = run.cycles.unwrap_or(0);
    let speed = run.speed.unwrap_or(0.0);
    let coverage = run.coverage.unwrap_or(0.0);
    let shown = |known: bool, text: String| if known { text } else { "–".to_owned() };
    RunRow {
        class: match run.verdict {
            Verdict::Passed => "passed",
            _ => "bad",
        },
        verdict: run.verdict.name(),
        spec: case.spec.clone(),
        part: case.part.name(),
        traffic: format!("{}{load}{}", case.traffic, options.collect::<String>()),
        seed: case.seed,
        cycles: (shown(run.cycles.is_some(), cycles.to_string()), cycles),
        seconds: (format!("{:.1}", run.seconds), run.seconds),
        speed: (
            shown(run.speed.is_some(), format!("{:.0}", speed / 1e3)),
            speed,
        ),
        coverage: (
            shown(run.coverage.is_some(), format!("{coverage:.1}")),
            coverage,
        ),
        detail: run.detail.clone(),
        replay: run.replay.clone(),
    }
}
