//! Parts of a network that have failed: blocks, cables, PCIe ports.
//!
//! A block that has failed takes its cables with it. A failed port is its failed cable.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{BlockId, BlockRole, CableKind, End, Network};

/// Something that can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    Block(BlockId),
    /// Index into [`Network::cables`].
    Cable(u32),
    /// The PCIe port of a host.
    #[serde(rename = "terminal")]
    Host(u32),
}

/// What sort of part one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PartClass {
    /// Adapter block.
    Adapter,
    /// Any other block.
    Switch,
    /// Cable between two adapter blocks.
    Mesh,
    /// Any other cable.
    Cable,
}

/// Parts that have failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Faults {
    parts: BTreeSet<Part>,
}

impl PartClass {
    /// All classes.
    pub const ALL: [Self; 4] = [Self::Adapter, Self::Switch, Self::Mesh, Self::Cable];

    /// Name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Adapter => "adapter",
            Self::Switch => "switch",
            Self::Mesh => "mesh",
            Self::Cable => "cable",
        }
    }

    /// The parts of a network that are of this class, in the network's order.
    pub fn parts(self, network: &Network) -> Vec<Part> {
        let block = |id: BlockId| {
            let is_adapter = network.block(id).role == BlockRole::Adapter;
            (is_adapter == (self == Self::Adapter)).then_some(Part::Block(id))
        };
        let cable = |(number, kind): (usize, CableKind)| {
            let is_mesh = kind == CableKind::Mesh;
            (is_mesh == (self == Self::Mesh)).then_some(Part::Cable(number as u32))
        };
        match self {
            Self::Adapter | Self::Switch => network.block_ids().filter_map(block).collect(),
            Self::Mesh | Self::Cable => {
                let kinds = network.cables.iter().map(|cable| cable.kind);
                kinds.enumerate().filter_map(cable).collect()
            }
        }
    }
}

impl Part {
    /// The name that [`Faults::named`] reads back: `ab_0_3_0_0`, `ab_0_3_0_0/7-kb_y0/3`, `ab_0_3_0_0:1`.
    pub fn name(self, network: &Network) -> String {
        let port = |end: End| format!("{}/{}", network.block(end.block).name, end.port);
        match self {
            Self::Block(id) => network.block(id).name.clone(),
            Self::Cable(number) => {
                let cable = &network.cables[number as usize];
                format!("{}-{}", port(cable.a), port(cable.b))
            }
            Self::Host(host) => {
                let at = &network.hosts[host as usize];
                let block = network.block(at.block);
                format!("{}:{}", block.name, at.pcie_port)
            }
        }
    }
}

impl Faults {
    /// Nothing has failed.
    pub fn none() -> Self {
        Self::default()
    }

    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// In a fixed order: blocks, cables, PCIe ports.
    pub fn parts(&self) -> impl Iterator<Item = Part> + '_ {
        self.parts.iter().copied()
    }

    pub fn block_works(&self, id: BlockId) -> bool {
        !self.parts.contains(&Part::Block(id))
    }

    /// Whether a cable and the blocks at its ends work.
    pub fn cable_works(&self, network: &Network, number: u32) -> bool {
        let cable = &network.cables[number as usize];
        !self.parts.contains(&Part::Cable(number))
            && self.block_works(cable.a.block)
            && self.block_works(cable.b.block)
    }

    /// Whether a host has a port to the network.
    pub fn host_works(&self, network: &Network, host: u32) -> bool {
        let block = network.hosts[host as usize].block;
        !self.parts.contains(&Part::Host(host)) && self.block_works(block)
    }
}

impl FromIterator<Part> for Faults {
    fn from_iter<I: IntoIterator<Item = Part>>(parts: I) -> Self {
        let parts = parts.into_iter().collect();
        Self { parts }
    }
}
