//! The tables of the MKNS paper, cell by cell: what is printed, what the paper's formula gives, what is
//! measured on the graph, and a word where they differ.
//!
//! Every difference must be known beforehand with its exact numbers (`explanations`); any other is an
//! unexplained one.

mod explanations;
mod machines;
mod table_1;

use rayon::prelude::*;
use serde::Serialize;

use machines::{MACHINES, Machine, PRINTED};
use mkns_topology::formulas::Quantity;
use mkns_topology::metrics::Measured;

/// A column of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    Mkns,
    /// Table 1 speaks of any number of dimensions.
    Torus,
    Torus4d,
    Torus6d,
    FatTree,
}

/// The columns of tables 2 to 7 in the paper's order.
pub const COLUMNS: [Column; 4] = [
    Column::Mkns,
    Column::Torus4d,
    Column::Torus6d,
    Column::FatTree,
];

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
    /// Row of tables 2 to 7: compute modules.
    pub vms: Option<u32>,
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
    let row = MACHINES.iter().position(|other| other.vms == machine.vms);
    let printed = PRINTED[number as usize - 2][row.expect("a machine of the list")][column];
    let column = COLUMNS[column];
    let spec = machine.spec(column);
    let formula = match &spec {
        Some(_) => machine.formula(column, quantity),
        None => machine.formula_without_network(quantity),
    };
    let measured = spec.as_ref().map(|spec| machines::measured(spec, quantity));
    Cell {
        vms: Some(machine.vms),
        column,
        network: spec.map_or("no torus of this size fits".to_owned(), |spec| {
            spec.notation()
        }),
        ..Cell::judged((number, column, machine.vms), printed, formula, measured)
    }
}

impl Cell {
    /// A cell with its numbers, and what is known of their differences.
    fn judged(
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
            vms: None,
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

impl Column {
    /// The paper's heading.
    pub fn title(self) -> &'static str {
        match self {
            Self::Mkns => "MKNS",
            Self::Torus => "torus",
            Self::Torus4d => "4-D torus",
            Self::Torus6d => "6-D torus",
            Self::FatTree => "fat tree",
        }
    }
}

impl Table {
    /// Cells whose difference nobody has explained.
    pub fn unexplained(&self) -> usize {
        self.cells.iter().filter(|cell| cell.unexplained).count()
    }

    /// One line a cell, the explanation below it.
    pub fn to_text(&self) -> String {
        let mut out = format!("Table {}: {}\n\n", self.number, self.title);
        out += &format!(
            "  {:>6}  {:<10}{:<28}{:>9}{:>9}{:>9}\n",
            "VMs", "", "network", "printed", "formula", "graph"
        );
        for cell in &self.cells {
            let number = |value: Option<u64>| value.map_or("–".to_owned(), |v| v.to_string());
            let sign = if cell.at_most { "≤ " } else { "" };
            let measured = format!("{sign}{}", number(cell.measured));
            out += &format!(
                "  {:>6}  {:<10}{:<28}{:>9}{:>9}{measured:>9}  {}\n",
                cell.vms.map_or(String::new(), |vms| vms.to_string()),
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
