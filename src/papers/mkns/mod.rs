//! The tables of the MKNS paper, cell by cell: what is printed, what the paper's formula gives, what is
//! measured on the graph, and a word where they differ.
//!
//! Every difference must be known beforehand with its exact numbers (`explanations`); any other is an
//! unexplained one.

mod column;
mod explanations;
mod machines;
mod picture;
mod table;
mod table_1;

use rayon::prelude::*;

pub use column::{COLUMNS, Column};
pub use picture::paper_tables;
pub use table::{Cell, Table};

use machines::{MACHINES, Machine, PRINTED};
use mkns_topology::formulas::Quantity;

/// Tables 2 to 7: number, title, what they count.
const TABLES: [(u32, &str, Quantity); 6] = [
    (2, "diameter", Quantity::Diameter),
    (
        3,
        "diameter of the spanning tree",
        Quantity::SpanningTreeDiameter,
    ),
    (4, "connectivity", Quantity::Connectivity),
    (5, "bisection width", Quantity::Bisection),
    (6, "cables", Quantity::Cables),
    (7, "ports", Quantity::Ports),
];

/// The tables with these numbers; those that do not exist are left out.
pub fn tables(numbers: &[u32]) -> Vec<Table> {
    let first = numbers.contains(&1).then(table_1::table);
    let others = TABLES
        .iter()
        .filter(|(number, ..)| numbers.contains(number));
    first.into_iter().chain(others.map(table)).collect()
}

fn table(&(number, title, quantity): &(u32, &'static str, Quantity)) -> Table {
    let places: Vec<(&Machine, usize)> = MACHINES
        .iter()
        .flat_map(|machine| (0..COLUMNS.len()).map(move |column| (machine, column)))
        .collect();
    let cells = places
        .par_iter()
        .map(|(machine, column)| cell(number, quantity, machine, *column));
    Table {
        number,
        title,
        cells: cells.collect(),
    }
}

fn cell(number: u32, quantity: Quantity, machine: &Machine, column: usize) -> Cell {
    let row = MACHINES
        .iter()
        .position(|other| other.hosts == machine.hosts);
    let printed = PRINTED[number as usize - 2][row.expect("a machine of the list")][column];
    let column = COLUMNS[column];
    let spec = machine.spec(column);
    let formula = match &spec {
        Some(_) => machine.formula(column, quantity),
        None => machine.formula_without_network(quantity),
    };
    let measured = spec.as_ref().map(|spec| machines::measured(spec, quantity));
    Cell {
        hosts: Some(machine.hosts),
        column,
        network: spec.map_or("no torus of this size fits".to_owned(), |spec| {
            spec.notation()
        }),
        ..Cell::judged((number, column, machine.hosts), printed, formula, measured)
    }
}
