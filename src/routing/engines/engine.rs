//! What an engine is given, and what it gives back.

use crate::{AddressLayout, BlockTables, PathLayers};
use mkns_diag::Diagnostic;
use mkns_spec::NetworkSpec;
use mkns_topology::{Block, BlockId, BlockRole, Faults, Network, NetworkIndex, PortIndex};

/// A network to find routes for.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    pub spec: &'a NetworkSpec,
    pub network: &'a Network,
    /// All cables.
    pub whole: &'a NetworkIndex,
    /// The cables that work.
    pub index: &'a NetworkIndex,
    pub faults: &'a Faults,
    pub layout: &'a AddressLayout,
    /// Blocks whose tables are wanted; engines that make table after table leave the others empty.
    pub wanted: &'a (dyn Fn(BlockId) -> bool + Sync),
}

/// Routes of a whole network. Pairs of adapter blocks that cannot be served have tables that end in an entry
/// that is not valid, or no layer.
pub struct Routes {
    /// In block order.
    pub tables: Vec<BlockTables>,
    /// None where all packets may take all layers, from channel 0 on.
    pub paths: Option<PathLayers>,
}

/// A network port with a cable, as an engine sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CabledPort<'a> {
    pub port: PortIndex,
    /// Dimension of the cable, or level, counted from 1.
    pub dimension: u8,
    pub peer: &'a BlockRole,
}

/// A way to fill the tables.
pub trait RoutingEngine: Sync {
    /// Tables of every block, with as many layers as the spec says; an error when the parameters of the spec
    /// do not suffice.
    fn route(&self, task: &Task) -> Result<Routes, Box<Diagnostic>>;

    /// Whether a packet may ever go on from one cabled port of a block to another: by these tables, their alternates,
    /// any layer and every reroute. Engines that may do anything say so of all pairs of two ports.
    fn turns(&self, _block: &Block, from: &CabledPort, to: &CabledPort) -> bool {
        from.port != to.port
    }
}

impl Routes {
    /// Routes of one path a pair, table by table.
    pub fn of_blocks(task: &Task, tables: impl FnMut(BlockId) -> BlockTables) -> Self {
        Self {
            tables: task.network.block_ids().map(tables).collect(),
            paths: None,
        }
    }

    /// Like [`Self::of_blocks`]; tables that are not wanted are left empty.
    pub fn of_wanted(task: &Task, mut tables: impl FnMut(BlockId) -> BlockTables) -> Self {
        Self::of_blocks(task, |block| {
            let all = tables(block);
            if (task.wanted)(block) {
                all
            } else {
                all.without_contents()
            }
        })
    }
}
