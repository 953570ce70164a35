//! Verilated RTL of the modules of a plan.
//!
//! Writes the rendered sources into a temporary folder, asks `sim` for libraries and wraps their
//! instances as [`Device`]s. Knows nothing of traffic.

use std::env;
use std::fs;
use std::path::PathBuf;

use mkns_sim::{
    Bank, Effort, Error, InstanceOptions, ModelLibrary, ModelSource, PortDecl, Progress, Toolchain,
};

use mkns_design::{BlockModule, Device, Plan, Port};
use mkns_routing::BlockTables;
use mkns_rtl as rtl;
use mkns_scratch::Scratch;
use mkns_topology::BlockId;

use super::board_top::{top_name as board_top_name, with_board_tops};
use super::cell_library::CellLibrary;
use mkns_random::mix;

/// Block-cycles up to which a quickly compiled model gives its result sooner: it saves some eight
/// seconds and costs about 7 µs a block-cycle.
const SHORT_RUN: u64 = 200_000;

/// Verilated RTL of a plan's modules.
pub struct Models {
    toolchain: Toolchain,
    folder: Scratch,
    /// As they were given: file name and text.
    sources: Vec<(String, String)>,
    files: Vec<PathBuf>,
    /// Of netlists.
    cells: Option<CellLibrary>,
    effort: Effort,
}

impl Models {
    /// Takes the sources that the plan generates.
    pub fn new(plan: &Plan) -> mkns_sim::Result<Self> {
        let sources = match plan.modules.iter().any(|module| module.serial_ports != 0) {
            true => rtl::render_network(plan).unwrap_or_else(|_| rtl::render_sources(plan)),
            false => rtl::render_sources(plan),
        };
        Self::from_sources(&with_board_tops(plan, &sources))
    }

    /// Takes given sources (file name and text), for example with a fault planted in them.
    pub fn from_sources(sources: &[(String, String)]) -> mkns_sim::Result<Self> {
        let toolchain = Toolchain::locate()?;
        let folder = Scratch::new("rtl").map_err(Error::io("work in", &env::temp_dir()))?;
        let mut files = Vec::new();
        for (name, text) in sources {
            let path = folder.path().join(name);
            fs::write(&path, rtl::without_banner(text)).map_err(Error::io("write", &path))?;
            files.push(path);
        }
        Ok(Self {
            toolchain,
            folder,
            sources: sources.to_vec(),
            files,
            cells: None,
            effort: Effort::Full,
        })
    }

    /// The sources as they were given: file name and text.
    pub fn sources(&self) -> &[(String, String)] {
        &self.sources
    }

    /// Takes the netlist of one module, and the cells that it is made of.
    pub fn of_netlist(text: &str, cells: &CellLibrary) -> mkns_sim::Result<Self> {
        // Of modules with the same name Verilator takes the first.
        let mut sources = vec![("netlist.v".to_owned(), text.to_owned())];
        sources.extend(cells.own.iter().cloned());
        let mut models = Self::from_sources(&sources)?;
        models.files.push(cells.file.clone());
        models.cells = Some(cells.clone());
        Ok(models)
    }

    /// Says how long the models will run, cycles times instances, so that a short run does not wait
    /// for an optimising compiler.
    pub fn for_block_cycles(mut self, block_cycles: u64) -> Self {
        self.effort = match block_cycles <= SHORT_RUN {
            true => Effort::Quick,
            false => Effort::Full,
        };
        self
    }

    /// Overrides of a module's parameters; none where they have been built in.
    pub fn parameters(&self, module: &BlockModule) -> Vec<(String, String)> {
        match self.cells {
            Some(_) => Vec::new(),
            None => rtl::block_parameters(module),
        }
    }

    /// Options of the command line that ask for these models.
    pub(super) fn options(&self) -> String {
        let family = self.cells.as_ref().map(|cells| cells.family.name());
        family.map_or(String::new(), |name| format!(" --netlist {name}"))
    }

    /// What all models of these sources have in common.
    fn source(&self) -> ModelSource {
        let folders = self.cells.iter().map(|cells| cells.folder.clone());
        let defines = self.cells.iter().map(|_| "NO_INCLUDES".to_owned());
        ModelSource {
            files: self.files.clone(),
            include_dirs: folders.collect(),
            defines: defines.collect(),
            effort: self.effort,
            ..ModelSource::default()
        }
    }

    /// Builds one module, or takes it from the cache.
    pub fn library(
        &self,
        module: &BlockModule,
        progress: &dyn Fn(Progress),
    ) -> mkns_sim::Result<ModelLibrary> {
        mkns_sim::build(&self.block(module), &self.toolchain, progress)
    }

