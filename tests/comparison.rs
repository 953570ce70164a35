//! `mkns compare` against the published tables as they lie in `tests/data`: every printed number is
//! there, every MKNS cell is reproduced or explained as the verification notes say, and a difference
//! that nobody has explained would be seen.

use mkns::report::compare::mkns::{self as comparison, COLUMNS, Cell, Column, Table};

const PUBLISHED: [(u32, &str); 6] = [
    (2, include_str!("data/mkns_table2_diameter.csv")),
    (
        3,
        include_str!("data/mkns_table3_spanning_tree_diameter.csv"),
    ),
    (4, include_str!("data/mkns_table4_connectivity.csv")),
    (5, include_str!("data/mkns_table5_bisection.csv")),
    (6, include_str!("data/mkns_table6_cables.csv")),
    (7, include_str!("data/mkns_table7_ports.csv")),
];

fn all() -> Vec<Table> {
    comparison::tables(&[1, 2, 3, 4, 5, 6, 7])
}

fn cell(tables: &[Table], number: u32, vms: u32, column: Column) -> &Cell {
    let table = tables.iter().find(|table| table.number == number);
    let mut cells = table.expect("the table exists").cells.iter();
    let cell = cells.find(|cell| cell.vms == Some(vms) && cell.column == column);
    cell.expect("the cell exists")
}

/// Verdicts of verification note 1.1, per table for 16, 64, 160, 1600 and 16000 compute modules.
const MKNS: [(u32, [&str; 5]); 6] = [
    (2, ["FG", "G", "FG", "FG", "FG"]),
    (3, ["FG", "-", "FG", "FG", "FG"]),
    (4, ["FG", "G", "FG", "FG", "FG"]),
    (5, ["F", "F", "FG", "F", "F"]),
    (6, ["FG", "G", "FG", "FG", "FG"]),
    (7, ["FG", "G", "FG", "FG", "FG"]),
];

#[test]
fn every_cell_is_reproduced_or_explained() {
    let tables = all();
    assert_eq!(tables.len(), 7);
    for (number, text) in PUBLISHED {
        let rows = text.lines().skip(1);
        for row in rows {
            let values: Vec<&str> = row.split(',').collect();
            let vms = values[0].parse().expect("a number of VMs");
            for (column, printed) in COLUMNS.into_iter().zip(&values[1..]) {
                assert_eq!(&cell(&tables, number, vms, column).printed, printed);
            }
        }
    }
    for (number, verdicts) in MKNS {
        for (vms, verdict) in [16, 64, 160, 1600, 16000].into_iter().zip(verdicts) {
            let cell = cell(&tables, number, vms, Column::Mkns);
            assert_eq!(cell.verdict, verdict, "table {number}, {vms} VMs");
            assert_eq!(cell.explanation.is_some(), verdict != "FG");
        }
    }
    for table in &tables {
        assert_eq!(table.unexplained(), 0, "{}", table.to_text());
    }
    // One of each other column, verification notes 1.2 to 1.4.
    for (number, vms, column, verdict) in [
        (6, 16, Column::Torus4d, "G"),
        (6, 160, Column::Torus4d, "F"),
        (7, 1600, Column::Torus4d, "-"),
        (3, 16000, Column::Torus6d, "-"),
        (6, 160, Column::Torus6d, "-"),
        (7, 160, Column::Torus6d, "FG"),
        (2, 16000, Column::FatTree, "F"),
        (6, 16000, Column::FatTree, "G"),
        (7, 64, Column::FatTree, "-"),
    ] {
        let cell = cell(&tables, number, vms, column);
        assert_eq!(
            cell.verdict, verdict,
            "table {number}, {vms} VMs, {column:?}"
        );
    }
}
