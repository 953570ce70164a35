//! RTL and golden model of a whole network in lockstep, with hosts outside this program.

use mkns_sim::ModelLibrary;

use super::golden_devices::LockstepConfig;
use super::mismatch::Failure;
use super::models::Models;
use super::network::{LiveFaults, Pair, RunningNetwork};
use super::session::{Pairs, RunListener, libraries};
use mkns_design::{Plan, RouteSource};
use mkns_simulation::live::OutsideReport;
use mkns_topology::BlockId;
use mkns_traffic::OutsideHosts;

/// A network whose models are built.
pub struct OutsideLockstep<'a> {
    plan: &'a Plan,
    libraries: Vec<ModelLibrary>,
    sides: LockstepConfig,
}

impl<'a> OutsideLockstep<'a> {
    /// Builds the models; the registers of the RTL will power up from `seed`, and `threads` threads run the blocks.
    ///
    /// # Errors
    /// When a model cannot be built.
    pub fn new(
        plan: &'a Plan,
        models: &Models,
        (seed, threads): (u64, usize),
        listener: &dyn RunListener,
    ) -> mkns_sim::Result<Self> {
        Ok(Self {
            plan,
            libraries: libraries(plan, models, listener)?,
            sides: LockstepConfig {
                seed,
                routes: RouteSource::Tables,
                threads,
            },
        })
    }

    /// Runs until the hosts stop it.
    ///
    /// # Errors
    /// The first difference between RTL and golden model, or a packet that arrives changed, twice or at the wrong host.
    pub fn run(
        &self,
        live: &LiveFaults,
        hosts: &mut dyn OutsideHosts,
    ) -> mkns_sim::Result<Result<OutsideReport, Box<Failure>>> {
        let (plan, sides) = (self.plan, self.sides);
        let mut pairs = Pairs::new(plan, &self.libraries, sides)?;
        let mut devices = |_, blocks: &[BlockId]| pairs.take(blocks);
        Ok(serve_outside(
            plan,
            sides.threads,
            &mut devices,
            live,
            hosts,
        ))
    }
}

/// Runs a plan until the hosts stop it, from blocks that are empty when they are managed over the cables. `devices` makes
/// the two sides for the blocks of a module.
///
/// # Errors
/// As for [`OutsideLockstep::run`].
pub fn serve_outside(
    plan: &Plan,
    threads: usize,
    devices: &mut dyn FnMut(usize, &[BlockId]) -> Pair,
    live: &LiveFaults,
    hosts: &mut dyn OutsideHosts,
) -> Result<OutsideReport, Box<Failure>> {
    let network = match live.in_band.is_some() || hosts.window().is_some() {
        true => RunningNetwork::powered_up(plan, threads, devices)?,
        false => RunningNetwork::configured(plan, threads, devices)?,
    };
    network.serve_outside(hosts, live)
}
