//! `mkns compare` against the published tables as they lie in `tests/data`: every printed number is
//! there, every MKNS cell is reproduced or explained as the verification notes say, and a difference
//! that nobody has explained would be seen.

use std::sync::LazyLock;

use mkns::papers::mkns::{self as comparison, COLUMNS, Cell, Column, Table};

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

/// Measured once for all tests, which takes seconds.
static TABLES: LazyLock<Vec<Table>> = LazyLock::new(|| comparison::tables(&[1, 2, 3, 4, 5, 6, 7]));

fn cell(tables: &[Table], number: u32, hosts: u32, column: Column) -> &Cell {
    let table = tables.iter().find(|table| table.number == number);
    let mut cells = table.expect("the table exists").cells.iter();
    let cell = cells.find(|cell| cell.hosts == Some(hosts) && cell.column == column);
    cell.expect("the cell exists")
}

/// Verdicts of verification note 1.1, per table for 16, 64, 160, 1600 and 16000 hosts.
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
    let tables = &*TABLES;
    assert_eq!(tables.len(), 7);
    for (number, text) in PUBLISHED {
        let rows = text.lines().skip(1);
        for row in rows {
            let values: Vec<&str> = row.split(',').collect();
            let hosts = values[0].parse().expect("a number of hosts");
            for (column, printed) in COLUMNS.into_iter().zip(&values[1..]) {
                assert_eq!(&cell(tables, number, hosts, column).printed, printed);
            }
        }
    }
    for (number, verdicts) in MKNS {
        for (hosts, verdict) in [16, 64, 160, 1600, 16000].into_iter().zip(verdicts) {
            let cell = cell(tables, number, hosts, Column::Mkns);
            assert_eq!(cell.verdict, verdict, "table {number}, {hosts} hosts");
            assert_eq!(cell.explanation.is_some(), verdict != "FG");
        }
    }
    for table in tables {
        assert_eq!(table.unexplained(), 0, "{}", table.to_text());
    }
    // One of each other column, verification notes 1.2 to 1.4.
    for (number, hosts, column, verdict) in [
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
        let cell = cell(tables, number, hosts, column);
        assert_eq!(
            cell.verdict, verdict,
            "table {number}, {hosts} hosts, {column:?}"
        );
    }
}

/// One chart a table of numbers, a ring for every cell that was measured.
#[test]
fn the_papers_tables_are_drawn() {
    let svg = comparison::paper_tables(&TABLES);
    let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
    let words: Vec<&str> = (document
        .descendants()
        .filter(|node| node.has_tag_name("text")))
    .filter_map(|node| node.text())
    .map(str::trim)
    .collect();
    for table in &TABLES[1..] {
        let heading = format!("Table {}: {}", table.number, table.title);
        assert!(words.contains(&heading.as_str()), "{words:?}");
    }
    let cells = TABLES[1..].iter().flat_map(|table| &table.cells);
    let measured = cells.filter(|cell| cell.measured.is_some()).count();
    assert_eq!(svg.matches("r=\"20\"").count(), measured, "rings");
}

/// `mkns` with a JSON result.
fn json(arguments: &[&str]) -> serde_json::Value {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_mkns"));
    command.args(arguments).args(["--format", "json"]);
    let output = command.output().expect("mkns runs");
    assert!(output.status.success(), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Costs are those of `mkns info`, latency and throughput those of `mkns sim`.
#[test]
fn networks_are_compared_under_the_same_traffic() {
    let specs = ["MKNS(2,4,2,1)", "torus(4x4,2)"];
    let options = ["--load", "0.1,1.0", "--cycles", "400", "--warmup", "400"];
    let run = |verb: &[&str]| json(&[verb, &options].concat());
    let compared = run(&["compare", "--simulate", specs[0], specs[1]]);
    for (row, spec) in compared["networks"]
        .as_array()
        .expect("rows")
        .iter()
        .zip(specs)
    {
        let info = json(&["info", spec]);
        for (field, name) in [("cables", "cables"), ("ports", "ports"), ("hosts", "hosts")] {
            let rows = info["rows"].as_array().expect("rows");
            let metric = rows.iter().find(|metric| metric["name"] == name);
            assert_eq!(
                row[field],
                metric.expect("a metric")["measured"],
                "{spec}: {name}"
            );
        }
        let points = &run(&["sim", spec])["points"];
        assert_eq!(row["latency_mean"], points[0]["latency_mean"], "{spec}");
        assert_eq!(row["throughput"], points[1]["accepted_load"], "{spec}");
        assert_eq!(row["saturated"], true, "{spec}");
    }
    let low = json(&[
        "compare",
        "--simulate",
        specs[0],
        "--load",
        "0.1",
        "--cycles",
        "400",
    ]);
    assert_eq!(low["networks"][0]["saturated"], false);
}
