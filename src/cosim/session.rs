//! A whole co-simulation as a user asks for it: builds the models of a plan, runs them, and turns
//! the first failure into a report with its replay command and, if wanted, its waveform.

use std::cell::RefCell;
use std::rc::Rc;

use mkns_sim::{ModelLibrary, Progress};

use crate::design::{BlockModule, ModuleKind, Plan};
use crate::golden::RouteSource;
use crate::topology::BlockId;

use super::block::{BlockRun, BlockSummary};
use super::mismatch::Failure;
use super::models::{Models, golden_device, golden_routed_device, power_up_seed, rtl_device};
use super::network::{Disturbance, NetworkRun, NetworkSummary, Pair, Supply};
use super::stimulus::{Restrictions, Traffic};
use super::trace::{Recorder, Recording, Tape, write_trace};

/// What a co-simulation is asked to do.
#[derive(Debug, Clone)]
pub struct Request {
    /// As the user wrote it, for the replay command.
    pub spec: String,
    pub traffic: Vec<Traffic>,
    /// Flits that each host offers in a thousand cycles (whole networks).
    pub load: u32,
    /// Cycles for each kind of traffic.
    pub cycles: u64,
    pub seed: u64,
    /// What disturbs the run (whole networks).
    pub disturbance: Disturbance,
    /// The waveform of a failure, if one is wanted.
    pub trace: Option<Recording>,
}

/// Why a co-simulation ended early.
#[derive(Debug)]
pub enum SessionError {
    Failed(Box<Failure>),
    Simulator(mkns_sim::Error),
}

impl From<mkns_sim::Error> for SessionError {
    fn from(error: mkns_sim::Error) -> Self {
        Self::Simulator(error)
    }
}

/// What a run tells while it works.
pub trait Watcher {
    /// A model is being built.
    fn building(&self, progress: Progress);
    /// A netlist is being made.
    fn synthesising(&self, _what: &str) {}
    /// A run begins: what, and how many cycles.
    fn begins(&self, what: &str, cycles: u64);
    /// Cycles done.
    fn reached(&self, cycle: u64);
}

/// Says nothing.
pub struct Silent;

impl Watcher for Silent {
    fn building(&self, _progress: Progress) {}
    fn begins(&self, _what: &str, _cycles: u64) {}
    fn reached(&self, _cycle: u64) {}
}

/// Name of a block module in reports: its kind, numbered when the plan has several of the kind.
fn module_label(plan: &Plan, number: usize) -> String {
    let kind = plan.modules[number].kind;
    let name = kind.name();
    let same: Vec<usize> = (0..plan.modules.len())
        .filter(|&other| plan.modules[other].kind == kind)
        .collect();
    match same.len() {
        1 => name.to_owned(),
        _ => {
            let place = same.iter().position(|&other| other == number);
            format!("{name} {}", place.unwrap_or(0) + 1)
        }
    }
}

/// The block modules of a kind, with their names in reports.
pub fn modules_of(plan: &Plan, kind: ModuleKind) -> Vec<(String, BlockModule)> {
    // With one cascade every РОК unit is in a terminal: the same unit is checked as a block.
    let terminal = plan.modules.iter().find_map(|module| module.rok);
    if let (ModuleKind::Rok, Some(shape)) = (kind, terminal) {
        let unit = BlockModule::rok(shape, &plan.spec.block);
        return vec![(kind.name().to_owned(), unit)];
    }
    let all = plan.modules.iter().enumerate();
    all.filter(|(_, module)| module.kind == kind)
        .map(|(number, module)| (module_label(plan, number), module.clone()))
        .collect()
}

/// Every block module of a kind alone, under every kind of traffic asked for. Empty when the plan
/// has no such module.
pub fn check_blocks(
    plan: &Plan,
    models: &Models,
    kind: ModuleKind,
    request: &Request,
    watcher: &dyn Watcher,
) -> Result<Vec<BlockSummary>, SessionError> {
    let everything = Restrictions::default();
    check_restricted(plan, models, kind, request, &everything, watcher)
}

/// [`check_blocks`] with less traffic.
pub(super) fn check_restricted(
    plan: &Plan,
    models: &Models,
    kind: ModuleKind,
    request: &Request,
    restrictions: &Restrictions,
    watcher: &dyn Watcher,
) -> Result<Vec<BlockSummary>, SessionError> {
    let mut summaries = Vec::new();
    for (label, module) in modules_of(plan, kind) {
        let block = (label.as_str(), &module);
        summaries.extend(check_one(block, models, request, restrictions, watcher)?);
    }
    Ok(summaries)
}

