//! The `step` matrix of section 1.6 by output, as a core powers up with it.

use super::key_set::{KeySet, Lanes};
use mkns_routing::BlockTables;

/// The columns of the `STEP` parameter as bits; none when all are 0.
pub(super) fn initial_step<K: KeySet>(
    tables: Option<&BlockTables>,
) -> Option<Box<K::PerPort<u32>>> {
    let rows = &tables?.step;
    let mut columns = K::PerPort::filled(0u32);
    for (input, row) in rows.iter().enumerate() {
        for (output, _) in row.iter().enumerate().filter(|(_, set)| **set) {
            columns[output] |= 1 << input;
        }
    }
    let steps = rows.iter().flatten().any(|&set| set);
    steps.then(|| Box::new(columns))
}

/// `step` by output, from what [`initial_step`] gives.
pub(super) fn stepping_after_reset<K: KeySet>(
    initial_step: Option<&K::PerPort<u32>>,
) -> K::PerPort<u32> {
    initial_step.map_or_else(|| K::PerPort::filled(0), K::PerPort::clone)
}
