//! The network part of a spec: which machine the user asked for.

use serde::{Deserialize, Serialize};

use super::BlockParameters;

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Join {
    /// 0: every pair has its own cable, on K−1 ports of each adapter block.
    DirectMesh,
    /// 1: one switch block (КБ), K ≤ d.
    SwitchBlock,
    /// 2: one switch assembly (КСб) of four leaf and two spine switch blocks, K ≤ 2d.
    SwitchAssembly,
}
