//! The network graph: the plain data type between `topology` and everything behind it.

use std::fmt;

use serde::Serialize;

/// Index of a block in [`Network::blocks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct BlockId(pub u32);

/// Index of a network port of a block, from 0, as in the vectors of the RTL. The paper counts the ports of
/// adapter blocks from 1. PCIe ports of an adapter block follow its network ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct PortIndex(pub u8);

impl fmt::Display for PortIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a block is for, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "role")]
pub enum BlockRole {
    /// Adapter block at its coordinates.
    Adapter,
    /// Switch block of a line of `dimension`, counted from 1.
    Switch { dimension: u8 },
    /// Leaf switch block `leaf` (0…3) of a switch assembly.
    AssemblyLeaf { dimension: u8, leaf: u8 },
    /// Spine switch block `spine` (0…1) of a switch assembly.
    AssemblySpine { dimension: u8, spine: u8 },
    /// Switch block of a network without lines: level of a fat tree (1 = leaves).
    Stage { stage: u8 },
    /// Terminal of a distributed switch with its POK, the first cascade: branch i is network port i.
    Terminal,
    /// POK unit of a further cascade (2…k): branch i is network port i, the trunk comes last.
    #[serde(rename = "rok")]
    Pok { cascade: u8 },
    /// m×m switch in the middle of a distributed switch.
    Spine,
}

/// One device: adapter block or switch block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Block {
    /// Stable name: `ab_0_3_0_0`, `kb_y2`, `ksb_y2_leaf0`, `ksb_y2_spine1`. A switch block is named
    /// after its dimension letter (y, z, w) and the coordinates of its line in the other dimensions
    /// (dimension 1 first, joined by `_`, as many as the network has): `kb_z1_2` joins the ABs
    /// (1, 2, *, …). Switch blocks of stages are named as their topology likes. Distributed switches
    /// have `terminal_5`, `rok2_3_5` (cascade 2, copy 3, unit 5) and `spine_3_7` (copy 3, switch 7).
    pub name: String,
    #[serde(flatten)]
    pub role: BlockRole,
    /// Coordinates: of an adapter block those in its name, four in MKNS (unused ones 0); of the switch
    /// block of a line the same, 0 in the line's own dimension; of a stage as its topology says; of a terminal
    /// its number, of POK units and spine switches the numbers in the name.
    pub coordinates: Vec<u32>,
    /// Network ports (d), used or not.
    pub network_ports: u8,
    /// PCIe-side ports (M), 0 on switch blocks.
    pub pcie_ports: u8,
}

impl Block {
    /// The adapter block at these coordinates.
    pub(crate) fn adapter(coordinates: Vec<u32>, network_ports: u32, vms_per_node: u32) -> Self {
        let digits: Vec<String> = coordinates.iter().map(u32::to_string).collect();
        Self {
            name: format!("ab_{}", digits.join("_")),
            role: BlockRole::Adapter,
            coordinates,
            network_ports: network_ports as u8,
            pcie_ports: vms_per_node as u8,
        }
    }

    /// The name that the paper would use: `AB(0 3 0 0)`, `KB Y2`, `KSb Y2 leaf 0`.
    pub fn label(&self) -> String {
        let line = || {
            let letters = self.name.split('_').skip(1);
            let line: Vec<_> = letters
                .take_while(|part| !part.starts_with("leaf") && !part.starts_with("spine"))
                .collect();
            line.join("_").to_uppercase()
        };
        match self.role {
            BlockRole::Adapter => {
                let coordinates: Vec<_> = self.coordinates.iter().map(u32::to_string).collect();
                format!("AB({})", coordinates.join(" "))
            }
            BlockRole::Switch { .. } => format!("KB {}", line()),
            BlockRole::AssemblyLeaf { leaf, .. } => format!("KSb {} leaf {leaf}", line()),
            BlockRole::AssemblySpine { spine, .. } => format!("KSb {} spine {spine}", line()),
            BlockRole::Stage { .. }
            | BlockRole::Terminal
            | BlockRole::Pok { .. }
            | BlockRole::Spine => self.name.clone(),
        }
    }
}

