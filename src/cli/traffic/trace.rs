//! Packets that a file plans: how long they take, and how many of them a run used.

use super::TrafficArguments;
use super::limits::MOST_CYCLES;
use crate::CommandError;
use mkns_design::Plan;
use mkns_diag::{Code, TextFile, TextKind};
use mkns_report::simulation::TraceUse;
use mkns_simulation::measure::{Point, TO_THE_END};
use mkns_traffic::{Addresses, PlannedTraffic, parse_trace};

/// Cycles that the last packets of a trace take, about.
const TAIL: u64 = 1000;

impl TrafficArguments {
    /// The packets of the trace file, if there is one.
    pub fn planned(&self, plan: &Plan) -> Result<PlannedTraffic, CommandError> {
        let (true, Some(path)) = (self.is_trace(), &self.packets) else {
            return Ok(PlannedTraffic::default());
        };
        let text = TextFile::new(path, TextKind::Trace).read()?;
        let addresses = Addresses::new(plan);
        let longest = plan.spec.block.max_packet_flits;
        parse_trace(&text, &addresses, longest, MOST_CYCLES).map_err(|error| {
            let fact = format!("{}: {error}", path.display());
            let remedy = "correct the line; see docs/reference/simulation.md";
            CommandError::new(Code::TraceDoesNotFit, fact, remedy)
        })
    }

    /// Measured cycles: those given; otherwise a trace is run to its end, and all else for `usual` cycles.
    pub fn cycles(&self, given: Option<u64>, usual: u64) -> u64 {
        given.unwrap_or(if self.is_trace() { TO_THE_END } else { usual })
    }

    /// About as many as these measured cycles are.
    pub fn expected_cycles(&self, cycles: u64, planned: &PlannedTraffic) -> u64 {
        let last = planned.iter().flatten().map(|packet| packet.cycle).max();
        match cycles {
            TO_THE_END => last.unwrap_or(0) + TAIL,
            cycles => cycles,
        }
    }

    /// How much of a trace was simulated.
    pub fn trace_use(
        &self,
        planned: &PlannedTraffic,
        runs: &[(f64, Vec<Point>)],
    ) -> Option<TraceUse> {
        let point = runs.first()?.1.first().filter(|_| self.is_trace())?;
        Some(TraceUse::of(planned.iter().flatten().count() as u64, point))
    }

    /// Refuses to pass a part of a trace off as the whole, once the result is told.
    pub fn ended(&self, used: Option<TraceUse>) -> Result<(), CommandError> {
        let Some(used) = used.filter(TraceUse::is_cut) else {
            return Ok(());
        };
        let fact = format!("the run ended before the trace: {used}");
        let remedy = "leave `--cycles` out, and the trace runs to its end; packets that never arrive are lost or wait \
                      for each other: `mkns check` finds out";
        Err(CommandError::new(Code::TraceCut, fact, remedy))
    }
}
