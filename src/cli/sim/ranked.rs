//! Simulations on the processes that `mpirun` or `srun` has started.

use super::Sim;
use super::ranks::tell;
use crate::{CommandError, Context};
use mkns_design::{Plan, RouteSource};
use mkns_simulation::measure::{Experiment, Point, Run};
use mkns_simulation::ranks::Ranks;
use mkns_simulation::traffic::PlannedTraffic;

/// Saturated loads after which a sweep ends.
const SATURATED_POINTS: usize = 2;

impl Sim {
    /// All seeds of each load, one after the other, each on all ranks.
    pub(super) fn sweep_on(
        &self,
        ranks: &dyn Ranks,
        plan: &Plan,
        loads: &[f64],
        planned: &PlannedTraffic,
        context: &Context,
    ) -> Result<Vec<(f64, Vec<Point>)>, CommandError> {
        let mut results: Vec<(f64, Vec<Point>)> = Vec::new();
        let mut last = None;
        for &load in loads {
            let mut points = Vec::new();
            for seed in 0..self.seeds() {
                let run = Run {
                    load,
                    seed,
                    parts: self.threads.unwrap_or(1),
                };
                let (point, share) = self.experiment(plan, run, planned).run_on(ranks, &|_| {});
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
        if let Some((share, cycles)) = last {
            tell(ranks, share, cycles, context)?;
        }
        Ok(results)
    }

    pub(super) fn experiment<'a>(
        &self,
        plan: &'a Plan,
        run: Run,
        planned: &PlannedTraffic,
    ) -> Experiment<'a> {
        Experiment {
            plan,
            routes: RouteSource::Tables,
            traffic: self
                .traffic
                .at(run.load, self.seed() + u64::from(run.seed), plan, planned),
            warm_up: self.warm_up(),
            cycles: self.cycles,
            parts: run.parts,
            flows: self.flows.is_some(),
            links: self.links.is_some(),
        }
    }
}
