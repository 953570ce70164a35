//! `MKNS(M,K,N,S)`: adapter blocks in up to four dimensions, the first a direct mesh (Basalov & Malykh, DOI 10.14357/20718632210302).

use schemars::JsonSchema;
use serde::Serialize;

use super::DEFAULT_PORTS;
use super::kind::{Kind, schema_of_first_kind, x_list};

/// Names of the coordinates in an address.
const COORDINATES: [&str; 4] = ["x", "y", "z", "w"];

/// An MKNS network spelled out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "MknsTable", deny_unknown_fields, transform = schema_of_first_kind)]
pub struct MknsSpec {
    /// M: hosts per adapter block.
    #[schemars(range(min = 1, max = 8))]
    pub vms_per_node: u32,
    /// d: network ports of an adapter block and ports of a switch block, 10 when absent.
    #[schemars(with = "Option<u32>", range(min = 4, max = 16))]
    pub ports: u32,
    /// Dimensions 1 to N in order.
    #[schemars(length(min = 1, max = 4))]
    pub dimensions: Vec<Dimension>,
}

/// One dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "DimensionEntry", deny_unknown_fields)]
pub struct Dimension {
    /// K: adapter blocks per line of this dimension.
    #[schemars(range(min = 2, max = 32))]
    pub size: u32,
    /// What joins a line: `direct_mesh` in the first dimension, `switch_block` in others when absent.
    #[schemars(with = "Option<Join>")]
    pub join: Join,
}

/// What joins the adapter blocks of one line (S of the notation).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Join {
    /// 0: every pair has its own cable, on K−1 ports of each adapter block.
    DirectMesh,
    /// 1: one switch block, K ≤ d.
    SwitchBlock,
    /// 2: one switch assembly of four leaf and two spine switch blocks, K ≤ 2d.
    SwitchAssembly,
}

impl Kind for MknsSpec {
    /// K and S as one number where all are equal, S = 1 where N = 1.
    fn notation(&self) -> String {
        let sizes = self.dimensions.iter().map(|dimension| dimension.size);
        let further = self.dimensions.iter().skip(1);
        let joins = further.map(|dimension| dimension.join.digit());
        format!(
            "MKNS({},{},{},{})",
            self.vms_per_node,
            shortest_list(&sizes.collect::<Vec<_>>()),
            self.dimensions.len(),
            shortest_list(&joins.collect::<Vec<_>>()),
        )
    }

    fn vms_per_node(&self) -> u32 {
        self.vms_per_node
    }

    fn ports(&self) -> u32 {
        self.ports
    }

    fn default_ports(&self) -> u32 {
        DEFAULT_PORTS
    }

    fn node_fields(&self) -> Vec<(&'static str, u32)> {
        let sizes = self.dimensions.iter().map(|dimension| dimension.size);
        COORDINATES.into_iter().zip(sizes).collect()
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

    /// By their digits.
    pub(crate) const ALL: [Self; 3] = [Self::DirectMesh, Self::SwitchBlock, Self::SwitchAssembly];

    /// The join of a digit 0, 1 or 2.
    pub fn from_digit(digit: u32) -> Option<Self> {
        Self::ALL.get(digit as usize).copied()
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

/// `8x4x4`, or one number when all are equal, or 1 when there is none.
fn shortest_list(values: &[u32]) -> String {
    match values {
        [] => "1".to_owned(),
        [first, others @ ..] if others.iter().all(|other| other == first) => first.to_string(),
        _ => x_list(values),
    }
}
