//! The runs of a study as one HTML page that needs nothing else: latency over load, and a row for every run.

use askama::Template;

use super::plot::{self, Curve, MOST_SERIES, Scales};

#[derive(Template)]
#[template(path = "study.html")]
struct Page<'a> {
    title: &'a str,
    summary: &'a str,
    version: &'static str,
    pictures: Vec<String>,
    columns: &'a [String],
    rows: &'a [Vec<String>],
}

/// The page; as many pictures as the curves need.
pub fn page(
    title: &str,
    summary: &str,
    curves: &[Curve],
    columns: &[String],
    rows: &[Vec<String>],
) -> String {
    let page = Page {
        title,
        summary,
        version: env!("CARGO_PKG_VERSION"),
        pictures: curves
            .chunks(MOST_SERIES)
            .map(|curves| plot::latency(curves, Scales::Cycles))
            .collect(),
        columns,
        rows,
    };
    page.render().expect("the template fails on nothing")
}
