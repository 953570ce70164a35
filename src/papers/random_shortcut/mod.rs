//! Koibuchi et al., random shortcut topologies: tables 1 and 2 and the diameters of the text beside drawn graphs.
//!
//! The paper prints single draws, so a printed number is compared with the range that a hundred seeds give. The CSV
//! files of this folder are transcribed from the paper.

mod figures;
mod load_curves;
mod traffic;

use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::graph::{self, random_shortcuts};
use super::{Cell, Comparison, Table, TableRow};
use mkns_report::figure::Figure;
use mkns_spec::Method;
use mkns_topology::{Faults, Network};

/// Seeds of a range, and graphs of which the best is taken.
const MANY: u32 = 100;

/// The tables of these numbers: both of the paper, its text, and what networks do under traffic, which is simulated.
pub fn compare(is_wanted: &dyn Fn(u32) -> bool) -> Comparison {
    let all: [(u32, fn() -> Table); 4] = [
        (1, degrees),
        (2, distances_of_draws),
        (3, text),
        (4, traffic::table),
    ];
    let paper = "Koibuchi et al., random shortcut topologies";
    Comparison::of_wanted(paper, &all, is_wanted)
}

/// Figures that are drawn together: their numbers, and what draws them.
type Drawing = (&'static [u32], fn() -> Vec<Figure>);

const DRAWINGS: [Drawing; 11] = [
    (&[2], figures::shortcuts),
    (&[3, 4], figures::sizes),
    (&[5, 6], figures::methods),
    (&[7], figures::faults),
    (&[8], figures::bases),
    (&[9], load_curves::switches_64),
    (&[10], load_curves::switches_256),
    (&[11], load_curves::switches_512),
    (&[12], load_curves::failures),
    (&[13, 14], load_curves::bases),
    (&[15, 16], load_curves::graphs),
];

/// The figures of the paper that are known here.
pub const FIGURES: RangeInclusive<u32> = 2..=16;

/// The figures of these numbers, drawn anew; `done` is called after each drawing.
pub fn figures(numbers: &[u32], done: impl Fn() + Sync) -> Vec<Figure> {
    let made = wanted(numbers).into_par_iter().with_max_len(1).map(|draw| {
        let figures = draw();
        done();
        figures
    });
    let mut figures = made.collect::<Vec<_>>().concat();
    let is_wanted = |figure: &Figure| {
        numbers
            .iter()
            .any(|wanted| figure.number == wanted.to_string())
    };
    figures.retain(is_wanted);
    figures
}

/// How often [`figures`] says that it has drawn something.
pub fn drawings(numbers: &[u32]) -> usize {
    wanted(numbers).len()
}

fn wanted(numbers: &[u32]) -> Vec<fn() -> Vec<Figure>> {
    let wanted = DRAWINGS
        .iter()
        .filter(|(of, _)| of.iter().any(|one| numbers.contains(one)));
    wanted.map(|(_, draw)| *draw).collect()
}

/// Diameter and mean distance.
fn measured(network: &Network) -> (u32, f64) {
    let found = graph::measured(network, &Faults::none());
    (found.diameter, graph::mean(&found))
}

fn range<T: Copy + PartialOrd>(values: &[T]) -> (T, T) {
    let pick = |better: fn(&T, &T) -> bool| {
        let best = values
            .iter()
            .copied()
            .reduce(|a, b| if better(&b, &a) { b } else { a });
        best.expect("there are draws")
    };
    (pick(|a, b| a < b), pick(|a, b| a > b))
}

/// Table 1: least and greatest degree where shortcuts are added on the average.
fn degrees() -> Table {
    let columns = [
        "256 least",
        "256 most",
        "1024 least",
        "1024 most",
        "4096 least",
        "4096 most",
    ];
    let rows = include_str!("table1.csv").lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let average: u32 = cells[1].parse().expect("a degree");
        let found = [256, 1024, 4096]
            .into_iter()
            .zip(cells[2..].chunks(2))
            .flat_map(|(nodes, printed)| {
                let draws = (1..=MANY).into_par_iter().map(|seed| {
                    let network = random_shortcuts(nodes, average, |graph| {
                        (graph.method, graph.seed) = (Method::Average, seed);
                    });
                    range(&degrees_of(&network))
                });
                let draws: Vec<(u32, u32)> = draws.collect();
                let [least, most]: [Vec<u32>; 2] = [
                    draws.iter().map(|draw| draw.0).collect(),
                    draws.iter().map(|draw| draw.1).collect(),
                ];
                [
                    Cell::within(printed[0], range(&least), None),
                    Cell::within(printed[1], range(&most), None),
                ]
            });
        TableRow::new(format!("average {average}"), found.collect())
    });
    let title = format!("degrees with an average number of shortcuts, {MANY} seeds");
    Table::new(1, title, &columns, rows.collect())
}

fn degrees_of(network: &Network) -> Vec<u32> {
    let mut degrees = vec![0; network.blocks.len()];
    for end in network.cables.iter().flat_map(|cable| [cable.a, cable.b]) {
        degrees[end.block.0 as usize] += 1;
    }
    degrees
}

/// Table 2: least and greatest diameter and mean distance of single draws.
fn distances_of_draws() -> Table {
    let rows = include_str!("table2.csv").lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        let [nodes, degree] = [1, 2].map(|at: usize| cells[at].parse().expect("a size"));
        let draws = (1..=MANY).into_par_iter();
        let draws =
            draws.map(|seed| measured(&random_shortcuts(nodes, degree, |graph| graph.seed = seed)));
        let draws: Vec<(u32, f64)> = draws.collect();
        let diameters: Vec<u32> = draws.iter().map(|draw| draw.0).collect();
        let means: Vec<f64> = draws
            .iter()
            .map(|draw| (draw.1 * 1000.0).round() / 1000.0)
            .collect();
        let label = format!("{nodes} switches, degree {degree}");
        let cells = vec![
            Cell::within(cells[3], range(&diameters), None),
            Cell::within(cells[4], range(&diameters), None),
            Cell::within(cells[5], range(&means), None),
            Cell::within(cells[6], range(&means), None),
        ];
        TableRow::new(label, cells)
    });
    let columns = ["least diameter", "greatest", "least mean", "greatest mean"];
    let title = format!("diameter and mean distance of single draws, {MANY} seeds");
    Table::new(2, title, &columns, rows.collect())
}

/// Diameters that the text names.
fn text() -> Table {
    let row = |label: &str, printed: &str, found: u32, why| {
        let cell = Cell::new(printed.to_owned(), found.to_string(), why);
        TableRow::new(label, vec![cell])
    };
    let best = |nodes, degree, best_of| {
        measured(&random_shortcuts(nodes, degree, |graph| {
            graph.best_of = best_of
        }))
        .0
    };
    let two = "7 in 97 of 100 uniform draws; 8 is usual where shortcuts are added on the average";
    let many = "256 switches, degree 4, best of 100";
    let rows = vec![
        row(many, "8", best(256, 4, MANY), Some(two)),
        row("64 switches, degree 14", "3", best(64, 14, 1), None),
    ];
    Table::new(3, "diameters in the text", &["diameter"], rows)
        .with_remark("uniform shortcuts on a ring")
}
