//! Numbers of a network as they are shown: the paper's formula beside what was measured.

use serde::Serialize;

/// All numbers of a network.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Metrics {
    pub network: String,
    /// The spec in notation.
    pub notation: String,
    pub rows: Vec<Metric>,
    /// Mean number of cables between two different adapter blocks.
    pub mean_distance: f64,
}

/// One number.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Metric {
    pub name: &'static str,
    /// The paper's formula as printed.
    pub formula: Option<u64>,
    /// The formula with direct meshes of dimensions 2…4 counted as such, where that differs.
    pub formula_with_meshes: Option<u64>,
    /// `None` where there is nothing to measure.
    pub measured: Option<u64>,
    /// `measured` is an upper bound, not the value itself.
    pub at_most: bool,
    /// `measured` is a lower bound, not the value itself.
    pub at_least: bool,
    /// How it was measured, or what it counts.
    pub how: String,
}

/// A number read off a graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    pub value: u64,
    /// An upper bound, not the value itself.
    pub at_most: bool,
}

impl Metric {
    /// Sign in front of the measured number: what kind of bound it is, if it is one.
    pub fn sign(&self) -> &'static str {
        match (self.at_most, self.at_least) {
            (true, _) => "≤ ",
            (_, true) => "≥ ",
            _ => "",
        }
    }
}

impl Metrics {
    /// The row called `name`.
    pub fn row(&self, name: &str) -> Option<&Metric> {
        self.rows.iter().find(|row| row.name == name)
    }

    /// A table: formula, measured, how.
    pub fn to_text(&self) -> String {
        let mut out = format!("{}  {}\n\n", self.network, self.notation);
        out += &format!(
            "  {:<19}{:>10}{:>12}   how measured\n",
            "", "formula", "measured"
        );
        for row in &self.rows {
            let formula = row
                .formula
                .map_or("–".to_owned(), |value| value.to_string());
            let sign = row.sign();
            let measured = row
                .measured
                .map_or("–".to_owned(), |value| format!("{sign}{value}"));
            out += &format!(
                "  {:<19}{formula:>10}{measured:>12}   {}",
                row.name, row.how
            );
            if let Some(value) = row.formula_with_meshes {
                out += &format!("; formula {value} with meshes counted as meshes");
            }
            out.push('\n');
        }
        out
    }
}
