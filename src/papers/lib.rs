//! The papers' tables beside what `mkns` constructs, cell by cell.
//!
//! A cell that differs is either a known misprint, with a word why, or a failure. Each paper has a
//! module that makes its [`Comparison`]; here is what they share.

mod expression;
mod graph;
pub mod karavay;
pub mod mkns;
pub mod random_shortcut;
mod short_run;
pub mod slim_fly;
pub mod vtftr;

use std::fmt::{self, Write as _};
use std::str::FromStr;

use serde::Serialize;

/// All tables of a paper.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Comparison {
    pub paper: &'static str,
    /// Whether every difference is a known misprint.
    pub passed: bool,
    pub tables: Vec<Table>,
}

/// One table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Table {
    pub number: u32,
    pub title: String,
    /// Remark on the source, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remark: Option<&'static str>,
    pub columns: Vec<String>,
    pub rows: Vec<TableRow>,
}

/// One row: its label, its cells and a remark at its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct TableRow {
    pub label: String,
    pub cells: Vec<Cell>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub remark: String,
}

/// One cell; empty text where nothing stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cell {
    pub printed: String,
    pub constructed: String,
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// How a cell compares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "verdict", content = "why")]
pub enum Verdict {
    Same,
    /// A number of single draws, within the range of many.
    Within,
    /// Of ours alone: nothing is printed.
    Own,
    /// Known to be printed wrongly.
    Misprint(&'static str),
    Different,
}

impl TableRow {
    /// A row without a remark.
    fn new(label: impl Into<String>, cells: Vec<Cell>) -> Self {
        Self {
            label: label.into(),
            cells,
            remark: String::new(),
        }
    }
}

impl Cell {
    /// Compares texts; `misprint` says why the paper is wrong where it is known to be.
    pub fn new(printed: String, constructed: String, misprint: Option<&'static str>) -> Self {
        let verdict = match misprint {
            _ if printed == constructed => Verdict::Same,
            Some(why) => Verdict::Misprint(why),
            None => Verdict::Different,
        };
        Self {
            printed,
            constructed,
            verdict,
        }
    }

    /// Compares a number of a single draw with the least and greatest of many draws; `why` says what is known
    /// of a number outside.
    pub fn within<T>(printed: &str, (least, greatest): (T, T), why: Option<&'static str>) -> Self
    where
        T: fmt::Display + PartialOrd + FromStr,
    {
        let number = printed.parse::<T>().ok();
        let is_inside = number.is_some_and(|number| least <= number && number <= greatest);
        Self {
            printed: printed.to_owned(),
            constructed: format!("{least}..{greatest}"),
            verdict: match why {
                _ if is_inside => Verdict::Within,
                Some(why) => Verdict::Misprint(why),
                None => Verdict::Different,
            },
        }
    }

    /// A number that the paper does not have.
    pub fn own(constructed: String) -> Self {
        Self {
            printed: String::new(),
            constructed,
            verdict: Verdict::Own,
        }
    }

    fn to_text(&self) -> String {
        let word = |text: &str| {
            if text.is_empty() {
                "–".to_owned()
            } else {
                text.to_owned()
            }
        };
        match self.verdict {
            Verdict::Same => word(&self.printed),
            Verdict::Own => self.constructed.clone(),
            Verdict::Within => format!("{}∈{}", self.printed, self.constructed),
            _ => format!("{}≠{}", word(&self.printed), word(&self.constructed)),
        }
    }
}

impl Table {
    fn new(number: u32, title: impl Into<String>, columns: &[&str], rows: Vec<TableRow>) -> Self {
        Self {
            number,
            title: title.into(),
            remark: None,
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            rows,
        }
    }

    fn with_remark(self, remark: &'static str) -> Self {
        let remark = Some(remark);
        Self { remark, ..self }
    }

    /// Cells that are the same, misprints, and other differences.
    pub fn counts(&self) -> [usize; 3] {
        let cells = self.rows.iter().flat_map(|row| &row.cells);
        let cells = cells.filter(|cell| cell.verdict != Verdict::Own);
        cells.fold([0; 3], |mut counts, cell| {
            let at = match cell.verdict {
                Verdict::Same | Verdict::Within | Verdict::Own => 0,
                Verdict::Misprint(_) => 1,
                Verdict::Different => 2,
            };
            counts[at] += 1;
            counts
        })
    }

