//! The network part of a spec: which machine the user asked for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::findings::Findings;
use super::legal::{DEFAULT_PORTS, bits_for};
use super::{BlockParameters, schema};
use crate::diag::Diagnostic;

/// A validated network: what to wire, and the parameters of the blocks it is built from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkSpec {
    /// Name of the design and of its output folder: lower-case letters, digits and `_`,
    /// `mkns_2_4_2_1` for `MKNS(2,4,2,1)` unless the TOML file gives another.
    pub name: String,
    pub kind: NetworkKind,
    pub block: BlockParameters,
}

/// The families of networks that can be named. Later kinds are added here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkKind {
    Mkns(MknsSpec),
}

/// `MKNS(M,K,N,S)` (Basalov & Malykh, section 0.4 of the digest).
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
        match &self.kind {
            NetworkKind::Mkns(mkns) => mkns.notation(),
        }
    }

    /// The spec as a TOML document that [`parse_toml`](super::parse_toml) reads back as equal.
    pub fn to_toml(&self) -> String {
        schema::to_toml(self)
    }

    /// A valid spec with the default name, or every violation; for specs made by programs.
    pub fn from_parts(network: MknsSpec, block: BlockParameters) -> Result<Self, Vec<Diagnostic>> {
        Findings::new("", "").conclude(None, Some(network), block)
    }
}

impl MknsSpec {
    /// The canonical notation: K and S as one number where all are equal, S = 1 where N = 1.
    pub fn notation(&self) -> String {
        let sizes: Vec<u32> = self
            .dimensions
            .iter()
            .map(|dimension| dimension.size)
            .collect();
        let joins: Vec<u32> = self
            .dimensions
            .iter()
            .skip(1)
            .map(|dimension| dimension.join.digit())
            .collect();
        let (sizes, joins) = (x_list(&sizes, "1"), x_list(&joins, "1"));
        format!(
            "MKNS({},{sizes},{},{joins})",
            self.vms_per_node,
            self.dimensions.len()
        )
    }

    /// The notation as a name, `mkns_2_8x4_2_0`; `_d8` follows when d is not 10.
    pub fn default_name(&self) -> String {
        let name = self
            .notation()
            .to_lowercase()
            .replace(['(', ','], "_")
            .replace(')', "");
        if self.ports == DEFAULT_PORTS {
            name
        } else {
            format!("{name}_d{}", self.ports)
        }
    }

    /// Widths of the address fields from bit 0 upward: PCIe port, then each coordinate.
    pub fn address_fields(&self) -> Vec<u32> {
        let sizes = self.dimensions.iter().map(|dimension| dimension.size);
        std::iter::once(self.vms_per_node)
            .chain(sizes)
            .map(bits_for)
            .collect()
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

/// `8x4x4`, or one number when all are equal, or `otherwise` when there is none.
fn x_list(values: &[u32], otherwise: &str) -> String {
    match values {
        [] => otherwise.to_owned(),
        [first, others @ ..] if others.iter().all(|other| other == first) => first.to_string(),
        _ => values
            .iter()
            .map(u32::to_string)
            .collect::<Vec<_>>()
            .join("x"),
    }
}
