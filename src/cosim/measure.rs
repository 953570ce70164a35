//! How fast a network is clocked: RTL alone, golden model alone, and both in lockstep, in one run.
//!
//! Processor time of this thread counts, not time on the wall: other work on the machine then costs
//! caches only.

use serde::Serialize;

use mkns_design::Plan;
use mkns_simulation::measure::processor_time;
use mkns_topology::BlockId;

use super::models::Models;
use super::network::{NetworkRun, Pair};
use super::session::{Pairs, SessionError, Watcher, libraries};

/// What was measured. Speeds in block-cycles per second of processor time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Speeds {
    pub blocks: usize,
    pub cycles: u64,
    /// Flits that each host offers per cycle.
    pub load: f64,
    /// Packets that arrived in one run.
    pub packets: u64,
    pub rtl_alone: f64,
    pub golden_alone: f64,
    pub lockstep: f64,
    /// Time that golden model and comparison add to the RTL alone: 0.2 = 20 %.
    pub cost_of_comparing: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sides {
    Rtl,
    Golden,
    Both,
}

impl Sides {
    fn name(self) -> &'static str {
        match self {
            Self::Rtl => "RTL alone",
            Self::Golden => "golden model alone",
            Self::Both => "lockstep",
        }
    }

    fn of(self, Pair { rtl, golden }: Pair) -> Pair {
        match (self, golden) {
            (Self::Both, golden) => Pair { rtl, golden },
            (Self::Golden, Some(rtl)) => Pair { rtl, golden: None },
            (Self::Rtl | Self::Golden, _) => Pair { rtl, golden: None },
        }
    }
}

/// Runs the same traffic three times, `rounds` times over, and keeps the best time of each: other
/// work on the machine only ever slows down.
pub fn measure(
    plan: &Plan,
    models: &Models,
    run: &NetworkRun,
    rounds: u32,
    watcher: &dyn Watcher,
) -> Result<Speeds, SessionError> {
    let libraries = libraries(plan, models, watcher)?;
    let mut best = [f64::INFINITY; 3];
    let (mut cycles, mut packets) = (0, 0);
    for _ in 0..rounds {
        for (best, sides) in best
            .iter_mut()
            .zip([Sides::Rtl, Sides::Golden, Sides::Both])
        {
            let mut pairs = Pairs::new(plan, &libraries, run.sides())?;
            let mut devices = |_: usize, blocks: &[BlockId]| sides.of(pairs.take(blocks));
            watcher.begins(sides.name(), run.cycles);
            let start = processor_time();
            let summary = run
                .run(plan, &mut devices, &mut |cycle| watcher.reached(cycle))
                .map_err(SessionError::Failed)?;
            *best = best.min(processor_time() - start);
            (cycles, packets) = (summary.cycles, summary.totals.packets_received);
        }
    }
    let blocks = plan.instances.len();
    let speed = |seconds: f64| blocks as f64 * cycles as f64 / seconds;
    Ok(Speeds {
        blocks,
        cycles,
        load: run.load_fraction(),
        packets,
        rtl_alone: speed(best[0]),
        golden_alone: speed(best[1]),
        lockstep: speed(best[2]),
        cost_of_comparing: best[2] / best[0] - 1.0,
    })
}