/// One block module alone, under every kind of traffic asked for.
pub fn check_block(
    module: &BlockModule,
    label: &str,
    models: &Models,
    request: &Request,
    watcher: &dyn Watcher,
) -> Result<Vec<BlockSummary>, SessionError> {
    let everything = Restrictions::default();
    check_one((label, module), models, request, &everything, watcher)
}

fn check_one(
    (label, module): (&str, &BlockModule),
    models: &Models,
    request: &Request,
    restrictions: &Restrictions,
    watcher: &dyn Watcher,
) -> Result<Vec<BlockSummary>, SessionError> {
    let library = models.library(module, &|progress| watcher.building(progress))?;
    let mut summaries = Vec::new();
    for &traffic in &request.traffic {
        let run = BlockRun {
            block: label.to_owned(),
            traffic,
            cycles: request.cycles,
            seed: request.seed,
            restrictions: restrictions.clone(),
        };
        watcher.begins(&format!("{}, {}", run.block, traffic.name()), run.cycles);
        let rtl = rtl_device(&library, &[BlockId(0)], run.seed)?;
        let watch = &mut |cycle| watcher.reached(cycle);
        match run.run(module, rtl, golden_device(module), watch) {
            Ok(summary) => summaries.push(summary),
            Err(failure) => {
                return Err(block_failure(failure, models, module, &run, request));
            }
        }
    }
    Ok(summaries)
}

fn block_failure(
    mut failure: Box<Failure>,
    models: &Models,
    module: &BlockModule,
    run: &BlockRun,
    request: &Request,
) -> SessionError {
    let kind = module.kind.name();
    failure.traffic = Some(run.traffic);
    let options = format!(" --block {kind}{}", models.options());
    failure.replay = replay(request, run.traffic, &options);
    if let Some(recording) = &request.trace
        && let Err(error) = trace_lone_block(&failure, models, module, run, recording)
    {
        return error.into();
    }
    SessionError::Failed(failure)
}

fn trace_lone_block(
    failure: &Failure,
    models: &Models,
    module: &BlockModule,
    run: &BlockRun,
    recording: &Recording,
) -> mkns_sim::Result<()> {
    let last = recording.last(failure.cycle);
    let (recorder, tape) = Recorder::new(golden_device(module), module, 0, last);
    let shortened = BlockRun {
        cycles: run.cycles.min(last.saturating_add(2)),
        ..run.clone()
    };
    // The run may go wrong in its own way after the cycle of interest: only the tape counts.
    let golden = golden_device(module);
    let _ = shortened.run(module, golden, Box::new(recorder), &mut |_| {});
    let seed = power_up_seed(run.seed, BlockId(0));
    write_trace(models, module, &tape.borrow(), seed, failure, recording)
}

/// The whole network under every kind of traffic asked for.
pub fn check_network(
    plan: &Plan,
    models: &Models,
    request: &Request,
    watcher: &dyn Watcher,
) -> Result<Vec<NetworkSummary>, SessionError> {
    let libraries = libraries(plan, models, watcher)?;
    let network = Network {
        plan,
        libraries: &libraries,
    };
    let mut summaries = Vec::new();
    for &traffic in &request.traffic {
        let run = NetworkRun {
            traffic,
            load: request.load,
            cycles: request.cycles,
            seed: request.seed,
            disturbance: request.disturbance,
        };
        summaries.push(network.check(models, &run, &Supply::Random, request, watcher)?);
    }
    Ok(summaries)
}

/// A network block by block, ready to run as often as wanted.
pub(super) struct Network<'a> {
    pub plan: &'a Plan,
    /// One for every module of the plan.
    pub libraries: &'a [ModelLibrary],
}

impl Network<'_> {
    /// One run of fresh instances.
    pub fn run(
        &self,
        run: &NetworkRun,
        supply: &Supply,
        watch: &mut dyn FnMut(u64),
    ) -> mkns_sim::Result<Result<NetworkSummary, Box<Failure>>> {
        let mut pairs = Pairs::new(self.plan, self.libraries, run.seed, run.routes())?;
        let mut devices = |module, _: &[BlockId]| pairs.take(module);
        Ok(run.run_supplied(self.plan, supply, &mut devices, watch))
    }

    /// The same with a full report of a failure.
    pub fn check(
        &self,
        models: &Models,
        run: &NetworkRun,
        supply: &Supply,
        request: &Request,
        watcher: &dyn Watcher,
    ) -> Result<NetworkSummary, SessionError> {
        let what = format!("{}, {}", self.plan.spec.name, run.traffic.name());
        watcher.begins(&what, run.cycles);
        let ended = self.run(run, supply, &mut |cycle| watcher.reached(cycle))?;
        ended.map_err(|failure| network_failure(failure, self.plan, models, run, supply, request))
    }
}

