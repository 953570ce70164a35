//! The manager: reads the links of all blocks, and when one has changed computes new routes and writes them.

use std::fmt;

use mkns_design::{BlockModule, Plan, register_map};
use mkns_diag::Diagnostic;
use mkns_routing::{self as routing, Routing};
use mkns_topology::{BlockId, Faults, Network, NetworkIndex};

use super::links::{Readings, failed_parts};
use super::repair::Repair;
use super::{Registers, Reroute, configuration};

const LINK_UP: u32 = 0x14;

/// Keeps the routes of one network round what has failed.
pub struct Manager {
    pub(super) plan: Plan,
    pub(super) network: Network,
    index: NetworkIndex,
    pub(super) faults: Faults,
    /// What blocks hold.
    pub(super) in_use: Routing,
    /// What they are to hold, while some writes wait until hosts stop.
    pub(super) wanted: Option<Routing>,
}

/// Why a manager cannot go on.
#[derive(Debug)]
pub enum ManagerError<E> {
    /// The way to the blocks failed.
    Registers(E),
    /// A block is not the one of the plan.
    Foreign {
        block: String,
        register: &'static str,
        expected: u32,
        found: u32,
    },
    /// A block that works refuses a write.
    Refused { block: String, address: u32 },
    /// The engine has no routes for what is left.
    NoRoutes(Box<Diagnostic>),
}

impl<E> From<E> for ManagerError<E> {
    fn from(error: E) -> Self {
        Self::Registers(error)
    }
}

impl<E: fmt::Display> fmt::Display for ManagerError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Registers(error) => error.fmt(f),
            Self::Foreign {
                block,
                register,
                expected,
                found,
            } => write!(
                f,
                "{block}: {register} reads {found:#010x}, the spec's block has {expected:#010x}"
            ),
            Self::Refused { block, address } => {
                write!(f, "{block} does not take a write to {address:#07x}")
            }
            Self::NoRoutes(why) => f.write_str(&why.fact),
        }
    }
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
        }
    }

    /// What has failed, as far as it has been seen.
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Makes sure that every block is the one of the plan; gives those that do not answer.
    pub fn identify<R: Registers>(
        &self,
        registers: &mut R,
    ) -> Result<Vec<BlockId>, ManagerError<R::Error>> {
        let mut silent = Vec::new();
        for instance in &self.plan.instances {
            for (register, address, expected) in identification(&self.plan.modules[instance.module])
            {
                match registers.read(instance.block, address)? {
                    None => {
                        silent.push(instance.block);
                        break;
                    }
                    Some(found) if found != expected => {
                        return Err(ManagerError::Foreign {
                            block: self.name(instance.block),
                            register,
                            expected,
                            found,
                        });
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(silent)
    }

    /// Looks at all links once; when they have changed, and a second look says the same, leads the routes round.
    pub fn round<R: Registers>(
        &mut self,
        registers: &mut R,
    ) -> Result<Option<Repair>, ManagerError<R::Error>> {
        let mut seen = self.links(registers)?;
        if failed_parts(&self.network, &self.index, &seen) == self.faults {
            return self.retry(registers);
        }
        loop {
            let again = self.links(registers)?;
            if again == seen {
                break;
            }
            seen = again;
        }
        let faults = failed_parts(&self.network, &self.index, &seen);
        if faults == self.faults {
            return self.retry(registers);
        }
        self.lead_round(faults, registers).map(Some)
    }

    /// What blocks hold, as far as the manager has seen to it.
    pub fn in_use(&self) -> &Routing {
        &self.in_use
    }

    fn links<R: Registers>(&self, registers: &mut R) -> Result<Readings, R::Error> {
        let read = |id| Ok(registers.read(id, LINK_UP)?.unwrap_or(0));
        self.network.block_ids().map(read).collect()
    }

    fn lead_round<R: Registers>(
        &mut self,
        faults: Faults,
        registers: &mut R,
    ) -> Result<Repair, ManagerError<R::Error>> {
        let spec = &self.plan.spec;
        let new = routing::build(spec, &self.network, &faults).map_err(ManagerError::NoRoutes)?;
        let back: Vec<BlockId> = (self.network.block_ids())
            .filter(|&id| !self.faults.block_works(id) && faults.block_works(id))
            .collect();
        // What a block that was away holds is not known, and nothing passes it before it is written.
        for &id in &back {
            let instance = &self.plan.instances[id.0 as usize];
            let module = &self.plan.modules[instance.module];
            for write in configuration(id, module, &new) {
                self.write(registers, id, write.address, write.value)?;
            }
            take_block(&mut self.in_use, id, &new);
        }
        let reroute = Reroute::new(&self.plan, &faults, &self.in_use, &new);
        let known = std::mem::replace(&mut self.faults, faults);
        let repair = self.carry_out(&reroute, &new, registers)?;
        Ok(Repair {
            failed: names(&self.network, &self.faults, &known),
            repaired: names(&self.network, &known, &self.faults),
            ..repair
        })
    }

    pub(super) fn name(&self, block: BlockId) -> String {
        self.network.block(block).name.clone()
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

/// Name, address and value of the registers that say what a block is.
fn identification(module: &BlockModule) -> impl Iterator<Item = (&'static str, u32, u32)> {
    let fixed = ["ID", "VERSION", "BLOCK", "SIZES"];
    let registers = register_map(module).registers.into_iter();
    let registers = registers.filter(move |register| fixed.contains(&register.name));
    registers.map(|register| (register.name, register.address, register.reset()))
}
