//! Whether a command line can run, and how long it takes, for verbs that put it together.

use super::Sim;
use crate::CommandError;
use mkns_design::{Plan, Purpose};
use mkns_simulation::measure::WarmUp;

/// Block-cycles in a second, about, of a processor that does other things too.
const SPEED: f64 = 1.5e6;
/// Cycles of a warm-up that ends by itself, about.
const WARM_UP: u64 = 4_000;

impl Sim {
    /// Seconds that it takes, about; `last` is the network of the line before, by its title.
    pub fn expected_seconds(&self, last: &mut Option<(String, Plan)>) -> Result<f64, CommandError> {
        let title = self.network.title();
        let plan = match last.take() {
            Some((last, plan)) if last == title => plan,
            _ => self.network.plan(Purpose::Simulation)?,
        };
        let (_, plan) = last.insert((title, plan));
        self.ensure_feasible(plan)?;
        let planned = self.traffic.planned(plan)?;
        let cycles = self.traffic.expected_cycles(self.cycles(), &planned);
        let warm_up = match self.warm_up() {
            WarmUp::Cycles(cycles) => cycles,
            WarmUp::Automatic => WARM_UP,
        };
        let load: f64 = self.loads().iter().sum();
        let blocks = plan.instances.len() as f64;
        Ok(0.1 + blocks * (cycles + warm_up) as f64 * (0.3 + load) / SPEED)
    }
}
