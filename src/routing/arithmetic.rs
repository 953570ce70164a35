//! Routes in closed form: from the numbers in an address to the output port, no table, no graph.
//!
//! A second statement of the routes beside the table engines, written from the paper's numbering
//! and from the definitions of the other kinds. The golden model takes its routes from here and the RTL its tables from there, so an error in either shows. Shares with the topology
//! only the port plan of the spec and the shape of an assembly.

mod fat_tree;
mod lines;
mod torus;

use lines::LinesArithmetic;
use mkns_spec::{FatTreeSpec, GridSpec, NetworkKind, NetworkSpec};
use mkns_topology::{Block, PortIndex};

/// The closed form of one network.
#[derive(Debug, Clone)]
pub enum Arithmetic {
    /// MKNS, KNS, HyperX.
    Lines(LinesArithmetic),
    Torus(GridSpec),
    FatTree(FatTreeSpec),
}

impl Arithmetic {
    /// The closed form of the routes without faults; `None` where only tables say them.
    pub fn of(spec: &NetworkSpec) -> Option<Self> {
        if !spec.has_default_engine() {
            return None;
        }
        Some(match &spec.kind {
            NetworkKind::Mkns(mkns) => Self::Lines(LinesArithmetic::new(mkns.lines())),
            NetworkKind::Grid(grid) => match grid.lines() {
                Some(lines) => Self::Lines(LinesArithmetic::new(lines)),
                None => Self::Torus(grid.clone()),
            },
            // Spine switches forward by the number in the train itself: see `train`.
            NetworkKind::DistributedSwitch(_)
            | NetworkKind::SlimFly(_)
            | NetworkKind::RandomShortcut(_)
            | NetworkKind::Loop(_) => return None,
            NetworkKind::FatTree(tree) => Self::FatTree(tree.clone()),
        })
    }

    /// Network port by which a block forwards a packet for the node whose address fields, without the
    /// PCIe port, are `node`; `None` on the adapter block of that node, where the PCIe port decides.
    pub fn next_port(&self, block: &Block, node: &[u32]) -> Option<PortIndex> {
        match self {
            Self::Lines(lines) => lines.next_port(block, node),
            Self::Torus(spec) => torus::next_port(spec, &block.coordinates, node),
            Self::FatTree(spec) => fat_tree::next_port(spec, block, node[0]),
        }
    }
}
