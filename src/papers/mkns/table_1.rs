//! Table 1: the paper's formulas for its competitors, each tried on one graph.

use super::machines::measured;
use super::{Cell, Column, Table};
use mkns_spec::{
    BlockParameters, EngineClaims, Family, FatTreeSpec, GridSpec, NetworkKind, NetworkSpec,
};
use mkns_topology::formulas::{Meshes, Quantity, formula};

/// What is counted, the torus formula, the fat tree formula.
const ROWS: [(Quantity, &str, &str); 6] = [
    (Quantity::Diameter, "Σ k/2", "2·log N"),
    (Quantity::SpanningTreeDiameter, "Σ (k-1)", "2·log N"),
    (Quantity::Bisection, "2N / max k", "N/2"),
    (Quantity::Connectivity, "2n", "d/2"),
    (Quantity::Cables, "n·Π k", "N·log N"),
    (Quantity::Ports, "2nN", "2N·log N"),
];

/// The table; logarithms are to base d/2.
pub fn table() -> Table {
    let torus = NetworkKind::Grid(GridSpec::new(Family::Torus, 1, vec![4, 4]));
    let tree = NetworkKind::FatTree(FatTreeSpec {
        ports: 8,
        ..FatTreeSpec::new(1, vec![4, 4], None)
    });
    let columns = [(Column::Torus, torus), (Column::FatTree, tree)];
    let cells = ROWS.iter().flat_map(|row| {
        let cells = columns.iter();
        cells.map(move |(column, kind)| cell(row, *column, kind))
    });
    Table {
        number: 1,
        title: "formulas for torus and fat tree, tried on one network each",
        cells: cells.collect(),
    }
}

fn cell(
    &(quantity, torus, fat_tree): &(Quantity, &str, &str),
    column: Column,
    kind: &NetworkKind,
) -> Cell {
    let spec = NetworkSpec {
        name: "example".to_owned(),
        kind: kind.clone(),
        routing: EngineClaims::of(kind).name.to_owned(),
        escape: None,
        block: BlockParameters::default(),
        link: None,
    };
    let value = formula(kind, quantity, Meshes::AsSwitchBlocks).expect("both have formulas");
    let measured = measured(&spec, quantity);
    let text = match column {
        Column::FatTree => fat_tree,
        _ => torus,
    };
    Cell {
        network: format!("{} {}", quantity.title(), kind.notation()),
        printed: text.to_owned(),
        ..Cell::judged(
            (1, column, value as u32),
            value,
            Some(value),
            Some(measured),
        )
    }
}
