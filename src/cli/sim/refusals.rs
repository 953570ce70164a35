//! What cannot be simulated, options without an effect, and simulations in which nothing happened.

use super::Sim;
use crate::CommandError;
use crate::traffic::{Loads, NO_SWEEP, limits, span};
use mkns_design::Plan;
use mkns_simulation::measure::{Summary, WarmUp};

impl Sim {
    /// Refuses what cannot be simulated.
    pub(super) fn ensure_feasible(&self, plan: &Plan) -> Result<(), CommandError> {
        self.has_effect()?;
        self.asked_loads().check_runs(self.step(), self.seeds())?;
        Loads::check(&self.loads())?;
        let title = self.network.title();
        self.traffic.fits(plan, &title)?;
        limits::check(self.cycles, self.warmup, self.seeds, self.threads)
    }

    /// Refuses options that say nothing beside the others.
    fn has_effect(&self) -> Result<(), CommandError> {
        self.traffic.has_effect()?;
        let loaded = self.traffic.without_load();
        let planned = loaded.filter(|_| self.traffic.is_trace());
        let swept = match &self.load {
            Some(Loads::Sweep(..)) => loaded,
            _ => Some(NO_SWEEP),
        };
        CommandError::refuse_idle([
            ("--seeds", self.seeds.is_some(), planned),
            ("--seed", self.seed.is_some(), planned),
            ("--load", self.load.is_some(), loaded),
            ("--step", self.step.is_some(), swept),
        ])
    }

    /// A simulation that measured no packet says nothing, however well it ended.
    pub(super) fn measured(&self, points: &[Summary]) -> Result<(), CommandError> {
        let Some(empty) = points.iter().find(|point| point.packets == 0) else {
            return Ok(());
        };
        let remedy = match (self.traffic.is_trace(), self.warm_up()) {
            (true, WarmUp::Cycles(0)) => "raise `--cycles` beyond the trace's first packets",
            (true, _) => "leave `--warmup` out: a trace is measured from its beginning",
            _ => "raise `--cycles` or `--load`",
        };
        Err(CommandError::no_packet(
            span(empty.cycles, empty.warm_up_cycles),
            remedy,
        ))
    }
}
