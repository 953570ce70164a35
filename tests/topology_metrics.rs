//! The paper's tables 2–7, cell by cell: formula, graph, and where the two part (verification notes
//! 1.1 say which cells hold).

use crate::common::networks::{mkns, paper_machines, small_specs};
use mkns::spec::{Join, NetworkSpec};
use mkns::topology;
use mkns::topology::metrics::{self, Metric, Metrics};
use proptest::prelude::*;

fn measure(spec: &NetworkSpec) -> Metrics {
    metrics::measure(spec, &topology::build(spec))
}

/// MKNS column of a table of the paper, one value per machine.
fn printed(table: &str) -> Vec<u64> {
    let rows = table.lines().skip(1);
    rows.map(|row| row.split(',').nth(1).unwrap().parse().unwrap())
        .collect()
}

/// Formula and measurement of one number for all five machines.
fn columns(name: &str) -> (Vec<u64>, Vec<u64>, Vec<Metric>) {
    let rows: Vec<Metric> = paper_machines()
        .iter()
        .map(|(_, spec)| measure(spec).row(name).unwrap().clone())
        .collect();
    let formula = rows.iter().map(|row| row.formula.unwrap()).collect();
    let graph = rows.iter().map(|row| row.measured.unwrap()).collect();
    (formula, graph, rows)
}

/// The 64-host machine meshes dimension 2: the graph gives the printed cell, the formula does not.
fn with_64(mut column: Vec<u64>, value: u64) -> Vec<u64> {
    column[1] = value;
    column
}

#[test]
fn diameter_is_table_2() {
    let table = printed(include_str!("data/mkns_table2_diameter.csv"));
    let (formula, graph, rows) = columns("diameter");
    assert_eq!(graph, table);
    assert_eq!(formula, with_64(table, 3));
    assert_eq!(rows[1].formula_with_meshes, Some(2));
}

#[test]
fn tree_diameter_is_table_3_except_the_impossible_3_at_64() {
    let table = printed(include_str!("data/mkns_table3_spanning_tree_diameter.csv"));
    let (formula, graph, _) = columns("tree diameter");
    assert_eq!(graph, with_64(table, 4));
    assert_eq!(formula, graph);
    let devices: Vec<_> = paper_machines()
        .iter()
        .map(|(_, spec)| {
            measure(spec)
                .row("full tree diameter")
                .unwrap()
                .measured
                .unwrap()
        })
        .collect();
    assert_eq!(devices, [2, 4, 5, 9, 13]);
}

#[test]
fn connectivity_is_table_4() {
    let table = printed(include_str!("data/mkns_table4_connectivity.csv"));
    let (formula, graph, rows) = columns("connectivity");
    assert_eq!(graph, table);
    assert_eq!(formula, with_64(table, 8));
    assert_eq!(rows[1].formula_with_meshes, Some(10));
}

#[test]
fn bisection_formula_is_table_5_and_the_graph_differs() {
    let table = printed(include_str!("data/mkns_table5_bisection.csv"));
    let (formula, graph, rows) = columns("bisection");
    assert_eq!(formula, table);
    assert_eq!(graph, [16, 32, 40, 336, 3264]);
    let bounds: Vec<bool> = rows.iter().map(|row| row.at_most).collect();
    assert_eq!(bounds, [false, true, true, true, true]);
}

#[test]
fn cables_and_ports_are_tables_6_and_7() {
    let table = printed(include_str!("data/mkns_table6_cables.csv"));
    let (formula, graph, _) = columns("cables");
    assert_eq!(graph, table);
    assert_eq!(formula, with_64(table, 144));
    let table = printed(include_str!("data/mkns_table7_ports.csv"));
    let (formula, graph, _) = columns("ports");
    assert_eq!(graph, table);
    assert_eq!(formula, with_64(table, 400));
}

#[test]
fn an_assembly_dimension_counts_its_internal_cables_apart() {
    let metrics = measure(&mkns(1, &[3, 20], &[Join::SwitchAssembly]));
    let value = |name: &str| metrics.row(name).unwrap().measured.unwrap();
    assert_eq!(value("diameter"), 5);
    assert_eq!((value("cables"), value("assembly cables")), (120, 60));
    assert_eq!((value("switch blocks"), value("ports")), (18, 780));
}

#[test]
fn the_table_shows_both_columns_and_the_bound() {
    let text = measure(&mkns(2, &[8, 4], &[Join::DirectMesh])).to_text();
    let row = |name: &str| {
        text.lines()
            .find(|line| line.trim().starts_with(name))
            .unwrap()
    };
    let words: Vec<&str> = row("cables").split_whitespace().take(3).collect();
    assert_eq!(words, ["cables", "144", "160"]);
    assert!(row("cables").ends_with("; formula 160 with meshes counted as meshes"));
    assert!(row("bisection").contains("≤ 32"));
}

#[test]
fn very_large_networks_are_searched_from_a_sample() {
    let spec = mkns::spec::parse("torus(64x64x8)").expect("valid");
    let metrics = measure(&spec);
    let row = metrics.row("diameter").expect("a row");
    assert_eq!(row.measured, Some(32 + 32 + 4));
    assert!(
        row.how.contains("from 64 adapter blocks, spread evenly"),
        "{}",
        row.how
    );
    // Means of rings of 64, 64 and 8, over the pairs of different blocks.
    let blocks = 64.0 * 64.0 * 8.0;
    let mean = (16.0 + 16.0 + 2.0) * blocks / (blocks - 1.0);
    assert!((metrics.mean_distance - mean).abs() < 1e-9);
}

#[test]
fn the_measurements_see_a_missing_cable() {
    let spec = mkns(2, &[4, 4], &[Join::SwitchBlock]);
    let mut network = topology::build(&spec);
    network.cables.remove(0);
    let metrics = metrics::measure(&spec, &network);
    let value = |name: &str| metrics.row(name).unwrap().measured.unwrap();
    assert_eq!((value("cables"), value("connectivity")), (39, 3));
    // x = 0 and x = 1 of the first line are now two cables apart.
    assert!(metrics.mean_distance > measure(&spec).mean_distance);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn formulas_that_count_meshes_hold_on_every_graph(spec in small_specs()) {
        let metrics = measure(&spec);
        for name in ["hosts", "adapter blocks", "switch blocks", "connectivity", "cables", "ports"] {
            let row = metrics.row(name).unwrap();
            let formula = row.formula_with_meshes.or(row.formula);
            prop_assert_eq!(row.measured, formula, "{}", name);
        }
        // A short line on an assembly may lie on one leaf, which saves two hops.
        let row = metrics.row("diameter").unwrap();
        prop_assert!(row.measured <= row.formula_with_meshes.or(row.formula));
    }
}
