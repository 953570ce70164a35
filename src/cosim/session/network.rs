//! A whole network block by block, RTL against golden models; a failure becomes a report with its
//! replay command and, if wanted, the waveform of the block that differs.

use std::sync::{Arc, Mutex};

use mkns_sim::ModelLibrary;

use crate::golden_devices::unconfigured_device;
use crate::mismatch::Failure;
use crate::models::{Models, power_up_seed};
use crate::network::{NetworkRun, NetworkSummary, Pair};
use crate::trace::{InputLog, Recording, write_trace};
use mkns_design::Plan;
use mkns_topology::BlockId;

use super::pairs::{Pairs, libraries};
use super::{Request, RunListener, SessionError, replay, replay_untraced};

/// Runs of a network of fresh instances one after the other, with a full report of the first failure.
pub(crate) fn run_networks(
    plan: &Plan,
    models: &Models,
    runs: &[NetworkRun],
    request: &Request,
    listener: &dyn RunListener,
) -> Result<Vec<NetworkSummary>, SessionError> {
    let libraries = libraries(plan, models, listener)?;
    let ended = runs.iter().map(|run| {
        let what = format!("{}, {}", plan.spec.name, run.traffic.name());
        listener.begins(&what, run.cycles);
        let ended = run_instances(plan, &libraries, run, &mut |cycle| listener.reached(cycle))?;
        ended.map_err(|failure| network_failure(failure, plan, models, run, request))
    });
    ended.collect()
}

/// One run of fresh instances; a library for every module of the plan.
pub(crate) fn run_instances(
    plan: &Plan,
    libraries: &[ModelLibrary],
    run: &NetworkRun,
    watch: &mut dyn FnMut(u64),
) -> mkns_sim::Result<Result<NetworkSummary, Box<Failure>>> {
    let mut pairs = Pairs::new(plan, libraries, run.sides())?;
    Ok(run.run(plan, &mut |_, blocks: &[BlockId]| pairs.take(blocks), watch))
}

fn network_failure(
    mut failure: Box<Failure>,
    plan: &Plan,
    models: &Models,
    run: &NetworkRun,
    request: &Request,
) -> SessionError {
    failure.traffic = Some(run.traffic);
    let replay = match run.live {
        Some(_) => replay_untraced,
        None => replay,
    };
    failure.replay = replay(request, run.traffic, &network_options(run));
    let block = plan.network.block_named(&failure.block);
    if let (Some(recording), Some(block)) = (&request.trace, block) {
        let written = trace_block(block, &failure, plan, models, run, recording);
        failure.lacks("waveform", written);
    }
    SessionError::Failed(failure)
}

fn trace_block(
    block: BlockId,
    failure: &Failure,
    plan: &Plan,
    models: &Models,
    run: &NetworkRun,
    recording: &Recording,
) -> mkns_sim::Result<()> {
    let last = recording.last(failure.cycle);
    let log = golden_run(plan, run, last, Some(block));
    let Some(log) = log else {
        return Ok(());
    };
    let module = &plan.modules[plan.instances[block.0 as usize].module];
    let seed = power_up_seed(run.seed, block);
    write_trace(models, module, &log, seed, failure, recording)
}

/// A run up to a cycle in which golden models stand in for the RTL, and what one of its blocks sees.
pub(crate) fn golden_run(
    plan: &Plan,
    run: &NetworkRun,
    last: u64,
    block: Option<BlockId>,
) -> Option<Arc<Mutex<InputLog>>> {
    let mut log = None;
    let mut devices = |group: usize, blocks: &[BlockId]| {
        let golden = unconfigured_device(plan, group, blocks, run.routes());
        let instance = block.and_then(|block| blocks.iter().position(|&member| member == block));
        let rtl = match instance {
            Some(instance) => {
                let module = &plan.modules[group];
                let (device, written) = InputLog::of(golden, module, instance, last);
                log = Some(written);
                device
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
    let _ = shortened.run(plan, &mut devices, &mut |_| {});
    log
}

/// Options of the command line that a whole-network run has beyond those of all runs.
pub(crate) fn network_options(run: &NetworkRun) -> String {
    let flag = |on: bool, name: &'static str| if on { name } else { "" };
    format!(
        " --load {}{}{}",
        f64::from(run.load) / 1000.0,
        flag(run.fault_plan.link_faults, " --link-faults"),
        flag(run.fault_plan.control_traffic, " --control-traffic"),
    )
}
