//! The manager: reads the links of all blocks, and when one has changed computes new routes and writes them.

use std::collections::BTreeSet;
use std::time::Duration;

use mkns_contract::BlockModule;
use mkns_design::Plan;
use mkns_routing::{self as routing, Routing};
use mkns_topology::{BlockId, Faults, Network, NetworkIndex};

use super::audit::Audit;
use super::configuration::block_configuration;
use super::identity::is_of_plan;
use super::links::{Readings, failed_parts, steady};
use super::route_change::RouteChange;
use super::watch::Watch;
use super::{Damping, ManagerError, Registers, Reroute, block_writes};

/// Looks until links that change all the time are taken to be down.
const LOOKS: usize = 16;

/// Reroutes one network around what has failed.
pub struct Manager {
    pub(super) plan: Plan,
    pub(super) network: Network,
    pub(super) index: NetworkIndex,
    pub(super) faults: Faults,
    /// What blocks hold.
    pub(super) in_use: Routing,
    /// What they are to hold, while some writes wait until hosts stop.
    pub(super) wanted: Option<Routing>,
    /// Blocks that gave no answer in the last look.
    silent: Vec<BlockId>,
    /// Blocks that were silent since they were last compared with the plan: nothing is written to them before they are.
    unidentified: BTreeSet<BlockId>,
    /// Whether blocks are compared with the plan at all.
    identifies: bool,
    /// Whether blocks power up without addresses and peers, so that one that comes back gets those, too.
    brings_up: bool,
    damping: Option<Damping>,
    pub(super) audit: Option<Audit>,
    /// Looks at links.
    watch: Watch,
}

impl Manager {
    /// A manager of the network of a plan, in which `faults` have failed and whose blocks hold the tables of
    /// `in_use`.
    pub fn new(plan: &Plan, in_use: Routing) -> Self {
        let network = plan.network.clone();
        Self {
            index: network.index(),
            network,
            faults: plan.faults.clone(),
            in_use,
            wanted: None,
            plan: plan.clone(),
            silent: Vec::new(),
            unidentified: BTreeSet::new(),
            identifies: false,
            brings_up: false,
            damping: None,
            audit: None,
            watch: Watch::default(),
        }
    }

    /// A manager that has brought a machine up: blocks of the plan but these were compared with it, and hold all that
    /// they need.
    pub(super) fn of_brought_up(
        plan: &Plan,
        in_use: Routing,
        missing: &[BlockId],
        seen: Readings,
    ) -> Self {
        Self {
            silent: missing.to_vec(),
            unidentified: missing.iter().copied().collect(),
            identifies: true,
            brings_up: true,
            watch: Watch::after(seen),
            ..Self::new(plan, in_use)
        }
    }

    /// Parts that fail again and again are used only when they have worked for a while.
    pub fn with_damping(self, damping: Damping) -> Self {
        Self {
            damping: Some(damping),
            ..self
        }
    }

    /// In each round that finds nothing new, some registers are compared with what they held before.
    pub fn with_audit(self) -> Self {
        Self {
            audit: Some(Audit::default()),
            ..self
        }
    }

    /// Blocks that gave no answer in the last look, by name.
    pub fn silent(&self) -> Vec<String> {
        self.silent.iter().map(|&id| self.name(id)).collect()
    }

    /// Parts that work again, but are not used before they have worked for so long; each is told once.
    pub fn newly_held(&mut self) -> Vec<(String, Duration)> {
        let held = self.damping.as_mut().map(Damping::newly_held);
        let held = held.unwrap_or_default().into_iter();
        held.map(|(part, time)| (part.name(&self.network), time))
            .collect()
    }

    /// What has failed, as far as it has been seen.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Makes sure that every block that answers is the one of the plan; gives those that do not answer.
    pub fn identify<R: Registers>(
        &mut self,
        registers: &mut R,
    ) -> Result<Vec<BlockId>, ManagerError<R::Error>> {
        let mut silent = Vec::new();
        for id in self.network.block_ids().collect::<Vec<_>>() {
            if !is_of_plan(&self.plan, id, registers)? {
                silent.push(id);
            }
        }
        self.identifies = true;
        self.unidentified = silent.iter().copied().collect();
        self.silent.clone_from(&silent);
        match silent.len() == self.network.blocks.len() {
            true => Err(ManagerError::NobodyAnswers),
            false => Ok(silent),
        }
    }

    /// Looks at all links once, or at those of blocks that have told of a change; when they have changed, and a second look
    /// says the same, reroutes around the failures.
    pub fn round<R: Registers>(
        &mut self,
        registers: &mut R,
    ) -> Result<Option<RouteChange>, ManagerError<R::Error>> {
        let change = self.look_and_repair(registers)?;
        if change.is_none() {
            registers.tend()?;
        }
        Ok(change)
    }

