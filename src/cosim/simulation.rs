//! Whether a simulation says what the hardware does: the traffic of `mkns sim` through the RTL in
//! lockstep with the golden model, and the cycles in which its packets leave.

use crate::design::Plan;
use crate::golden::measure::Arrived;
use crate::golden::traffic::Traffic;
use crate::topology::BlockId;

use super::models::{Models, golden_network_device, rtl_device};
use super::network::{Pair, Replay};
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
    let libraries = libraries(plan, models, watcher)?;
    let mut banks = Vec::new();
    for (number, library) in libraries.iter().enumerate() {
        let blocks = members(plan, number);
        banks.push(Some(rtl_device(library, &blocks, traffic.seed)?));
    }
    let mut devices = |module: usize, blocks: &[BlockId]| Pair {
        rtl: banks[module]
            .take()
            .expect("every module is asked for once"),
        golden: Some(golden_network_device(plan, module, blocks)),
    };
    let replay = Replay {
        plan,
        traffic,
        cycles,
    };
    replay.run(&mut devices).map_err(SessionError::Failed)
}
