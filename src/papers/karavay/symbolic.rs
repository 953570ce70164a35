//! Table 2: inputs and outputs of the multi-ring in formulas of m and N = m².
//!
//! A formula has degree two in m at most, so agreement for every m from 4 to 16 proves it for all.

use super::super::expression::value;
use super::super::{Table, TableRow};
use super::printed::row;
use mkns_topology::distributed_switch::{DistributedSwitch, Structure};

/// Row label, the first three and the last input, the first three and the last output, as printed.
type Printed = (&'static str, [&'static str; 4], [&'static str; 4]);

#[rustfmt::skip] // one line per row
const PRINTED: [Printed; 6] = [
    ("1", ["1", "N", "N-1", "N-(m-2)"], ["1", "1+m", "1+2m", "1+(m-1)m"]),
    ("2", ["2", "1", "N-2", "N-(m-3)"], ["2", "2+m", "2+2m", "2+(m-1)m"]),
    ("m", ["m", "m-1", "m-2", "1"], ["m", "2m", "3m", "N"]),
    ("m+1", ["m+1", "m", "m-1", "2"], ["m+1", "2m+1", "3m+1", "1"]),
    ("N-1", ["N-1", "N-2", "N-3", "N-m"], ["N-1", "m-1", "2m-1", "N-m-1"]),
    ("N", ["N", "N-1", "N-2", "N-(m-1)"], ["N", "m", "2m", "N-m"]),
];

const COLUMNS: [&str; 8] = [
    "in 1", "in 2", "in 3", "in m", "out 1", "out 2", "out 3", "out m",
];

/// The table, every formula evaluated.
pub fn table() -> Table {
    let columns = COLUMNS.map(str::to_owned);
    let rows = PRINTED.map(|printed| compared(printed, &columns));
    Table {
        number: 2,
        title: "multi_ring(m) in formulas, for m = 4…16".to_owned(),
        remark: Some("row m is printed t; the dots between the third and the last are left out"),
        columns: columns.to_vec(),
        rows: rows.to_vec(),
    }
}

fn compared((label, inputs, outputs): Printed, columns: &[String]) -> TableRow {
    let formulas = [inputs, outputs].concat();
    let printed: Vec<String> = formulas.iter().map(|text| (*text).to_owned()).collect();
    let mut constructed = printed.clone();
    for m in 4..=16 {
        let n = m * m;
        let switch = value(label, m, n).expect("a row label is a formula");
        let found = terminals(m as u32, switch as u32);
        for (at, formula) in formulas.iter().enumerate() {
            let printed = value(formula, m, n).expect("a cell is a formula");
            if printed != found[at] && constructed[at] == *formula {
                constructed[at] = format!("{} for m = {m}", found[at]);
            }
        }
    }
    row(2, label.to_owned(), columns, printed, constructed)
}

/// The first three and the last input and output of a switch, everything counted from 1.
fn terminals(m: u32, switch: u32) -> Vec<i64> {
    let ring = DistributedSwitch::new(Structure::MultiRing, m, 1);
    let stage = ring.stage(1);
    let chosen = |ports: Vec<Option<u32>>| {
        let places = [0, 1, 2, m as usize - 1];
        places.map(|place| i64::from(ports[place].expect("every port is used")) + 1)
    };
    let (inputs, outputs) = (stage.inputs(switch - 1), stage.outputs(switch - 1));
    [chosen(inputs), chosen(outputs)].concat()
}
