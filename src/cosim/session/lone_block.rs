//! Every block module of a kind alone, RTL against golden model; a failure becomes a report with its
//! replay command and, if wanted, its waveform.

use crate::block::{BlockRun, BlockSummary};
use crate::golden_devices::golden_device;
use crate::mismatch::Failure;
use crate::models::{Models, power_up_seed, rtl_device};
use crate::stimulus::Restrictions;
use crate::trace::{InputLog, Recording, write_trace};
use mkns_design::{BlockModule, ModuleKind, Plan};
use mkns_topology::BlockId;

use super::request::each_pattern;
use super::{Request, RunListener, SessionError, replay};

/// The block modules of a kind, with their names in reports: the kind, numbered when the plan has several.
pub fn modules_of(plan: &Plan, kind: ModuleKind) -> Vec<(String, BlockModule)> {
    // With one cascade every POK unit is in a terminal: the same unit is checked as a block.
    let terminal = plan.modules.iter().find_map(|module| module.pok);
    if let (ModuleKind::Pok, Some(shape)) = (kind, terminal) {
        let unit = BlockModule::pok(shape, &plan.spec.block);
        return vec![(kind.name().to_owned(), unit)];
    }
    // Boards with the same block differ in link ports alone.
    let mut modules: Vec<BlockModule> = Vec::new();
    for module in plan.modules.iter().filter(|module| module.kind == kind) {
        let alone = module.alone();
        if !modules.contains(&alone) {
            modules.push(alone);
        }
    }
    let label = |number: usize| match modules.len() {
        1 => kind.name().to_owned(),
        _ => format!("{} {}", kind.name(), number + 1),
    };
    let labels = (0..modules.len()).map(label).collect::<Vec<_>>();
    labels.into_iter().zip(modules).collect()
}

/// One block module alone, with its name in reports, once per pattern asked for.
pub(crate) fn run_block(
    (label, module): (&str, &BlockModule),
    models: &Models,
    request: &Request,
    restrictions: &Restrictions,
    listener: &dyn RunListener,
) -> Result<Vec<BlockSummary>, SessionError> {
    let library = models.library(module, &|progress| listener.building(progress))?;
    each_pattern(label, request, listener, |traffic, watch| {
        let run = request.block_run(label, traffic, restrictions);
        let rtl = rtl_device(&library, &[BlockId(0)], run.seed)?;
        let ended = run.run(module, rtl, golden_device(module), watch);
        ended.map_err(|failure| block_failure(failure, models, module, &run, request))
    })
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
    if let Some(recording) = &request.trace {
        let written = trace_lone_block(&failure, models, module, run, recording);
        failure.lacks("waveform", written);
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
    let (device, log) = InputLog::of(golden_device(module), module, 0, last);
    let shortened = BlockRun {
        cycles: run.cycles.min(last.saturating_add(2)),
        ..run.clone()
    };
    // The run may go wrong in its own way after the cycle of interest: only the log counts.
    let golden = golden_device(module);
    let _ = shortened.run(module, golden, device, &mut |_| {});
    let seed = power_up_seed(run.seed, BlockId(0));
    write_trace(models, module, &log, seed, failure, recording)
}
