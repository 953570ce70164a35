//! The RTL in lockstep with the golden model under traffic that is made elsewhere: that of `mkns sim`,
//! whose packets then leave in the same cycles, and the loads of `mkns verify-nonblocking`.

use crate::design::Plan;
use crate::golden::measure::Arrived;
use crate::golden::traffic::Traffic;
use crate::topology::BlockId;

use super::models::{Models, golden_network_device, rtl_device};
use super::network::{LockstepNetwork, Pair, Replay};
use super::session::{SessionError, Watcher, libraries, members};

/// All packets that hosts take from the RTL in the first `cycles` cycles of traffic, in the order
/// of cycle, source and destination. Every output is compared with the golden model on the way.
pub fn deliveries_of_rtl(
    plan: &Plan,
    models: &Models,
    traffic: &Traffic,
    cycles: u64,
    watcher: &dyn Watcher,
) -> Result<Vec<Arrived>, SessionError> {
    let replay = Replay {
        plan,
        traffic,
        cycles,
    };
    let mut pairs = pairs(plan, models, traffic.seed, watcher)?;
    let arrived = replay.run(&mut |module, _: &[BlockId]| take(&mut pairs, module));
    arrived.map_err(SessionError::Failed)
}

/// A whole network of pairs, ready to be driven; the registers of the RTL power up from `seed`.
pub fn lockstep_network<'a>(
    plan: &'a Plan,
    models: &Models,
    seed: u64,
    watcher: &dyn Watcher,
) -> Result<LockstepNetwork<'a>, SessionError> {
    let mut pairs = pairs(plan, models, seed, watcher)?;
    let network = LockstepNetwork::new(plan, &mut |module, _: &[BlockId]| take(&mut pairs, module));
    network.map_err(SessionError::Failed)
}

/// The two sides of every module's blocks.
fn pairs(
    plan: &Plan,
    models: &Models,
    seed: u64,
    watcher: &dyn Watcher,
) -> mkns_sim::Result<Vec<Option<Pair>>> {
    let libraries = libraries(plan, models, watcher)?;
    let pair = |(module, library)| {
        let blocks = members(plan, module);
        Ok(Some(Pair {
            rtl: rtl_device(library, &blocks, seed)?,
            golden: Some(golden_network_device(plan, module, &blocks)),
        }))
    };
    libraries.iter().enumerate().map(pair).collect()
}

fn take(pairs: &mut [Option<Pair>], module: usize) -> Pair {
    pairs[module]
        .take()
        .expect("every module is asked for once")
}