    /// Builds one module that is powered up with these tables.
    pub fn library_with_tables(
        &self,
        module: &BlockModule,
        tables: &BlockTables,
    ) -> mkns_sim::Result<ModelLibrary> {
        let mut source = self.block(module);
        source.parameters.extend(rtl::table_parameters(tables));
        mkns_sim::build(&source, &self.toolchain, &|_| {})
    }

    /// Builds one module that counts which of its lines are reached.
    pub fn counting(
        &self,
        module: &BlockModule,
        progress: &dyn Fn(Progress),
    ) -> mkns_sim::Result<ModelLibrary> {
        let source = ModelSource {
            coverage: true,
            ..self.block(module)
        };
        mkns_sim::build(&source, &self.toolchain, progress)
    }

    /// The module that a block of the network is in these sources, with what is around it, and its overrides.
    pub fn top(&self, module: &BlockModule) -> (String, Vec<(String, String)>) {
        let parameters = self.parameters(module);
        if module.serial_ports == 0 {
            return (rtl::module_name(module.kind).to_owned(), parameters);
        }
        let shapes = parameters.into_iter();
        let shapes = shapes.filter(|(name, _)| name.starts_with("TABLE") && name.contains('_'));
        (board_top_name(module), shapes.collect())
    }

    fn block(&self, module: &BlockModule) -> ModelSource {
        let table = module.board_table();
        let (top, parameters) = self.top(module);
        ModelSource {
            top,
            parameters,
            inputs: declarations(&table.inputs),
            outputs: declarations(&table.outputs),
            // The window of a board passes on what the block shows.
            registered_outputs: module.serial_ports == 0,
            ..self.source()
        }
    }

    /// Builds a module that holds many blocks; all its outputs are registered.
    pub fn library_of_top(
        &self,
        top: &str,
        parameters: Vec<(String, String)>,
        ports: (Vec<PortDecl>, Vec<PortDecl>),
        trace: bool,
        progress: &dyn Fn(Progress),
    ) -> mkns_sim::Result<ModelLibrary> {
        let source = ModelSource {
            top: top.to_owned(),
            parameters,
            inputs: ports.0,
            outputs: ports.1,
            registered_outputs: true,
            trace,
            ..self.source()
        };
        mkns_sim::build(&source, &self.toolchain, progress)
    }

    /// Builds a module whose clocks go through gates, so that its inputs come without registers.
    pub fn library_of_gated_top(
        &self,
        top: &str,
        ports: (Vec<PortDecl>, Vec<PortDecl>),
        progress: &dyn Fn(Progress),
    ) -> mkns_sim::Result<ModelLibrary> {
        let source = ModelSource {
            top: top.to_owned(),
            inputs: ports.0,
            outputs: ports.1,
            ..self.source()
        };
        mkns_sim::build(&source, &self.toolchain, progress)
    }

    /// Builds another top over the same files and one more, recording waveforms.
    pub(super) fn traced(
        &self,
        top: &str,
        text: &str,
        inputs: Vec<PortDecl>,
        outputs: Vec<PortDecl>,
    ) -> mkns_sim::Result<ModelLibrary> {
        let path = self.folder.path().join(format!("{top}.v"));
        fs::write(&path, text).map_err(Error::io("write", &path))?;
        let mut source = ModelSource {
            top: top.to_owned(),
            inputs,
            outputs,
            trace: true,
            ..self.source()
        };
        source.files.push(path);
        mkns_sim::build(&source, &self.toolchain, &|_| {})
    }
}

/// Port declarations as `sim` wants them.
pub fn declarations(ports: &[Port]) -> Vec<PortDecl> {
    ports
        .iter()
        .map(|port| PortDecl::new(port.name, port.bits))
        .collect()
}

/// Power-up seed of one instance: every block powers up differently.
pub fn power_up_seed(seed: u64, block: BlockId) -> u64 {
    mix(seed ^ u64::from(block.0) << 32)
}

/// Verilated instances of the given blocks.
pub fn rtl_device(
    library: &ModelLibrary,
    blocks: &[BlockId],
    seed: u64,
) -> mkns_sim::Result<Box<dyn Device>> {
    let options: Vec<InstanceOptions> = blocks
        .iter()
        .map(|&block| InstanceOptions {
            seed: power_up_seed(seed, block),
            ..InstanceOptions::default()
        })
        .collect();
    Ok(Box::new(RtlBank(library.bank(&options)?)))
}

struct RtlBank(Bank);

impl Device for RtlBank {
    fn step_all(&mut self, inputs: &[u64], outputs: &mut [u64]) {
        self.0.step_all(inputs, outputs);
    }

    fn stopped(&self) -> Option<(usize, String)> {
        if self.0.stopped() == 0 {
            return None;
        }
        (0..self.0.len()).find_map(|instance| Some((instance, self.0.stop(instance)?.message)))
    }
}