    fn to_text(&self) -> String {
        let [same, misprints, different] = self.counts();
        let all = same + misprints + different;
        let mut out = format!("Table {}: {}\n", self.number, self.title);
        if let Some(remark) = self.remark {
            writeln!(out, "  ({remark})").expect("writing to a string does not fail");
        }
        let grid = self.grid();
        let width = |at: usize| {
            let cells = grid
                .iter()
                .map(|row| row.get(at).map_or(0, |cell| cell.chars().count()));
            cells.max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..=self.columns.len()).map(width).collect();
        for row in &grid {
            let cells = row
                .iter()
                .zip(&widths)
                .map(|(cell, width)| format!("{cell:>width$}"));
            let remark = row.get(widths.len()).map_or("", String::as_str);
            let line = format!("  {}  {remark}", cells.collect::<Vec<_>>().join(" "));
            out += line.trim_end();
            out.push('\n');
        }
        writeln!(
            out,
            "  {same} of {all} cells as printed, {misprints} misprints, {different} other differences"
        )
        .expect("writing to a string does not fail");
        for (row, column, cell) in self.differences() {
            let why = match cell.verdict {
                Verdict::Misprint(why) => format!("misprint: {why}"),
                _ => "NOT EXPLAINED".to_owned(),
            };
            let (printed, constructed) = (&cell.printed, &cell.constructed);
            writeln!(
                out,
                "    {row}, {column}: printed {printed}, constructed {constructed}; {why}"
            )
            .expect("writing to a string does not fail");
        }
        out
    }

    /// Head and rows as text; a remark stands behind the last column.
    fn grid(&self) -> Vec<Vec<String>> {
        let mut head = vec![String::new()];
        head.extend(self.columns.iter().cloned());
        let row = |row: &TableRow| {
            let mut line = vec![row.label.clone()];
            line.extend(row.cells.iter().map(Cell::to_text));
            line.push(row.remark.clone());
            line
        };
        std::iter::once(head)
            .chain(self.rows.iter().map(row))
            .collect()
    }

    fn differences(&self) -> impl Iterator<Item = (&str, &str, &Cell)> {
        self.rows.iter().flat_map(|row| {
            let cells = self.columns.iter().zip(&row.cells);
            let is_other = |cell: &Cell| {
                !matches!(cell.verdict, Verdict::Same | Verdict::Within | Verdict::Own)
            };
            let wrong = cells.filter(move |(_, cell)| is_other(cell));
            wrong.map(|(column, cell)| (row.label.as_str(), column.as_str(), cell))
        })
    }
}

/// A table of the paper with its number.
type Numbered = (u32, fn() -> Table);

impl Comparison {
    /// The tables that are wanted, by their numbers.
    fn of_wanted(paper: &'static str, all: &[Numbered], is_wanted: &dyn Fn(u32) -> bool) -> Self {
        let wanted = all.iter().filter(|(number, _)| is_wanted(*number));
        Self::new(paper, wanted.map(|(_, table)| table()).collect())
    }

    /// The verdict over `tables`.
    pub fn new(paper: &'static str, tables: Vec<Table>) -> Self {
        let passed = tables.iter().all(|table| table.counts()[2] == 0);
        Self {
            paper,
            passed,
            tables,
        }
    }

    /// All tables, what differs below each, a verdict at the end.
    pub fn to_text(&self) -> String {
        let mut out = format!("{}\n", self.paper);
        for table in &self.tables {
            out += &format!("\n{}", table.to_text());
        }
        let counts = self.tables.iter().map(Table::counts);
        let total = counts.fold([0; 3], |sum, counts| {
            [0, 1, 2].map(|at| sum[at] + counts[at])
        });
        let [same, misprints, different] = total;
        let all = same + misprints + different;
        let verdict = if self.passed {
            "every difference is a known misprint"
        } else {
            "there are differences that nobody has explained"
        };
        out + &format!("\n{same} of {all} cells as printed, {misprints} misprints: {verdict}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::{Cell, Verdict};

    #[test]
    fn a_number_outside_the_range_of_many_draws_is_a_difference() {
        let verdict = |printed| Cell::within(printed, (3, 5), None).verdict;
        assert_eq!(verdict("5"), Verdict::Within);
        assert_eq!(verdict("6"), Verdict::Different);
        assert_eq!(verdict("many"), Verdict::Different);
        let known = Cell::within("2.5", (3.0, 5.0), Some("a misprint"));
        assert_eq!(known.verdict, Verdict::Misprint("a misprint"));
    }
}
