//! The RTL in lockstep with the golden model under traffic that is made elsewhere: that of `mkns sim`,
//! whose packets then leave in the same cycles, and the loads of `mkns verify-nonblocking`.

use mkns_design::Plan;
use mkns_simulation::measure::Arrived;
use mkns_topology::BlockId;
use mkns_traffic::Traffic;

use super::golden_devices::LockstepConfig;
use super::models::Models;
use super::network::{LockstepNetwork, Replay};
use super::session::{Pairs, SessionError, Watcher, libraries};

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
    let libraries = libraries(plan, models, watcher)?;
    let mut pairs = Pairs::new(plan, &libraries, LockstepConfig::computed(traffic.seed))?;
    let arrived = replay.run(&mut |_, blocks: &[BlockId]| pairs.take(blocks));
    arrived.map_err(SessionError::Failed)
}

/// A whole network of pairs, ready to be driven; the registers of the RTL power up from `seed`.
pub fn lockstep_network<'a>(
    plan: &'a Plan,
    models: &Models,
    seed: u64,
    watcher: &dyn Watcher,
) -> Result<LockstepNetwork<'a>, SessionError> {
    let libraries = libraries(plan, models, watcher)?;
    let mut pairs = Pairs::new(plan, &libraries, LockstepConfig::computed(seed))?;
    let network = LockstepNetwork::new(plan, &mut |_, blocks: &[BlockId]| pairs.take(blocks));
    network.map_err(SessionError::Failed)
}
