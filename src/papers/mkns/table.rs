//! A table cell by cell, and how it is printed.

use serde::Serialize;

use super::column::Column;
use super::explanations;
use mkns_topology::metrics::Measured;

/// One table of the paper.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Table {
    /// 1 to 7.
    pub number: u32,
    pub title: &'static str,
    pub cells: Vec<Cell>,
}

/// One cell of a table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// Row of tables 2 to 7: hosts.
    pub hosts: Option<u32>,
    pub column: Column,
    /// The network that was built, or words why none was.
    pub network: String,
    /// What the paper prints: a number, in table 1 a formula.
    pub printed: String,
    /// What the paper's formula gives for this network.
    pub formula: Option<u64>,
    /// What the graph has.
    pub measured: Option<u64>,
    /// `measured` is the best found, an upper bound.
    pub at_most: bool,
    /// Whether formula, graph, both or neither give what is printed: `F`, `G`, `FG` or `-`.
    pub verdict: &'static str,
    /// Why the three differ, where they do and it is known.
    pub explanation: Option<&'static str>,
    /// They differ and it is not known why.
    pub unexplained: bool,
}

impl Cell {
    /// A cell with its numbers, and what is known of their differences.
    pub(super) fn judged(
        place: (u32, Column, u32),
        printed: u64,
        formula: Option<u64>,
        measured: Option<Measured>,
    ) -> Self {
        let at_most = measured.is_some_and(|measured| measured.at_most);
        let measured = measured.map(|measured| measured.value);
        let agree = [formula, measured]
            .into_iter()
            .flatten()
            .all(|value| value == printed);
        // A cell that only the formula could give is worth a word as well.
        let agree = agree && formula.is_some();
        let explanation = match agree {
            true => None,
            false => explanations::find(place, formula, measured),
        };
        let verdict = match [formula, measured].map(|value| value == Some(printed)) {
            [true, true] => "FG",
            [true, false] => "F",
            [false, true] => "G",
            [false, false] => "-",
        };
        Self {
            hosts: None,
            column: place.1,
            network: String::new(),
            printed: printed.to_string(),
            formula,
            measured,
            at_most,
            verdict,
            explanation,
            unexplained: !agree && explanation.is_none(),
        }
    }
}

impl Table {
    /// Cells whose difference nobody has explained.
    pub fn unexplained(&self) -> usize {
        self.cells.iter().filter(|cell| cell.unexplained).count()
    }

    /// One line per cell, the explanation below it.
    pub fn to_text(&self) -> String {
        let mut out = format!("Table {}: {}\n\n", self.number, self.title);
        out += &format!(
            "  {:>6}  {:<10}{:<28}{:>9}{:>9}{:>9}\n",
            "hosts", "", "network", "printed", "formula", "graph"
        );
        for cell in &self.cells {
            let number = |value: Option<u64>| value.map_or("–".to_owned(), |v| v.to_string());
            let sign = if cell.at_most { "≤ " } else { "" };
            let measured = format!("{sign}{}", number(cell.measured));
            out += &format!(
                "  {:>6}  {:<10}{:<28}{:>9}{:>9}{measured:>9}  {}\n",
                cell.hosts.map_or(String::new(), |hosts| hosts.to_string()),
                cell.column.title(),
                cell.network,
                cell.printed,
                number(cell.formula),
                cell.verdict,
            );
            if let Some(explanation) = cell.explanation {
                out += &format!("  {:>6}  {explanation}\n", "");
            }
            if cell.unexplained {
                out += &format!("  {:>6}  UNEXPLAINED\n", "");
            }
        }
        out
    }
}
