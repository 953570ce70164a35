//! Dimension-order routes on a torus: round every ring the shorter way.
//!
//! Where both ways are equally long, blocks of even coordinate take the way up and others the way
//! down, which loads the cables evenly. Guarantees: total, minimal in hops, free of channel cycles.
//!
//! Datelines: a packet goes one virtual channel up where it crosses the cable between the last and
//! the first coordinate of a ring, so that no channel of a ring depends on itself. It never comes
//! down again (`out_vc = min(in_vc + step, V − 1)`), so a packet enters its n-th such ring on channel
//! n − 1 at the highest, and one channel more than there are datelines is needed: with fewer, packets
//! that have stepped in earlier dimensions would close the circle on the topmost channel. Rings of up
//! to 4 need no dateline: no packet stays for more than two cables, and those that do start at every
//! other block. `verify` proves both on the dependency graph.

use super::dense::{self, Entries, pcie_ports};
use super::{CabledPort, Routes, RoutingEngine, Task};
use crate::{BlockTables, TableEntry};
use mkns_diag::Diagnostic;
use mkns_spec::GridSpec;
use mkns_topology::{Block, BlockId, PortIndex};

/// X, then Y, …, every ring the shorter way.
#[derive(Debug, Clone, Copy)]
pub struct Rings;

impl RoutingEngine for Rings {
    fn route(&self, task: &Task) -> Result<Routes, Box<Diagnostic>> {
        Ok(Routes::of_wanted(task, |block| block_tables(task, block)))
    }

    /// On along a ring, or to a ring of a later dimension.
    fn turns(&self, _block: &Block, from: &CabledPort, to: &CabledPort) -> bool {
        from.dimension < to.dimension || from.dimension == to.dimension && from.port != to.port
    }
}

fn block_tables(task: &Task, id: BlockId) -> BlockTables {
    let ring = |field: usize| Ring::new(task, id, field, task.layout.fields[field].size);
    let rings: Vec<Ring> = (1..task.layout.fields.len()).map(ring).collect();
    let entries = rings.iter().map(Ring::entries);
    let mut entries: Vec<(usize, Entries)> = (1..).zip(entries).collect();
    entries.push((0, pcie_ports(task.network.block(id))));
    let mut tables = dense::block_tables(task, id, &entries);
    for output in rings.iter().flat_map(Ring::dateline_outputs) {
        for (input, row) in tables.step.iter_mut().enumerate() {
            row[usize::from(output.0)] = input != usize::from(output.0);
        }
    }
    tables
}

/// A block's place on the ring of one dimension.
struct Ring {
    size: u32,
    own: u32,
    /// Ports towards the next higher and the next lower coordinate; one of them on a ring of two.
    up: Option<PortIndex>,
    down: Option<PortIndex>,
}

impl Ring {
    fn new(task: &Task, id: BlockId, field: usize, size: u32) -> Self {
        let (network, index) = (task.network, task.index);
        let at = |block: &Block| block.coordinates[field - 1];
        let own = at(network.block(id));
        let mut ring = Self {
            size,
            own,
            up: None,
            down: None,
        };
        for (port, link) in index.links(id) {
            if usize::from(network.cables[link.cable as usize].dimension) != field {
                continue;
            }
            let peer = at(network.block(link.peer.block));
            // On a ring of two the only neighbour is above the one and below the other.
            if peer == (own + 1) % size && (size > 2 || own == 0) {
                ring.up = Some(port);
            } else {
                ring.down = Some(port);
            }
        }
        ring
    }

    fn entries(&self) -> Entries {
        let entry = |other: u32| {
            let above = (other + self.size - self.own) % self.size;
            let is_up = match (2 * above).cmp(&self.size) {
                std::cmp::Ordering::Less => true,
                std::cmp::Ordering::Equal => self.own.is_multiple_of(2),
                std::cmp::Ordering::Greater => false,
            };
            let port = if is_up { self.up } else { self.down };
            let entry = port.map_or_else(TableEntry::default, TableEntry::to);
            (
                other,
                if above == 0 {
                    TableEntry::same()
                } else {
                    entry
                },
            )
        };
        (0..self.size).map(entry).collect()
    }

    /// Ports whose cable joins the last coordinate with the first, where that matters.
    fn dateline_outputs(&self) -> impl Iterator<Item = PortIndex> {
        let up = self.up.filter(|_| self.own == self.size - 1);
        let down = self.down.filter(|_| self.own == 0);
        let matters = GridSpec::has_dateline(self.size);
        up.into_iter().chain(down).filter(move |_| matters)
    }
}