/// One end of a cable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct End {
    pub block: BlockId,
    pub port: PortIndex,
}

/// What a cable is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CableKind {
    /// Between two adapter blocks of a direct mesh.
    Mesh,
    /// Between an adapter block and a switch block or assembly leaf.
    Switch,
    /// Inside a switch assembly (not counted by the paper's NCC).
    AssemblyInternal,
    /// Between a POK unit and the trunk of the next cascade or a spine switch, both directions.
    #[serde(rename = "rok")]
    Pok,
    /// A cable for one direction: `a` sends, `b` receives. What each port does in the other direction
    /// is another cable's business.
    Simplex,
}

/// A cable: bidirectional with `a < b` by block, then port, unless it is simplex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Cable {
    pub a: End,
    pub b: End,
    /// Dimension, or level, counted from 1.
    pub dimension: u8,
    pub kind: CableKind,
}

impl Cable {
    /// A bidirectional cable of dimension index `i`.
    pub(crate) fn between(one: End, other: End, i: usize, kind: CableKind) -> Self {
        Self {
            a: one.min(other),
            b: one.max(other),
            dimension: i as u8 + 1,
            kind,
        }
    }

    /// The end that is not at this block.
    pub fn other_end(&self, block: BlockId) -> End {
        if self.a.block == block {
            self.b
        } else {
            self.a
        }
    }

    /// Who sends to whom through the cable: both ways, or from `a` to `b` only.
    pub fn directions(&self) -> impl Iterator<Item = (End, End)> + use<> {
        let back = (self.kind != CableKind::Simplex).then_some((self.b, self.a));
        std::iter::once((self.a, self.b)).chain(back)
    }
}

/// A host behind a PCIe-side port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct HostAttachment {
    /// host = M·node + PCIe port; node = x + K1·y + K1·K2·z + ….
    pub host: u32,
    pub block: BlockId,
    pub pcie_port: u8,
}

impl HostAttachment {
    /// Those of blocks, which are alike; `node` tells the number of a block in the whole network.
    pub(crate) fn of_blocks(blocks: &[Block], node: impl Fn(u32) -> u32) -> Vec<Self> {
        let of_block = |(id, block): (u32, &Block)| {
            let (ports, first) = (block.pcie_ports, node(id) * u32::from(block.pcie_ports));
            (0..ports).map(move |pcie_port| Self {
                host: first + u32::from(pcie_port),
                block: BlockId(id),
                pcie_port,
            })
        };
        (0..).zip(blocks).flat_map(of_block).collect()
    }
}

/// The whole graph. Adapter blocks come first, in node order; then switch blocks by dimension, line
/// and, within an assembly, leaves before spines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Network {
    pub name: String,
    pub blocks: Vec<Block>,
    pub cables: Vec<Cable>,
    /// In order of `host`.
    #[serde(rename = "terminals")]
    pub hosts: Vec<HostAttachment>,
}

impl Network {
    /// The block with this name (`ab_0_3_0_0`) or paper label (`AB(0 3 0 0)`).
    pub fn block_named(&self, name: &str) -> Option<BlockId> {
        let found = |block: &Block| block.name == name || block.label() == name;
        self.blocks
            .iter()
            .position(found)
            .map(|i| BlockId(i as u32))
    }

    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    /// Dimensions, or levels, that cables are numbered by: 1 to this.
    pub fn dimensions(&self) -> u8 {
        let dimensions = self.cables.iter().map(|cable| cable.dimension);
        dimensions.max().unwrap_or(0)
    }

    /// All blocks in order.
    pub fn block_ids(&self) -> impl Iterator<Item = BlockId> + use<> {
        (0..self.blocks.len() as u32).map(BlockId)
    }

    /// Adapter blocks, which come first.
    pub fn adapters(&self) -> &[Block] {
        let count = self
            .blocks
            .partition_point(|block| block.role == BlockRole::Adapter);
        &self.blocks[..count]
    }
}
