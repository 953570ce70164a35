//! `mkns sim --fail`: parts fail while hosts send.

use super::Sim;
use crate::in_band::first_host;
use crate::live_error::live_error;
use crate::{CommandError, Context, progress};
use mkns_design::{Addressing, Plan};
use mkns_diag::Code;
use mkns_report::live_simulation::{LiveRun, LiveSimulation};
use mkns_report::simulation::Units;
use mkns_simulation::live::LiveExperiment;
use mkns_traffic::PlannedTraffic;

impl Sim {
    /// A run for each seed at each load.
    pub(super) fn run_live(
        &self,
        plan: &Plan,
        loads: &[f64],
        context: &Context,
    ) -> Result<(), CommandError> {
        self.can_fail(plan)?;
        let in_band = match self.live.is_in_band() {
            true => Some(first_host(plan)?),
            false => None,
        };
        if let (Some(from), None) = (in_band, &self.load) {
            return self.run_idle(plan, from, context);
        }
        let failures = self.live.parts(&plan.network, self.cycles())?;
        let in_use = match self.live.has_manager() {
            true => Some(self.network.build()?.routing),
            false => None,
        };
        let seeds = u64::from(self.seeds.unwrap_or(1));
        let bar = progress::bar(
            context,
            "simulating",
            "cycles",
            (loads.len() as u64 * seeds).saturating_mul(self.cycles()),
        );
        let units = self.clock.mhz.map(|clock_mhz| Units {
            clock_mhz,
            flit_bits: plan.spec.block.flit_bits,
        });
        let seeds = self.seed()..self.seed() + seeds;
        let points = loads
            .iter()
            .flat_map(|&load| seeds.clone().map(move |seed| (load, seed)));
        let mut runs = Vec::new();
        for (load, seed) in points {
            let experiment = LiveExperiment {
                plan,
                traffic: self
                    .traffic
                    .at(load, seed, plan, &PlannedTraffic::default()),
                warm_up: self.warm_up(),
                cycles: self.cycles(),
                parts: self.threads.unwrap_or(1),
                failures: &failures,
                managed: in_use.as_ref(),
                in_band,
            };
            let report = experiment.run(&|cycles| bar.inc(cycles));
            let report = report.map_err(|error| live_error(&self.network.title(), error))?;
            bar.step(&format!("load {load}, seed {seed}"));
            runs.push(LiveRun::new(load, seed, report, units.as_ref()));
        }
        bar.finish_and_clear();
        let result = LiveSimulation {
            spec: self.network.title() + &self.live.as_words(),
            traffic: self.traffic.name(),
            injection: self.traffic.injection_name(),
            packet_flits: self.traffic.lengths_sent(plan, &PlannedTraffic::default()),
            blocks: plan.instances.len(),
            hosts: plan.network.hosts.len(),
            seed: self.seed(),
            manager: self.live.has_manager(),
            units,
            runs,
        };
        context.table(result.text(), || result.csv(), &result)
    }

    /// Refuses what says nothing beside `--fail`, and traffic that waits for packets which may be lost.
    fn can_fail(&self, plan: &Plan) -> Result<(), CommandError> {
        let beside = Some("with `--fail`");
        CommandError::refuse_idle([
            ("--flows", self.flows.is_some(), beside),
            ("--links", self.links.is_some(), beside),
        ])?;
        let shortest = self
            .traffic
            .lengths_sent(plan, &PlannedTraffic::default())
            .0;
        let waits = self.traffic.waits_for_deliveries().or(match shortest {
            0 | 1 => Some("a packet of one flit"),
            _ if Addressing::new(plan).has_trains() => Some("a distributed switch"),
            _ => None,
        });
        let Some(what) = waits else {
            return Ok(());
        };
        let fact = format!("`--fail` cannot be combined with {what}");
        let remedy = "use other traffic, random or in bursts, with packets of at least 2 flits: the second carries the \
                      number by which a lost packet is known";
        Err(CommandError::new(Code::TrafficOutOfRange, fact, remedy))
    }
}
