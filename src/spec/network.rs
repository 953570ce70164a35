//! The network part of a spec: which machine the user asked for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::findings::Findings;
use super::kind::Kind;
use super::legal::bits_for;
use super::{BlockParameters, DistributedSwitchSpec, FatTreeSpec, GridSpec, schema};
use mkns_diag::Diagnostic;

/// A validated network: what to wire, and the parameters of the blocks it is built from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkSpec {
    /// Name of the design and of its output folder: lower-case letters, digits and `_`,
    /// `mkns_2_4_2_1` for `MKNS(2,4,2,1)` unless the TOML file gives another.
    pub name: String,
    pub kind: NetworkKind,
    pub block: BlockParameters,
}

/// The families of networks that can be named. `docs/network-kinds.md` says how one is added.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkKind {
    Mkns(MknsSpec),
    /// Torus, KNS, HyperX: adapter blocks on a grid.
    Grid(GridSpec),
    /// Multi-ring, hypercube, block design: РОК units and spine switches.
    DistributedSwitch(DistributedSwitchSpec),
    FatTree(FatTreeSpec),
}

/// `MKNS(M,K,N,S)` (Basalov & Malykh, DOI 10.14357/20718632210302).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MknsSpec {
    /// M: compute modules (VMs), and so PCIe-side ports, per adapter block, 1…8.
    pub vms_per_node: u32,
    /// d: network ports of an adapter block and ports of a switch block, 4…16, default 10.
    pub ports: u32,
    /// Dimensions 1…N in order (N = 1…4); the first is always a direct mesh.
    pub dimensions: Vec<Dimension>,
}

/// One dimension: how many adapter blocks stand in a line, and what joins them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dimension {
    /// K_i: adapter blocks per line of this dimension.
    pub size: u32,
    pub join: Join,
}

/// What joins the adapter blocks of one line (S of the notation).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Join {
    /// 0: every pair has its own cable, on K−1 ports of each adapter block.
    DirectMesh,
    /// 1: one switch block (КБ), K ≤ d.
    SwitchBlock,
    /// 2: one switch assembly (КСб) of four leaf and two spine switch blocks, K ≤ 2d.
    SwitchAssembly,
}

impl NetworkSpec {
    /// The canonical notation, `MKNS(2,8x4,2,0)`. It says neither d nor block parameters.
    pub fn notation(&self) -> String {
        self.kind.notation()
    }

    /// The spec as a TOML document that [`parse_toml`](super::parse_toml) reads back as equal.
    pub fn to_toml(&self) -> String {
        schema::to_toml(self)
    }

    /// A valid spec with the default name, or every violation; for specs made by programs.
    pub fn from_parts(
        network: impl Into<NetworkKind>,
        block: BlockParameters,
    ) -> Result<Self, Vec<Diagnostic>> {
        Findings::of(Vec::new()).conclude(None, Some(network.into()), block)
    }
}

impl NetworkKind {
    /// What every kind can say about itself.
    pub(super) fn kind(&self) -> &dyn Kind {
        match self {
            Self::Mkns(mkns) => mkns,
            Self::Grid(grid) => grid,
            Self::DistributedSwitch(switch) => switch,
            Self::FatTree(tree) => tree,
        }
    }

    /// The canonical notation.
    pub fn notation(&self) -> String {
        self.kind().notation()
    }

    /// M: compute modules (VMs) per adapter block.
    pub fn vms_per_node(&self) -> u32 {
        self.kind().vms_per_node()
    }

    /// Virtual channels without which routes could deadlock: a packet leaves on at most so many, each
    /// followed by the next one up. Blocks have 1, 2 or 4.
    pub fn route_channels(&self) -> u32 {
        self.kind().virtual_channels()
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

impl From<MknsSpec> for NetworkKind {
    fn from(mkns: MknsSpec) -> Self {
        Self::Mkns(mkns)
    }
}

impl From<GridSpec> for NetworkKind {
    fn from(grid: GridSpec) -> Self {
        Self::Grid(grid)
    }
}

impl From<FatTreeSpec> for NetworkKind {
    fn from(tree: FatTreeSpec) -> Self {
        Self::FatTree(tree)
    }
}

impl Join {
    /// S of the notation.
    pub fn digit(self) -> u32 {
        match self {
            Self::DirectMesh => 0,
            Self::SwitchBlock => 1,
            Self::SwitchAssembly => 2,
        }
    }

    /// The join of a digit 0, 1 or 2.
    pub fn from_digit(digit: u32) -> Option<Self> {
        [Self::DirectMesh, Self::SwitchBlock, Self::SwitchAssembly]
            .get(digit as usize)
            .copied()
    }

    /// The name in TOML.
    pub fn name(self) -> &'static str {
        match self {
            Self::DirectMesh => "direct_mesh",
            Self::SwitchBlock => "switch_block",
            Self::SwitchAssembly => "switch_assembly",
        }
    }
}
