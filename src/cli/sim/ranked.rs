//! Simulations on the processes that `mpirun` or `srun` has started.

use super::ranks::{SetUpCost, tell};
use super::{Runs, Sim};
use crate::network_arguments::RankPlan;
use crate::{CommandError, Context};
use mkns_design::{Plan, Purpose};
use mkns_simulation::measure::{Experiment, Point, RankReport, RankShare, Run, Stepping};
use mkns_simulation::ranks::RankCommunicator;
use mkns_traffic::PlannedTraffic;

/// Saturated loads after which a sweep ends.
const SATURATED_POINTS: usize = 2;

impl Sim {
    /// The whole simulation; rank 0 tells the results.
    pub(super) fn simulate_on(
        &self,
        ranks: &dyn RankCommunicator,
        context: &Context,
    ) -> Result<(), CommandError> {
        if !self.live.is_none() {
            let why = "with `--fail`: a manager sees and writes all blocks between two cycles";
            return Err(CommandError::no_effect("--mpi", why));
        }
        let needs_graph = self.links.is_some() || self.traffic.needs_graph();
        let RankPlan {
            plan,
            numbers,
            partitioning,
        } = self
            .network
            .plan_of_rank(Purpose::Simulation, ranks, needs_graph)?;
        let planned = self.checked(&plan)?;
        let needs_graph = needs_graph || plan.spec.kind.has_trains();
        let stepping = Stepping::in_parts(self.threads.unwrap_or(1));
        // From here on there is nothing of the blocks of other ranks.
        let rank_share = RankShare::of_rank(
            plan,
            (&numbers, &partitioning),
            ranks,
            stepping,
            needs_graph,
        );
        let set_up = SetUpCost::done();
        let (runs, last) = self.sweep_on(ranks, &rank_share, &planned);
        if let Some((share, cycles)) = last {
            tell(ranks, (share, set_up), cycles, context)?;
        }
        match ranks.rank() {
            0 => self.tell(
                rank_share.plan(),
                rank_share.blocks,
                &planned,
                &runs,
                context,
            ),
            _ => Ok(()),
        }
    }

    /// All seeds of each load, one after the other, each on all ranks; and the share of this one in the last, of this many
    /// cycles.
    fn sweep_on(
        &self,
        ranks: &dyn RankCommunicator,
        rank_share: &RankShare<'_>,
        planned: &PlannedTraffic,
    ) -> (Runs, Option<(RankReport, u64)>) {
        let mut results = Runs::new();
        let mut last = None;
        for load in self.loads() {
            let mut points = Vec::new();
            for seed in 0..self.seeds() {
                let run = Run {
                    load,
                    seed,
                    parts: self.threads.unwrap_or(1),
                };
                let experiment = self.experiment(rank_share.plan(), run, planned);
                let (point, share) = experiment.run_on(ranks, rank_share, &|_| {});
                last = Some((share, point.warm_up_cycles + point.cycles));
                points.push(point);
            }
            results.push((load, points));
            let of_load =
                |(_, points): &&(f64, Vec<Point>)| points.iter().all(|point| point.saturated);
            let ending = results.iter().rev().take(SATURATED_POINTS).filter(of_load);
            if ending.count() == SATURATED_POINTS {
                break;
            }
        }
        (results, last)
    }

    pub(super) fn experiment<'a>(
        &self,
        plan: &'a Plan,
        run: Run,
        planned: &PlannedTraffic,
    ) -> Experiment<'a> {
        let run = (self.traffic).experiment(
            plan,
            planned,
            run,
            (self.seed(), self.warmup, self.cycles()),
        );
        Experiment {
            flows: self.flows.is_some(),
            links: self.links.is_some(),
            ..run
        }
    }
}
