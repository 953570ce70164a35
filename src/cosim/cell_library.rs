//! Simulation models of the cells that netlists are made of.
//!
//! They are Yosys' own, but for look-up tables (the same function in one expression) and ECP5 block
//! RAM (Yosys has none; written from how Yosys uses its pins).

use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use mkns_fpga::{Family, FlowError};

/// ECP5 block RAM.
const DP16KD: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../hdl-templates/cells/dp16kd.v"
));

/// File of our look-up tables.
const LUTS: &str = "luts.v";

/// What a netlist needs beside itself to be simulated.
#[derive(Debug, Clone)]
pub struct CellLibrary {
    pub family: Family,
    /// Models that stand in for those of the same names in `file`: name and text.
    pub own: Vec<(String, String)>,
    /// Yosys' models.
    pub file: PathBuf,
    /// Where that file's includes are.
    pub folder: PathBuf,
}

impl CellLibrary {
    /// The cells of a family; fails when Yosys is not installed.
    pub fn new(family: Family) -> Result<Self, FlowError> {
        let folder = family.cell_models()?;
        let own = match family {
            Family::Ecp5 => vec![
                ("dp16kd.v".to_owned(), DP16KD.to_owned()),
                (LUTS.to_owned(), lut(4, ["A", "B", "C", "D"], "Z")),
            ],
            Family::Xilinx => vec![(LUTS.to_owned(), xilinx_luts())],
        };
        Ok(Self {
            family,
            own,
            file: folder.join("cells_sim.v"),
            folder,
        })
    }

    /// Files, name and text, for a simulator with four states. There is one model of each cell: that of [`Self::own`], or
    /// Yosys', which are those of look-up tables: with an unknown input that does not matter, ours are unknown.
    /// What Yosys' file includes more than once is there once, because modules that are declared twice are refused.
    pub fn sources(&self) -> io::Result<Vec<(String, String)>> {
        let own = self.own.iter().filter(|(name, _)| name != LUTS);
        let mut sources: Vec<(String, String)> = own.cloned().collect();
        let theirs = self.expanded(&self.file, &mut Vec::new())?;
        let theirs = (sources.iter()).fold(theirs, |text, (_, own)| without(&text, own));
        sources.push(("cells_sim.v".to_owned(), theirs));
        Ok(sources)
    }

    /// The text of a file with what it includes, but for what was included before.
    fn expanded(&self, file: &Path, included: &mut Vec<String>) -> io::Result<String> {
        let mut text = String::new();
        for line in fs::read_to_string(file)?.lines() {
            let name = line.strip_prefix("`include \"");
            match name.map(|name| name.trim_end().trim_end_matches('"')) {
                // Not Verilog; it stands where a cell is used in no way that it has.
                None if line.trim_start().starts_with("$error(") => {}
                None => text.extend([line, "\n"]),
                Some(name) if included.iter().any(|known| known == name) => {}
                Some(name) => {
                    included.push(name.to_owned());
                    text += &self.expanded(&self.folder.join(name), included)?;
                }
            }
        }
        Ok(text)
    }
}

/// A text without the modules of another one.
fn without(text: &str, other: &str) -> String {
    let modules = other
        .lines()
        .filter_map(|line| line.strip_prefix("module "));
    let names = modules.filter_map(|rest| rest.split([' ', '(', '#']).next());
    names.fold(text.to_owned(), |text, name| {
        let begins = |mark: char| text.find(&format!("\nmodule {name}{mark}"));
        let Some(start) = ['(', ' ', '#'].into_iter().find_map(begins) else {
            return text;
        };
        let end = "endmodule\n";
        match text[start..].find(end) {
            Some(length) => text[..=start].to_owned() + &text[start + length + end.len()..],
            None => text,
        }
    })
}

/// A look-up table in one expression: Yosys' models are trees of multiplexers, of which Verilator
/// makes twice the code.
fn lut<'a>(size: usize, inputs: impl AsRef<[&'a str]>, output: &str) -> String {
    let inputs = &inputs.as_ref()[..size];
    let highest_first: Vec<&str> = inputs.iter().rev().copied().collect();
    let mut text = String::new();
    let _ = write!(
        text,
        "module LUT{size} #(parameter [{}:0] INIT = 0) (input {}, output {output});\n    \
         assign {output} = INIT[{{{}}}];\nendmodule\n",
        (1 << size) - 1,
        inputs.join(", "),
        highest_first.join(", "),
    );
    text
}

fn xilinx_luts() -> String {
    let inputs = ["I0", "I1", "I2", "I3", "I4", "I5"];
    (2..=6).map(|size| lut(size, inputs, "O")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_of_ours_stands_in_for_another_of_its_name() {
        let theirs = "// cells\nmodule A(input a);\nendmodule\nmodule AB(input a);\nendmodule\n";
        let left = without(
            theirs,
            "module A #(parameter B = 1) (input a);\nendmodule\n",
        );
        assert_eq!(left, "// cells\nmodule AB(input a);\nendmodule\n");
    }

    #[test]
    fn a_look_up_table_takes_its_first_input_lowest() {
        let text = lut(2, ["A", "B", "C"], "Z");
        assert!(
            text.starts_with("module LUT2 #(parameter [3:0] INIT = 0) (input A, B, output Z);")
        );
        assert!(text.contains("assign Z = INIT[{B, A}];"), "{text}");
    }
}
