//! A whole network block by block, RTL against golden models; a failure becomes a report with its
//! replay command and, if wanted, the waveform of the block that differs.

use std::sync::{Arc, Mutex};

use mkns_sim::ModelLibrary;

use crate::judge::{Sides, network_judge};
use crate::mismatch::Failure;
use crate::models::{Models, power_up_seed};
use crate::network::{LiveFaults, NetworkRun, NetworkSummary, Pair};
use crate::trace::{InputLog, LoggingDevice, Recording, write_trace};
use mkns_design::{Plan, RouteSource};
use mkns_topology::BlockId;
use mkns_traffic::OfferedPackets;

use super::pairs::{Pairs, libraries};
use super::{Request, SessionError, Watcher, replay, replay_untraced};

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
        let run = request.network_run(traffic);
        summaries.push(network.check(models, &run, &OfferedPackets::Random, request, watcher)?);
    }
    Ok(summaries)
}

/// The whole network under every kind of traffic asked for, while parts of it fail for good.
pub fn check_network_live(
    plan: &Plan,
    models: &Models,
    request: &Request,
    live: &LiveFaults,
    watcher: &dyn Watcher,
) -> Result<Vec<NetworkSummary>, SessionError> {
    let libraries = libraries(plan, models, watcher)?;
    let mut summaries = Vec::new();
    for &traffic in &request.traffic {
        let run = request.network_run(traffic);
        let what = format!("{}, {}", plan.spec.name, run.traffic.name());
        watcher.begins(&what, run.cycles);
        let sides = Sides {
            routes: RouteSource::Tables,
            ..run.sides()
        };
        let mut pairs = Pairs::new(plan, &libraries, sides)?;
        let mut devices = |_, blocks: &[BlockId]| pairs.take(blocks);
        let mut watch = |cycle| watcher.reached(cycle);
        let ended = run.run_live(plan, live, &mut devices, &mut watch);
        summaries.push(ended.map_err(|mut failure| {
            failure.traffic = Some(traffic);
            failure.replay = replay_untraced(request, traffic, &network_options(&run));
            SessionError::Failed(failure)
        })?);
    }
    Ok(summaries)
}

/// A network block by block, ready to run as often as wanted.
pub(crate) struct Network<'a> {
    pub plan: &'a Plan,
    /// One for every module of the plan.
    pub libraries: &'a [ModelLibrary],
}

impl Network<'_> {
    /// One run of fresh instances.
    pub fn run(
        &self,
        run: &NetworkRun,
        offered: &OfferedPackets,
        watch: &mut dyn FnMut(u64),
    ) -> mkns_sim::Result<Result<NetworkSummary, Box<Failure>>> {
        let mut pairs = Pairs::new(self.plan, self.libraries, run.sides())?;
        let mut devices = |_, blocks: &[BlockId]| pairs.take(blocks);
        Ok(run.run_with(self.plan, offered, &mut devices, watch))
    }

    /// One run of fresh instances, with a full report of a failure.
    pub fn check(
        &self,
        models: &Models,
        run: &NetworkRun,
        offered: &OfferedPackets,
        request: &Request,
        watcher: &dyn Watcher,
    ) -> Result<NetworkSummary, SessionError> {
        let what = format!("{}, {}", self.plan.spec.name, run.traffic.name());
        watcher.begins(&what, run.cycles);
        let ended = self.run(run, offered, &mut |cycle| watcher.reached(cycle))?;
        ended.map_err(|failure| network_failure(failure, self.plan, models, run, offered, request))
    }
}

fn network_failure(
    mut failure: Box<Failure>,
    plan: &Plan,
    models: &Models,
    run: &NetworkRun,
    offered: &OfferedPackets,
    request: &Request,
) -> SessionError {
    failure.traffic = Some(run.traffic);
    failure.replay = replay(request, run.traffic, &network_options(run));
    let block = plan.network.block_named(&failure.block);
    if let (Some(recording), Some(block)) = (&request.trace, block) {
        let written = trace_block(block, &failure, plan, models, (run, offered), recording);
        failure.lacks("waveform", written);
    }
    SessionError::Failed(failure)
}

fn trace_block(
    block: BlockId,
    failure: &Failure,
    plan: &Plan,
    models: &Models,
    (run, offered): (&NetworkRun, &OfferedPackets),
    recording: &Recording,
) -> mkns_sim::Result<()> {
    let last = recording.last(failure.cycle);
    let log = golden_run(plan, run, offered, last, Some(block));
    let Some(log) = log else {
        return Ok(());
    };
    let module = &plan.modules[plan.instances[block.0 as usize].module];
    let seed = power_up_seed(run.seed, block);
    write_trace(
        models,
        module,
        &log.lock().expect("no holder panics"),
        seed,
        failure,
        recording,
    )
}

/// A run up to a cycle in which golden models stand in for the RTL, and what one of its blocks sees.
pub(crate) fn golden_run(
    plan: &Plan,
    run: &NetworkRun,
    offered: &OfferedPackets,
    last: u64,
    block: Option<BlockId>,
) -> Option<Arc<Mutex<InputLog>>> {
    let mut log = None;
    let mut devices = |group: usize, blocks: &[BlockId]| {
        let golden = network_judge(plan, group, blocks, run.sides());
        let instance = block.and_then(|block| blocks.iter().position(|&member| member == block));
        let rtl = match instance {
            Some(instance) => {
                let module = &plan.modules[group];
                let (device, written) = LoggingDevice::new(golden, module, instance, last);
                log = Some(written);
                Box::new(device)
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
    let _ = shortened.run_with(plan, offered, &mut devices, &mut |_| {});
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
