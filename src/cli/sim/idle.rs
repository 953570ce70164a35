//! `mkns sim --manager=in-band` without a load: a machine without traffic is brought up and repaired over its cables.

use std::fmt;

use serde::Serialize;

use super::Sim;
use crate::live_error::live_error;
use crate::{CommandError, Context};
use mkns_design::Plan;
use mkns_simulation::live::{IdleReport, IdleRun};
use mkns_topology::BlockId;

/// Beside what options of measurements have no effect.
const NO_LOAD: Option<&str> = Some("with `--manager=in-band` and no `--load`");

/// What is printed.
#[derive(Debug, Serialize)]
struct Outcome {
    spec: String,
    blocks: usize,
    hosts: usize,
    #[serde(flatten)]
    report: IdleReport,
}

impl Sim {
    pub(super) fn run_idle(
        &self,
        plan: &Plan,
        from: BlockId,
        context: &Context,
    ) -> Result<(), CommandError> {
        CommandError::refuse_idle([
            ("--cycles", self.cycles.is_some(), NO_LOAD),
            ("--seeds", self.seeds.is_some(), NO_LOAD),
            ("--seed", self.seed.is_some(), NO_LOAD),
            ("--warmup", self.warmup.is_some(), NO_LOAD),
            ("--flows", self.flows.is_some(), NO_LOAD),
            ("--links", self.links.is_some(), NO_LOAD),
        ])?;
        let failures = self.live.open_ended(&plan.network)?;
        let run = IdleRun {
            plan,
            from,
            failures: &failures,
        };
        let report = run.run();
        let report = report.map_err(|error| live_error(&self.network.title(), error))?;
        let outcome = Outcome {
            spec: self.network.title() + &self.live.as_words(),
            blocks: plan.instances.len(),
            hosts: plan.network.hosts.len(),
            report,
        };
        context.result(outcome.to_string(), &outcome)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (in_band, history) = (&self.report.in_band, &self.report.history);
        let (blocks, hosts) = (self.blocks, self.hosts);
        writeln!(
            f,
            "{}: {blocks} blocks, {hosts} hosts, no traffic",
            self.spec
        )?;
        let text = format!("{in_band}{history}");
        f.write_str(text.trim_end())
    }
}
