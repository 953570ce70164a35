//! Printed tables and their misprints.

use crate::{Cell, Table, TableRow};

/// A misprint that is known: table, row label, column, why.
pub type Misprint = (u32, &'static str, &'static str, &'static str);

const OUT_OF_ORDER: &str = "the inputs of a row of switches are the same: 22 23 24";
const OUT_OF_STEP: &str = "the inputs go down by one modulo N: 2, 1, N";
const SHARED_SWITCH: &str =
    "with 10 terminal 9 has 3 ports, 10 has 5, and four pairs share one switch";
pub const MISPRINTS: [Misprint; 7] = [
    (2, "2", "in 3", OUT_OF_STEP),
    (4, "4", "in9", OUT_OF_ORDER),
    (4, "5", "in8", OUT_OF_ORDER),
    (4, "5", "in9", OUT_OF_ORDER),
    (4, "6", "in8", OUT_OF_ORDER),
    (4, "6", "in9", OUT_OF_ORDER),
    (8, "6", "g2_1", SHARED_SWITCH),
];

/// A CSV table with a line for every copy, its number first, beside what is constructed of each.
pub fn printed_table(
    number: u32,
    title: &str,
    printed: &str,
    constructed: impl Fn(u32) -> Vec<String>,
) -> Table {
    let mut lines = printed.lines().map(|line| line.split(','));
    let head = lines.next().expect("a table has a head");
    let columns: Vec<String> = head.skip(1).map(str::to_owned).collect();
    let rows = lines.zip(0..).map(|(mut cells, copy)| {
        let label = cells.next().expect("a row has a label").to_owned();
        let printed = cells.map(str::to_owned).collect();
        row(number, label, &columns, printed, constructed(copy))
    });
    Table {
        number,
        title: title.to_owned(),
        remark: None,
        rows: rows.collect(),
        columns: columns.clone(),
    }
}

/// One row; missing cells on either side are empty.
pub fn row(
    number: u32,
    label: String,
    columns: &[String],
    printed: Vec<String>,
    constructed: Vec<String>,
) -> TableRow {
    let cell = |(at, column): (usize, &String)| {
        let text = |cells: &[String]| cells.get(at).cloned().unwrap_or_default();
        let why = misprint(number, &label, column);
        Cell::new(text(&printed), text(&constructed), why)
    };
    let cells = columns.iter().enumerate().map(cell).collect();
    TableRow::new(label, cells)
}

fn misprint(number: u32, row: &str, column: &str) -> Option<&'static str> {
    let known = MISPRINTS
        .iter()
        .find(|known| (known.0, known.1, known.2) == (number, row, column));
    known.map(|known| known.3)
}
