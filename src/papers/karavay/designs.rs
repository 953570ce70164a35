//! Tables 5 to 7: the blocks of B(7,4,2), and which designs there are.

use super::super::{Table, TableRow};
use super::printed::{printed_table, row};
use mkns_block_design::{Parameters, construct};

/// Table 5: the blocks, elements from 0.
pub fn blocks() -> Table {
    let design = construct(Parameters::new(7, 4, 2)).expect("the paper's own design");
    let elements = |block: u32| {
        let block = design.blocks()[block as usize].iter();
        block.map(u32::to_string).collect()
    };
    let printed = include_str!("table5.csv");
    let mut table = printed_table(5, "blocks of B(7,4,2)", printed, elements);
    table.remark = Some("the last element of block 0 is lost in the text; transcribed as 3");
    table
}

/// Tables 6 and 7: N for m, and whether the design is there. `printed` has a CSV for every σ.
pub fn sizes(number: u32, printed: &[(u32, &str)]) -> Table {
    let columns = &["N".to_owned()];
    let rows = printed.iter().flat_map(|(sigma, text)| {
        let lines = text
            .lines()
            .skip(1)
            .map(|line| line.split_once(',').expect("two cells"));
        lines.map(move |(m, n)| {
            let m: u32 = m.parse().expect("m is a number");
            let (counted, remark) = existence(m, *sigma);
            let label = format!("σ = {sigma}, m = {m}");
            let mut row: TableRow = row(number, label, columns, vec![n.to_owned()], vec![counted]);
            row.remark = remark;
            row
        })
    });
    Table {
        number,
        title: "N = m(m - 1)/σ + 1, and which designs exist".to_owned(),
        remark: Some("the shading that says which exist is lost in the text"),
        rows: rows.collect(),
        columns: columns.to_vec(),
    }
}

/// N, empty where it is no whole number, and what becomes of the design.
fn existence(m: u32, sigma: u32) -> (String, String) {
    let pairs = m * (m - 1);
    if !pairs.is_multiple_of(sigma) {
        return (String::new(), "no whole number".to_owned());
    }
    let parameters = Parameters::new(pairs / sigma + 1, m, sigma);
    let remark = match construct(parameters) {
        Ok(design) => format!("constructed: {}", design.construction()),
        Err(refusal) => refusal.to_string(),
    };
    (parameters.elements.to_string(), remark)
}
