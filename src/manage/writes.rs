//! The register writes that lead from the tables in use to new ones: only what differs.

use serde::Serialize;

use mkns_contract::{BlockModule, Target, configuration};
use mkns_design::Plan;
use mkns_routing::Routing;
use mkns_topology::BlockId;

/// One write to the control port of a block (`docs/microarchitecture.md`, section 4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct RegisterWrite {
    pub block: BlockId,
    /// Byte address.
    pub address: u32,
    pub value: u32,
    pub what: Target,
}

impl RegisterWrite {
    /// Lets `routing` say what the block holds after this write, one that leads to `new`. All blocks have the same
    /// entry channels there: these change with the last such write, [`take_entry_channels`].
    pub fn take(&self, routing: &mut Routing, new: &Routing) {
        let at = self.block.0 as usize;
        let (tables, new_tables) = (&mut routing.tables[at], &new.tables[at]);
        match self.what {
            Target::Table { table, index } => {
                let (table, index) = (table as usize, index as usize);
                tables.tables[table].entries[index] = new_tables.tables[table].entries[index];
            }
            Target::Step { input } => {
                tables.step[input as usize].clone_from(&new_tables.step[input as usize]);
            }
            Target::Mask { node } => {
                if let (Some(paths), Some(new)) = (&mut routing.paths, &new.paths) {
                    paths.masks[at][node as usize] = new.masks[at][node as usize];
                }
            }
            Target::Candidates { node } => {
                let node = node as usize;
                tables.candidates[node] = new_tables.candidates[node];
            }
            Target::Entry { .. } => {}
        }
    }
}

/// All blocks have the entry channels of `new`.
pub fn take_entry_channels(routing: &mut Routing, new: &Routing) {
    if let (Some(paths), Some(new)) = (&mut routing.paths, &new.paths) {
        paths.entry_channels.clone_from(&new.entry_channels);
    }
}

/// The writes of all blocks of `plan` from the tables, masks and entry channels of `old` to those of `new`, in block
/// order, masks of a block first.
///
/// # Panics
/// When the two have not the same shape: a write to the wrong register would break a running network.
pub fn writes(plan: &Plan, old: &Routing, new: &Routing) -> Vec<RegisterWrite> {
    let each = plan.instances.iter().flat_map(|instance| {
        let module = &plan.modules[instance.module];
        let [old, new] = [old, new].map(|routing| block_writes(instance.block, module, routing));
        let pairs = old.zip(new).inspect(|(old, new)| {
            assert_eq!(old.what, new.what, "routes of different shapes");
        });
        pairs.filter_map(|(old, new)| (old != new).then_some(new))
    });
    each.collect()
}

/// The writes of everything that a block's tables, step bits, candidates, masks and entry channels hold.
pub fn block_writes<'a>(
    block: BlockId,
    module: &BlockModule,
    routing: &'a Routing,
) -> impl Iterator<Item = RegisterWrite> + use<'a> {
    let at = block.0 as usize;
    let paths = routing.paths.as_ref().filter(|_| module.masks.is_some());
    let choice = paths.map(|paths| (&paths.masks[at][..], &paths.entry_channels[..]));
    let writes = configuration(module, &routing.tables[at], choice);
    writes.map(move |(what, value)| RegisterWrite {
        block,
        address: what.address(),
        value,
        what,
    })
}
