//! The kinds of networks: which machine the user asked for.

use serde::Serialize;

use super::kind::Kind;
use super::{
    DistributedSwitchSpec, FatTreeSpec, GridSpec, LoopSpec, MknsSpec, RandomShortcutSpec,
    SlimFlySpec, bits_for,
};

/// The families of networks that can be named. `docs/how-to/add-a-network-kind.md` says how one is added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkKind {
    Mkns(MknsSpec),
    /// Torus, KNS, HyperX: adapter blocks on a grid.
    Grid(GridSpec),
    /// Multi-ring, hypercube, block design: POK units and spine switches.
    DistributedSwitch(DistributedSwitchSpec),
    FatTree(FatTreeSpec),
    SlimFly(SlimFlySpec),
    RandomShortcut(RandomShortcutSpec),
    /// Distributed loop network.
    Loop(LoopSpec),
}

impl NetworkKind {
    /// Whether packets carry a train of local addresses, and blocks have no tables.
    pub fn has_trains(&self) -> bool {
        matches!(self, Self::DistributedSwitch(_))
    }

    /// What every kind can say about itself.
    pub(crate) fn kind(&self) -> &dyn Kind {
        match self {
            Self::Mkns(mkns) => mkns,
            Self::Grid(grid) => grid,
            Self::DistributedSwitch(switch) => switch,
            Self::FatTree(tree) => tree,
            Self::SlimFly(fly) => fly,
            Self::RandomShortcut(graph) => graph,
            Self::Loop(graph) => graph,
        }
    }

    /// The canonical notation.
    pub fn notation(&self) -> String {
        self.kind().notation()
    }

    /// M: hosts per adapter block.
    pub fn vms_per_node(&self) -> u32 {
        self.kind().vms_per_node()
    }

    /// Fields of an address from bit 0 upward: name and number of values. The first is the PCIe
    /// port; the others are coordinates, or one node number where tables are flat. The address of a
    /// distributed switch is a train of local addresses and names no PCIe port.
    pub fn address_fields(&self) -> Vec<(&'static str, u32)> {
        let node = self.kind().node_fields();
        if let Self::DistributedSwitch(_) = self {
            return node;
        }
        let pcie = ("pcie", self.vms_per_node());
        std::iter::once(pcie).chain(node).collect()
    }

    /// Widths of the address fields.
    pub fn address_bits(&self) -> Vec<u32> {
        let fields = self.address_fields();
        fields.into_iter().map(|(_, size)| bits_for(size)).collect()
    }
}
