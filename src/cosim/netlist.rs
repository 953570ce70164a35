//! Post-synthesis netlists in lockstep with the golden model, so that what goes into the bitstream is
//! what was checked.
//!
//! Yosys maps a block to the cells of a device family; the netlist is verilated together with
//! simulation models of the cells and runs like any block.

use mkns_design::{BlockModule, ModuleKind, Plan};
use mkns_fpga as fpga;
use mkns_fpga::{Family, FlowError, ToolRunner, synthesise_netlist};
use mkns_rtl as rtl;
use mkns_scratch::Scratch;

use super::cell_library::CellLibrary;
use super::session::{RunListener, modules_of};

/// Block RAM of UltraScale+, of which Yosys knows the pins only.
const UNMODELLED: [&str; 3] = ["RAMB18E2", "RAMB36E2", "URAM288"];

/// The netlist of one block module.
pub struct Netlist {
    pub module: BlockModule,
    /// Name in reports.
    pub label: String,
    /// Verilog of one module without parameters.
    pub text: String,
    pub cells: CellLibrary,
}

impl Netlist {
    /// A cell that has no simulation model, if there is one: the run would go wrong for want of it.
    pub fn lacks_model(&self) -> Option<&'static str> {
        let is_used = |cell: &&&str| self.text.contains(&format!("\n  {cell} #("));
        UNMODELLED.iter().find(is_used).copied()
    }
}

/// Makes the netlists of every block module of a kind of the sources (file name and text).
pub fn netlists(
    plan: &Plan,
    sources: &[(String, String)],
    kind: ModuleKind,
    family: Family,
    listener: &dyn RunListener,
) -> Result<Vec<Netlist>, FlowError> {
    let cells = CellLibrary::new(family)?;
    let modules = modules_of(plan, kind).into_iter();
    modules
        .map(|(label, module)| {
            let label = format!("{label} as {} netlist", family.name());
            listener.synthesising(&label);
            Ok(Netlist {
                text: netlist_of(&module, family, sources)?,
                cells: cells.clone(),
                module,
                label,
            })
        })
        .collect()
}

/// Maps a module of the sources; one pass of Yosys, in a folder that goes afterwards.
fn netlist_of(
    module: &BlockModule,
    family: Family,
    sources: &[(String, String)],
) -> Result<String, FlowError> {
    let folder = Scratch::new("netlist");
    let folder = folder.map_err(|source| FlowError::Io {
        action: "make a temporary folder in",
        path: std::env::temp_dir(),
        source,
    })?;
    let runner = ToolRunner {
        folder: folder.path(),
        limit: None,
        listener: &fpga::Silent,
    };
    let top = rtl::module_name(module.kind);
    let parameters = rtl::block_parameters(module);
    synthesise_netlist(&runner, family, sources, top, &parameters)
}
