//! Reads the curve of a sweep that `mkns sim` wrote as JSON or CSV.
//!
//! Other programs' results can be drawn beside it: of a CSV file only the columns that a curve needs
//! have to be there, and of JSON only those fields.

use std::path::Path;

use super::csv::{Csv, CsvRow};
use super::latency::{Curve, CurvePoint};
use mkns_diag::{Code, Diagnostic, Place};

/// Columns that a CSV file must have.
const NEEDED: [&str; 4] = [
    "offered_load",
    "accepted_load",
    "latency_mean",
    "latency_p99",
];

/// The curve of a file's text; `source` is the file's path, which names the curve of a CSV file.
pub fn read_curve(source: &str, text: &str) -> Result<Curve, Box<Diagnostic>> {
    let read = match text.trim_start().starts_with('{') {
        true => serde_json::from_str(text).map_err(|error| error.to_string()),
        false => from_csv(source, text),
    };
    let check = |mut curve: Curve| {
        curve
            .points
            .sort_by(|a, b| a.offered_load.total_cmp(&b.offered_load));
        let bad = curve.points.iter().find(|point| !is_sound(point));
        match (bad, curve.points.is_empty()) {
            (None, false) => Ok(curve),
            (None, true) => Err("it holds no load".to_owned()),
            (Some(point), _) => Err(format!(
                "loads and latencies are numbers of at least 0; at load {} they are not",
                point.offered_load
            )),
        }
    };
    read.and_then(check).map_err(|fact| {
        let fact = format!("not the result of a sweep: {fact}");
        let remedy = "make one with `mkns sim SPEC --load 0.05..1.0 --format json` (or csv)";
        Box::new(Diagnostic::new(Code::NotSweepResult, fact, remedy).at(Place::file(source)))
    })
}

fn is_sound(point: &CurvePoint) -> bool {
    let numbers = [
        point.offered_load,
        point.accepted_load,
        point.latency_mean,
        point.latency_p99,
        point.latency_mean_95.unwrap_or(0.0),
    ];
    numbers
        .iter()
        .all(|number| number.is_finite() && *number >= 0.0)
}

fn from_csv(source: &str, text: &str) -> Result<Curve, String> {
    let table = Csv::read(text, &NEEDED)?;
    let point = |row: CsvRow<'_>| {
        Ok(CurvePoint {
            offered_load: row.number("offered_load")?,
            accepted_load: row.number("accepted_load")?,
            latency_mean: row.number("latency_mean")?,
            latency_p99: row.number("latency_p99")?,
            latency_mean_95: match row.cell("latency_mean_95") {
                None | Some("") => None,
                Some(_) => Some(row.number("latency_mean_95")?),
            },
            saturated: row.cell("saturated") == Some("true"),
        })
    };
    let first = table.rows().next();
    let pairs = first.and_then(|row| row.cell("pairs_without_route"));
    let number = |pairs: &str| {
        let wrong = |_| format!("`{pairs}` pairs of hosts without a route");
        pairs.parse().map_err(wrong)
    };
    let stem = Path::new(source).file_stem();
    Ok(Curve {
        name: stem.map_or(String::new(), |stem| stem.to_string_lossy().into_owned()),
        traffic: String::new(),
        pairs_without_route: pairs.map_or(Ok(0), number)?,
        points: table.rows().map(point).collect::<Result<_, String>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_hold_no_curve_say_why() {
        let refused = |text: &str| {
            read_curve("sweep.csv", text)
                .expect_err("no curve")
                .to_string()
        };
        let head = "offered_load,accepted_load,latency_mean,latency_p99\n";
        for (text, fact) in [
            ("", "no column `offered_load`"),
            (
                "offered_load,latency_mean\n1,2\n",
                "no column `accepted_load`",
            ),
            (head, "holds no load"),
            (
                &format!("{head}0.1,0.1,x,9\n"),
                "`x` in column `latency_mean`",
            ),
            (&format!("{head}0.1,0.1\n"), "`` in column `latency_mean`"),
            (&format!("{head}0.1,NaN,4,9\n"), "at load 0.1 they are not"),
            ("{\"spec\": 1}", "expected a string"),
        ] {
            let said = refused(text);
            assert!(said.contains(fact), "{text:?}: {said}");
        }
    }

    #[test]
    fn points_are_drawn_by_ascending_load() {
        let text = "latency_p99,offered_load,accepted_load,latency_mean,saturated\n\
                    90,0.5,0.4,60,true\n50,0.1,0.1,40,false\n";
        let curve = read_curve("a/booksim.csv", text).expect("a curve");
        assert_eq!((curve.name.as_str(), curve.points.len()), ("booksim", 2));
        assert_eq!(curve.points[0].latency_mean, 40.0);
        assert!(curve.points[1].saturated && !curve.points[0].saturated);
    }
}