/// The two sides of every module's blocks, each handed out once.
pub(super) struct Pairs(Vec<Option<Pair>>);

impl Pairs {
    /// Fresh instances; the registers of the RTL power up from `seed`.
    pub fn new(
        plan: &Plan,
        libraries: &[ModelLibrary],
        seed: u64,
        routes: RouteSource,
    ) -> mkns_sim::Result<Self> {
        let pair = |(module, library)| {
            let blocks = members(plan, module);
            Ok(Some(Pair {
                rtl: rtl_device(library, &blocks, seed)?,
                golden: Some(golden_routed_device(plan, module, &blocks, routes)),
            }))
        };
        let pairs = libraries.iter().enumerate().map(pair);
        pairs.collect::<mkns_sim::Result<_>>().map(Self)
    }

    /// Those of one module.
    pub fn take(&mut self, module: usize) -> Pair {
        self.0[module]
            .take()
            .expect("every module is asked for once")
    }
}

/// One library for every module of the plan.
pub fn libraries(
    plan: &Plan,
    models: &Models,
    watcher: &dyn Watcher,
) -> mkns_sim::Result<Vec<ModelLibrary>> {
    let progress = |progress| watcher.building(progress);
    plan.modules
        .iter()
        .map(|module| models.library(module, &progress))
        .collect()
}

/// Blocks that are instances of a module, in block order.
pub fn members(plan: &Plan, module: usize) -> Vec<BlockId> {
    let of_module = plan
        .instances
        .iter()
        .filter(|instance| instance.module == module);
    of_module.map(|instance| instance.block).collect()
}

fn network_failure(
    mut failure: Box<Failure>,
    plan: &Plan,
    models: &Models,
    run: &NetworkRun,
    supply: &Supply,
    request: &Request,
) -> SessionError {
    failure.traffic = Some(run.traffic);
    failure.replay = replay(request, run.traffic, &network_options(run));
    let block = plan.network.block_named(&failure.block);
    if let (Some(recording), Some(block)) = (&request.trace, block)
        && let Err(error) = trace_block(block, &failure, plan, models, (run, supply), recording)
    {
        return error.into();
    }
    SessionError::Failed(failure)
}

fn trace_block(
    block: BlockId,
    failure: &Failure,
    plan: &Plan,
    models: &Models,
    (run, supply): (&NetworkRun, &Supply),
    recording: &Recording,
) -> mkns_sim::Result<()> {
    let last = recording.last(failure.cycle);
    let tape = golden_run(plan, run, supply, last, Some(block));
    let Some(tape) = tape else {
        return Ok(());
    };
    let module = &plan.modules[plan.instances[block.0 as usize].module];
    let seed = power_up_seed(run.seed, block);
    write_trace(models, module, &tape.borrow(), seed, failure, recording)
}

/// A run up to a cycle in which golden models stand in for the RTL, and what one of its blocks sees.
pub(super) fn golden_run(
    plan: &Plan,
    run: &NetworkRun,
    supply: &Supply,
    last: u64,
    block: Option<BlockId>,
) -> Option<Rc<RefCell<Tape>>> {
    let mut tape = None;
    let mut devices = |group: usize, blocks: &[BlockId]| {
        let golden = golden_routed_device(plan, group, blocks, run.routes());
        let instance = block.and_then(|block| blocks.iter().position(|&member| member == block));
        let rtl = match instance {
            Some(instance) => {
                let module = &plan.modules[group];
                let (recorder, written) = Recorder::new(golden, module, instance, last);
                tape = Some(written);
                Box::new(recorder)
            }
            None => golden,
        };
        Pair { rtl, golden: None }
    };
    let shortened = NetworkRun {
        cycles: run.cycles.min(last.saturating_add(2)),
        ..run.clone()
    };
    // The run may go wrong in its own way after the cycle of interest: only what was written down counts.
    let _ = shortened.run_supplied(plan, supply, &mut devices, &mut |_| {});
    tape
}

/// Options of the command line that a whole-network run has beyond those of all runs.
pub(super) fn network_options(run: &NetworkRun) -> String {
    let flag = |on: bool, name: &'static str| if on { name } else { "" };
    format!(
        " --load {}{}{}",
        f64::from(run.load) / 10.0,
        flag(run.disturbance.link_faults, " --link-faults"),
        flag(run.disturbance.control_traffic, " --control-traffic"),
    )
}

/// The command that runs a request again for one kind of traffic.
pub(super) fn replay(request: &Request, traffic: Traffic, more: &str) -> String {
    format!(
        "mkns cosim \"{}\"{more} --traffic {} --cycles {} --seed {} --trace failure.fst",
        request.spec,
        traffic.name(),
        request.cycles,
        request.seed
    )
}
