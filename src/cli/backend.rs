//! The options of `mkns cosim` that let something else judge a block: its netlist, another simulator.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use mkns_sim::Error;

use super::rtl_folder::flow_error;
use super::traffic::name;
use super::{CommandError, output_path};
use mkns_cosim::{Checked, Netlist, Request, RunListener, SessionError, Subject, netlists, run};
use mkns_design::{ModuleKind, Plan};
use mkns_diag::Code;
use mkns_fpga::Family;
use mkns_report::folder_of;
use mkns_rtl::RtlSources;

/// Cycles for one block in Icarus when the user does not say.
const ICARUS_CYCLES: u64 = 5_000;

/// What runs in place of the Verilator model of a block.
#[derive(Debug, Clone, Args)]
pub struct Backend {
    /// Check the netlist that Yosys maps the block to, simulated with models of the cells of this device family. Not for
    /// assemblies
    #[arg(
        long,
        value_enum,
        value_name = "FAMILY",
        requires = "block",
        conflicts_with = "shrink"
    )]
    netlist: Option<FamilyChoice>,
    /// The program that runs the RTL. Icarus is event-driven and knows four states, so it finds outputs that depend on
    /// uninitialised registers; it takes one block only and is slow
    #[arg(long, value_enum, default_value_t = Simulator::Verilator)]
    simulator: Simulator,
    /// Keep what Icarus runs: one folder per run with RTL, testbench and vectors, for any simulator. DIR must not exist
    #[arg(long, value_name = "DIR", requires = "block")]
    vectors: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Simulator {
    Verilator,
    Icarus,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FamilyChoice {
    /// Lattice ECP5, as `mkns fpga` maps it
    Ecp5,
    /// AMD (Xilinx) UltraScale+, as `mkns bench` counts it
    Xilinx,
}

impl FamilyChoice {
    fn family(self) -> Family {
        match self {
            Self::Ecp5 => Family::Ecp5,
            Self::Xilinx => Family::Xilinx,
        }
    }
}

impl Backend {
    /// Name of what runs the RTL, where it is not the usual.
    pub fn simulator(&self) -> Option<String> {
        let is_usual = self.simulator == Simulator::Verilator;
        (!is_usual).then(|| name(self.simulator))
    }

    /// Name of the netlist's device family.
    pub fn netlist(&self) -> Option<String> {
        self.netlist.map(name)
    }

    pub fn keeps_vectors(&self) -> bool {
        self.vectors.is_some()
    }

    /// Cycles of a block when the user does not say; `usual` for verilated models.
    pub fn block_cycles(&self, usual: u64) -> u64 {
        match self.simulator {
            Simulator::Verilator => usual,
            Simulator::Icarus => ICARUS_CYCLES,
        }
    }

    /// Refuses what cannot be done for a block of this kind (none: a network or an assembly).
    /// `reports`: waveforms or small cases are wanted.
    pub fn ensure_feasible(
        &self,
        kind: Option<ModuleKind>,
        reports: bool,
    ) -> Result<(), CommandError> {
        if self.netlist.is_some() && kind.is_none() {
            let fact = "an assembly is several blocks: it has no netlist of its own";
            let remedy = "check its switch block, `--block switch`, or leave `--netlist` out";
            return Err(CommandError::new(Code::NetlistOfAssembly, fact, remedy));
        }
        let fact = match (self.simulator, &self.vectors) {
            (Simulator::Verilator, None) => return Ok(()),
            (Simulator::Verilator, Some(_)) => "`--vectors` keeps what Icarus runs",
            (Simulator::Icarus, Some(folder)) if folder.exists() => {
                "the folder of `--vectors` exists already"
            }
            (Simulator::Icarus, _) if kind.is_none() => {
                "Icarus is given one block, not a network and not an assembly"
            }
            (Simulator::Icarus, _) if reports => {
                "Icarus is given a block, without `--trace` and `--shrink`"
            }
            (Simulator::Icarus, _) => return Ok(()),
        };
        let remedy = format!("see `mkns explain {}`", Code::NotForIcarus);
        Err(CommandError::new(Code::NotForIcarus, fact, remedy))
    }

    /// Refuses a folder of vectors that cannot be made.
    pub fn ensure_room(&self) -> Result<(), CommandError> {
        let kept = self.vectors.as_deref();
        kept.map_or(Ok(()), |kept| output_path::new_folder("--vectors", kept))
    }

    /// Runs what was asked for instead of verilated RTL; none when nothing was. Outer errors are of
    /// what comes before the comparison.
    pub fn check(
        &self,
        plan: &Plan,
        sources: &RtlSources,
        kind: Option<ModuleKind>,
        request: &Request,
        listener: &dyn RunListener,
    ) -> Result<Option<Result<Checked, SessionError>>, CommandError> {
        let Some(kind) = kind else {
            return Ok(None);
        };
        if let Some(choice) = self.netlist {
            let netlists = netlists(plan, &sources.files, kind, choice.family(), listener)
                .map_err(|error| flow_error(sources, error))?;
            if let Some(cell) = netlists.iter().find_map(Netlist::lacks_model) {
                let fact = format!("the netlist has {cell} cells, which have no simulation model");
                let remedy = "use smaller queues, which fit LUT RAM, or `--netlist ecp5`";
                return Err(CommandError::new(Code::CellWithoutModel, fact, remedy));
            }
            let subject = Subject::Blocks(plan, kind);
            let ended = match self.simulator {
                Simulator::Verilator => {
                    let backend = mkns_cosim::Backend::Netlists(&netlists);
                    run(subject, backend, request, listener)
                }
                Simulator::Icarus => self.in_icarus(&|folder| {
                    let backend = mkns_cosim::Backend::IcarusNetlists(&netlists, folder);
                    run(subject, backend, request, listener)
                }),
            };
            return Ok(Some(ended));
        }
        let is_icarus = self.simulator == Simulator::Icarus;
        Ok(is_icarus.then(|| {
            self.in_icarus(&|folder| {
                let backend = mkns_cosim::Backend::Icarus(&sources.files, folder);
                run(Subject::Blocks(plan, kind), backend, request, listener)
            })
        }))
    }

    /// Runs in Icarus, in a folder that is kept if asked for, whatever comes out.
    fn in_icarus(
        &self,
        run: &dyn Fn(&Path) -> Result<Checked, SessionError>,
    ) -> Result<Checked, SessionError> {
        let place = match &self.vectors {
            None => std::env::temp_dir(),
            // Beside it: from there it can be renamed.
            Some(kept) => folder_of(kept).to_owned(),
        };
        let folder = mkns_scratch::Scratch::new_in("icarus", &place);
        let folder = folder.map_err(Error::io("make a folder in", &place))?;
        let ended = run(folder.path());
        let Some(kept) = &self.vectors else {
            return ended;
        };
        let renamed = std::fs::rename(folder.path(), kept).map_err(Error::io("make", kept));
        if renamed.is_ok() {
            folder.keep();
        }
        match ended {
            Err(SessionError::Failed(mut failure)) => {
                failure.lacks("vectors", renamed);
                Err(SessionError::Failed(failure))
            }
            ended => renamed.map_err(SessionError::from).and(ended),
        }
    }
}
