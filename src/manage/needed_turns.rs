//! Whether the blocks of a machine have the turns that new routes need.

use mkns_routing::{Routing, Turns, used_by_tables};

use super::identity::ensure_turns;
use super::{Manager, ManagerError};

impl Manager {
    /// Routes of a file need the turns of that file only, and new routes may need others.
    pub(super) fn ensure_turns_of<E>(&self, new: &Routing) -> Result<(), ManagerError<E>> {
        if self.plan.routes_from.is_none() {
            return Ok(());
        }
        let needed = used_by_tables(&self.network, &self.index, &[&self.in_use, new]);
        for (block, needed) in self.network.block_ids().zip(&needed) {
            let built = &self.module(block).turns;
            for (from, (needed, built)) in rows(needed, built).enumerate() {
                ensure_turns(&self.plan, block, from, needed & !built)?;
            }
        }
        Ok(())
    }
}

/// The rows of two sets of turns of one block, side by side.
fn rows(one: &Turns, other: &Turns) -> impl Iterator<Item = (u32, u32)> {
    let rows = one.rows().iter().zip(other.rows());
    rows.map(|(&one, &other)| (one, other))
}