    fn look_and_repair<R: Registers>(
        &mut self,
        registers: &mut R,
    ) -> Result<Option<RouteChange>, ManagerError<R::Error>> {
        let look = self
            .watch
            .look(&self.index, self.network.blocks.len(), registers)?;
        let mut seen = look.readings;
        if failed_parts(&self.network, &self.index, &seen) != self.faults {
            for number in 1.. {
                let again = self.watch.look_at(&look.blocks, registers)?;
                if again == seen {
                    break;
                }
                if number == LOOKS {
                    seen = steady(&seen, &again);
                    break;
                }
                seen = again;
            }
        }
        if seen.iter().all(Option::is_none) {
            return Err(ManagerError::NobodyAnswers);
        }
        self.note_silent(&seen);
        let mut faults = failed_parts(&self.network, &self.index, &seen);
        if let Some(damping) = &mut self.damping {
            faults = damping.faults(&faults, &self.faults);
        }
        if faults == self.faults {
            let change = self.retry(registers)?;
            if change.is_none() {
                self.audit(registers)?;
            }
            return Ok(change);
        }
        self.lead_round(faults, registers).map(Some)
    }

    /// An error when somebody else has written a register.
    fn audit<R: Registers>(&mut self, registers: &mut R) -> Result<(), ManagerError<R::Error>> {
        let Some(mut audit) = self.audit.take() else {
            return Ok(());
        };
        let answers = |id: &BlockId| self.faults.block_works(*id) && !self.silent.contains(id);
        let all = || {
            let blocks = self.network.block_ids().filter(answers);
            let held = |id| {
                self.all_of(id, &self.in_use)
                    .into_iter()
                    .map(move |(at, _)| (id, at))
            };
            blocks.flat_map(held).collect()
        };
        let found = audit.compare(all, registers);
        self.audit = Some(audit);
        let Some(changed) = found? else {
            return Ok(());
        };
        Err(ManagerError::Overwritten {
            block: self.name(changed.block),
            address: changed.address,
            expected: changed.expected,
            found: changed.found,
        })
    }

    fn note_silent(&mut self, seen: &Readings) {
        let is_silent = |id: &BlockId| seen[id.0 as usize].is_none();
        self.silent = self.network.block_ids().filter(is_silent).collect();
        if self.identifies {
            self.unidentified.extend(&self.silent);
        }
    }

    /// Compares a block that was silent with the plan before anything is written to it.
    pub(super) fn ensure_identified<R: Registers>(
        &mut self,
        block: BlockId,
        registers: &mut R,
    ) -> Result<(), ManagerError<R::Error>> {
        if self.unidentified.contains(&block) && is_of_plan(&self.plan, block, registers)? {
            self.unidentified.remove(&block);
        }
        Ok(())
    }

    /// What blocks hold, as far as the manager has seen to it.
    pub fn in_use(&self) -> &Routing {
        &self.in_use
    }

    fn lead_round<R: Registers>(
        &mut self,
        faults: Faults,
        registers: &mut R,
    ) -> Result<RouteChange, ManagerError<R::Error>> {
        let spec = &self.plan.spec;
        let new = routing::build(spec, &self.network, &faults).map_err(ManagerError::NoRoutes)?;
        self.ensure_turns_of(&new)?;
        let back: Vec<BlockId> = (self.network.block_ids())
            .filter(|&id| !self.faults.block_works(id) && faults.block_works(id))
            .collect();
        // What a block that was away holds is not known, and nothing passes it before it is written.
        for &id in &back {
            for (address, value) in self.all_of(id, &new) {
                self.write(registers, id, address, value)?;
            }
            take_block(&mut self.in_use, id, &new);
        }
        let reroute = Reroute::new(&self.plan, &faults, &self.in_use, &new);
        let known = std::mem::replace(&mut self.faults, faults);
        let repair = self.carry_out(&reroute, &new, registers)?;
        Ok(RouteChange {
            failed: names(&self.network, &self.faults, &known),
            repaired: names(&self.network, &known, &self.faults),
            ..repair
        })
    }

    /// The writes of all that a block needs that comes back.
    fn all_of(&self, block: BlockId, routing: &Routing) -> Vec<(u32, u32)> {
        if self.brings_up {
            return block_configuration(&self.plan, &self.index, block, routing);
        }
        let writes = block_writes(block, self.module(block), routing);
        writes.map(|write| (write.address, write.value)).collect()
    }

    pub(super) fn name(&self, block: BlockId) -> String {
        self.network.block(block).name.clone()
    }

    pub(super) fn module(&self, block: BlockId) -> &BlockModule {
        &self.plan.modules[self.plan.instances[block.0 as usize].module]
    }
}

/// Lets a block hold what it holds in `from`.
fn take_block(routing: &mut Routing, id: BlockId, from: &Routing) {
    let at = id.0 as usize;
    routing.tables[at] = from.tables[at].clone();
    if let (Some(paths), Some(from)) = (&mut routing.paths, &from.paths)
        && at < from.masks.len()
    {
        paths.masks[at] = from.masks[at].clone();
    }
}

/// Parts of `faults` that are not among `others`, by name.
fn names(network: &Network, faults: &Faults, others: &Faults) -> Vec<String> {
    let known: Vec<_> = others.parts().collect();
    let new = faults.parts().filter(|part| !known.contains(part));
    new.map(|part| part.name(network)).collect()
}
