//! Curves over a common axis, as a table; `plot` draws them.

use std::fmt::Write as _;

use serde::Serialize;

/// One chart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// As the paper numbers it.
    pub number: &'static str,
    pub title: String,
    /// What the horizontal and the vertical axis show.
    pub x: &'static str,
    pub y: &'static str,
    pub curves: Vec<Series>,
    /// What the paper says of it in words, and what is found.
    pub remark: String,
}

/// One curve.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Series {
    pub name: String,
    /// By ascending x.
    pub points: Vec<(f64, f64)>,
}

impl Figure {
    /// All x, ascending.
    pub fn places(&self) -> Vec<f64> {
        let points = self.curves.iter().flat_map(|curve| &curve.points);
        let mut places: Vec<f64> = points.map(|(x, _)| *x).collect();
        places.sort_by(f64::total_cmp);
        places.dedup();
        places
    }

    fn to_text(&self) -> String {
        let mut text = format!(
            "Figure {}: {}\n  {}\n",
            self.number, self.title, self.remark
        );
        let names = self.curves.iter().map(|curve| curve.name.chars().count());
        let width = names.max().unwrap_or(0).max(self.x.chars().count());
        let places = self.places();
        let _ = write!(text, "  {:<width$}", self.x);
        places.iter().for_each(|x| _ = write!(text, " {x:>7}"));
        text.push('\n');
        for curve in &self.curves {
            let _ = write!(text, "  {:<width$}", curve.name);
            for x in &places {
                let point = curve.points.iter().find(|(at, _)| at == x);
                let value = point.map_or_else(String::new, |(_, y)| rounded(*y));
                let _ = write!(text, " {value:>7}");
            }
            text = text.trim_end().to_owned() + "\n";
        }
        text
    }
}

/// With three digits where it is no whole number.
fn rounded(value: f64) -> String {
    match value.fract() == 0.0 {
        true => value.to_string(),
        false => format!("{value:.3}"),
    }
}

/// All figures as tables.
pub fn to_text(figures: &[Figure]) -> String {
    let texts: Vec<String> = figures.iter().map(Figure::to_text).collect();
    texts.join("\n")
}
