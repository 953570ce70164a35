//! The generated network top as one model against the golden network: hosts and scoreboard of the
//! whole-network run, tables and node addresses as the top's text sets them.
//!
//! What only the top's text decides (cables, packing of the vectors, initial tables, node addresses)
//! is checked here and nowhere else.

use mkns_sim::ModelLibrary;

use mkns_design::Plan;
use mkns_rtl as rtl;

use super::models::Models;
use super::network::single_model::{SingleModel, network_vectors};
use super::network::{NetworkRun, NetworkSummary, partitions};
use super::session::{
    Request, RunListener, SessionError, each_pattern, network_options, replay, run_recorded,
};
use mkns_random::mix;

/// Largest network that is verilated as one model, because C++ compilation grows with the blocks: the 20
/// blocks of ten ports of `MKNS(2,4,2,1)` take three minutes of processor time.
pub const FLAT_BLOCKS: usize = 24;

/// The generated network once per pattern asked for. `models` holds the files of
/// [`rtl::render_network`].
pub(crate) fn run_single_model(
    plan: &Plan,
    models: &Models,
    request: &Request,
    listener: &dyn RunListener,
) -> Result<Vec<NetworkSummary>, SessionError> {
    let unrecorded = library(plan, models, false, listener)?;
    let what = format!("{} as one model", plan.spec.name);
    each_pattern(&what, request, listener, |traffic, watch| {
        let run = request.network_run(traffic);
        let more = format!(" --flat{}", network_options(&run));
        let make = |trace| match trace {
            true => instance(plan, &library(plan, models, true, listener)?, &run),
            false => instance(plan, &unrecorded, &run),
        };
        let one_run = |single: &mut SingleModel, watch: &mut dyn FnMut(u64)| {
            run.run_single_model(plan, single, watch)
        };
        run_recorded(
            request,
            replay(request, traffic, &more),
            make,
            one_run,
            watch,
        )
    })
}

fn library(
    plan: &Plan,
    models: &Models,
    trace: bool,
    listener: &dyn RunListener,
) -> mkns_sim::Result<ModelLibrary> {
    let (inputs, outputs) = network_vectors(plan);
    let ports = (inputs.ports, outputs.ports);
    let progress = |progress| listener.building(progress);
    models.library_of_top(&rtl::top_name(plan), Vec::new(), ports, trace, &progress)
}

fn instance(
    plan: &Plan,
    library: &ModelLibrary,
    run: &NetworkRun,
) -> mkns_sim::Result<SingleModel> {
    let rtl = library.instance(mix(run.seed))?;
    let (vectors, routes) = (network_vectors(plan), run.routes());
    let has_boards = plan.modules.iter().any(|module| module.serial_ports != 0);
    Ok(match has_boards {
        true => SingleModel::with_boards(plan, rtl, vectors, &partitions(plan, 1), routes),
        false => SingleModel::new(plan, rtl, vectors, routes),
    })
}
