//! How fast a network is clocked: RTL and models alone, and both in lockstep, in one run.
//!
//! Wall clock counts, because threads share the work of a lockstep.

use std::time::Instant;

use serde::Serialize;

use mkns_design::Plan;
use mkns_topology::BlockId;

use mkns_cosim::{Models, NetworkRun, Pair, Pairs, RunListener, SessionError, libraries};

/// What was measured. Speeds in block-cycles per second.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Speeds {
    pub blocks: usize,
    pub cycles: u64,
    /// Flits that each host offers per cycle.
    pub load: f64,
    /// Packets that arrived in one run.
    pub packets: u64,
    pub rtl_alone: f64,
    pub reference_alone: f64,
    /// On one thread.
    pub lockstep: f64,
    /// Of `lockstep_on_threads`.
    pub threads: usize,
    pub lockstep_on_threads: f64,
    /// Time that the reference and comparison add to the RTL alone: 0.2 = 20 %.
    pub cost_of_comparing: f64,
}

/// What is clocked in one of the runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Clocked {
    Rtl,
    Reference,
    Lockstep { threads: usize },
}

impl Clocked {
    fn name(self) -> &'static str {
        match self {
            Self::Rtl => "RTL alone",
            Self::Reference => "reference alone",
            Self::Lockstep { threads: 1 } => "lockstep",
            Self::Lockstep { .. } => "lockstep on threads",
        }
    }

    /// The run with this clocked.
    fn of(self, run: &NetworkRun) -> NetworkRun {
        let threads = match self {
            Self::Rtl | Self::Reference => 1,
            Self::Lockstep { threads } => threads,
        };
        NetworkRun {
            threads,
            ..run.clone()
        }
    }

    fn pick(self, Pair { rtl, golden }: Pair) -> Pair {
        match (self, golden) {
            (Self::Lockstep { .. }, golden) => Pair { rtl, golden },
            (Self::Reference, Some(model)) => Pair {
                rtl: model,
                golden: None,
            },
            _ => Pair { rtl, golden: None },
        }
    }
}

/// Runs the same traffic with each of them, `rounds` times over, and keeps the best time of each: other
/// work on the machine only ever slows down.
pub fn measure(
    plan: &Plan,
    models: &Models,
    run: &NetworkRun,
    rounds: u32,
    listener: &dyn RunListener,
) -> Result<Speeds, SessionError> {
    let libraries = libraries(plan, models, listener)?;
    let all = [
        Clocked::Rtl,
        Clocked::Reference,
        Clocked::Lockstep { threads: 1 },
        Clocked::Lockstep {
            threads: run.threads,
        },
    ];
    let mut best = [f64::INFINITY; 4];
    let (mut cycles, mut packets) = (0, 0);
    for _ in 0..rounds {
        for (best, clocked) in best.iter_mut().zip(all) {
            let run = clocked.of(run);
            let mut pairs = Pairs::new(plan, &libraries, run.sides())?;
            let mut devices = |_: usize, blocks: &[BlockId]| clocked.pick(pairs.take(blocks));
            listener.begins(clocked.name(), run.cycles);
            let start = Instant::now();
            let summary = run
                .run(plan, &mut devices, &mut |cycle| listener.reached(cycle))
                .map_err(SessionError::Failed)?;
            *best = best.min(start.elapsed().as_secs_f64());
            (cycles, packets) = (summary.cycles, summary.totals.packets_received);
        }
    }
    let blocks = plan.instances.len();
    let [rtl, reference, lockstep, on_threads] =
        best.map(|seconds| blocks as f64 * cycles as f64 / seconds);
    Ok(Speeds {
        blocks,
        cycles,
        load: run.load_fraction(),
        packets,
        rtl_alone: rtl,
        reference_alone: reference,
        lockstep,
        threads: run.threads,
        lockstep_on_threads: on_threads,
        cost_of_comparing: rtl / lockstep - 1.0,
    })
}
