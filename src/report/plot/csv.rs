//! Comma-separated values whose first line names the columns; no cell holds a comma.

use std::collections::BTreeMap;
use std::str::FromStr;

/// A table.
pub struct Csv<'a> {
    columns: BTreeMap<&'a str, usize>,
    rows: Vec<Vec<&'a str>>,
}

/// A line of a table.
#[derive(Clone, Copy)]
pub struct CsvRow<'a> {
    columns: &'a BTreeMap<&'a str, usize>,
    cells: &'a [&'a str],
}

impl<'a> Csv<'a> {
    /// Reads a table, in which the `needed` columns have to be. Empty lines are skipped.
    pub fn read(text: &'a str, needed: &[&str]) -> Result<Self, String> {
        let mut lines = text.lines().filter(|line| !line.trim().is_empty());
        let cells = |line: &'a str| line.split(',').map(str::trim);
        let head = cells(lines.next().unwrap_or(""));
        let columns: BTreeMap<&str, usize> = head.zip(0..).collect();
        if let Some(missing) = needed.iter().find(|name| !columns.contains_key(*name)) {
            return Err(format!("its first line names no column `{missing}`"));
        }
        Ok(Self {
            columns,
            rows: lines.map(|line| cells(line).collect()).collect(),
        })
    }

    pub fn rows(&self) -> impl Iterator<Item = CsvRow<'_>> {
        self.rows.iter().map(|cells| CsvRow {
            columns: &self.columns,
            cells,
        })
    }
}

impl<'a> CsvRow<'a> {
    /// What stands in a column; none where the line ends before it.
    pub fn cell(&self, name: &str) -> Option<&'a str> {
        let at = self.columns.get(name)?;
        self.cells.get(*at).copied()
    }

    pub fn number<T: FromStr>(&self, name: &str) -> Result<T, String> {
        let text = self.cell(name).unwrap_or("");
        let wrong = |_| format!("`{text}` in column `{name}` is not a number");
        text.parse().map_err(wrong)
    }
}
