//! Karavay & Podlazov, tables 1 to 9: printed cells beside constructed switches.
//!
//! The printed cells are the CSV files of this folder, transcribed from the paper; everything else is
//! built from the corrected formulas and the designs. Terminals and switches count from 1, as there.

mod designs;
mod printed;
mod symbolic;

use super::{Comparison, Table};
use mkns_block_design::{Parameters, construct};
use mkns_topology::distributed_switch::{DistributedSwitch, Stage, Structure};
use printed::printed_table;

/// All nine tables.
pub fn compare() -> Comparison {
    let tables = vec![
        wiring(
            1,
            &multi_ring(),
            MULTI_RING_TITLE,
            include_str!("table1.csv"),
            Some(LOST_OUTPUT),
        ),
        symbolic::table(),
        wiring(
            3,
            &hypercube(1),
            "hypercube(3): inputs and outputs",
            include_str!("table3.csv"),
            None,
        ),
        wiring(
            4,
            &hypercube(2),
            "hypercube(3,2): 27 terminals on nine 9×9 switches",
            include_str!("table4.csv"),
            Some("the heading says 3×3"),
        ),
        designs::blocks(),
        designs::sizes(6, &[(1, include_str!("table6.csv"))]),
        designs::sizes(
            7,
            &[
                (2, include_str!("table7_sigma2.csv")),
                (3, include_str!("table7_sigma3.csv")),
            ],
        ),
        inputs(
            8,
            &design(2),
            "block_design(7,4,2,2): 11 terminals on seven 7×7 switches",
            include_str!("table8.csv"),
        ),
        inputs(
            9,
            &design(3),
            "block_design(7,4,2,3): 18 terminals on seven 11×11 switches",
            include_str!("table9.csv"),
        ),
    ];
    Comparison::new("Karavay & Podlazov, distributed full switch", tables)
}

const MULTI_RING_TITLE: &str = "multi_ring(3): inputs and outputs";
const LOST_OUTPUT: &str = "the last output of switch 1 is lost in the text; transcribed as 7";

fn multi_ring() -> DistributedSwitch {
    DistributedSwitch::new(Structure::MultiRing, 3, 1)
}

fn hypercube(cascades: u32) -> DistributedSwitch {
    DistributedSwitch::new(Structure::Hypercube, 3, cascades)
}

fn design(cascades: u32) -> DistributedSwitch {
    let design = construct(Parameters::new(7, 4, 2)).expect("the paper's own design");
    DistributedSwitch::new(Structure::BlockDesign(design), 4, cascades)
}

/// Inputs, then outputs of every copy of the outermost stage.
fn wiring(
    number: u32,
    switch: &DistributedSwitch,
    title: &str,
    printed: &str,
    remark: Option<&'static str>,
) -> Table {
    let stage = switch.stage(1);
    let mut table = printed_table(number, title, printed, |copy| {
        numbered([stage.inputs(copy), stage.outputs(copy)].concat())
    });
    table.remark = remark;
    table
}

/// Terminals of every copy of the outermost stage; inputs and outputs are alike.
fn inputs(number: u32, switch: &DistributedSwitch, title: &str, printed: &str) -> Table {
    let stage: &Stage = switch.stage(1);
    printed_table(number, title, printed, |copy| numbered(stage.inputs(copy)))
}

/// Terminals counted from 1; empty where a port is free.
fn numbered(terminals: Vec<Option<u32>>) -> Vec<String> {
    let number = |terminal: Option<u32>| terminal.map(|terminal| (terminal + 1).to_string());
    terminals
        .into_iter()
        .map(|terminal| number(terminal).unwrap_or_default())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::printed::MISPRINTS;
    use super::*;

    #[test]
    fn every_cell_is_as_printed_or_a_known_misprint() {
        let comparison = compare();
        assert!(comparison.passed, "{}", comparison.to_text());
        let counts: Vec<_> = comparison
            .tables
            .iter()
            .map(|table| (table.number, table.counts()))
            .collect();
        let expected = [
            (1, [54, 0, 0]),
            (2, [47, 1, 0]),
            (3, [54, 0, 0]),
            (4, [157, 5, 0]),
            (5, [28, 0, 0]),
            (6, [11, 0, 0]),
            (7, [20, 0, 0]),
            (8, [48, 1, 0]),
            (9, [77, 0, 0]),
        ];
        assert_eq!(counts, expected);
        let misprints: usize = counts.iter().map(|(_, counts)| counts[1]).sum();
        assert_eq!(misprints, MISPRINTS.len(), "every known one is met");
    }

    /// A comparison that cannot fail would be worth nothing.
    #[test]
    fn a_wrong_cell_that_nobody_has_explained_fails() {
        let wrong = include_str!("table3.csv").replace("5,4,5,6,2,5,8", "5,4,5,7,2,5,8");
        let table = wiring(3, &hypercube(1), "spoilt", &wrong, None);
        assert_eq!(table.counts(), [53, 0, 1]);
        let comparison = Comparison::new("spoilt", vec![table]);
        assert!(!comparison.passed && comparison.to_text().contains("NOT EXPLAINED"));
    }
}
