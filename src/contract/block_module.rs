//! The block modules: their kinds, and the shapes that parameterise one.

use serde::{Deserialize, Serialize};

use mkns_routing::{AddressLayout, Turns};
use mkns_spec::BlockParameters;

/// The kinds of block modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ModuleKind {
    Switch,
    Adapter,
    /// Splitter and combiner: the second and later cascades of a distributed switch.
    #[serde(rename = "rok")]
    Pok,
    /// Terminal of a distributed switch: PCIe side behind splitter and combiner.
    Terminal,
}

impl ModuleKind {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::Switch, Self::Adapter, Self::Pok, Self::Terminal];

    /// Name in reports and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Switch => "switch",
            Self::Adapter => "adapter",
            Self::Pok => "rok",
            Self::Terminal => "terminal",
        }
    }

    /// Number in the register BLOCK and in the HELLO of link ports.
    pub fn code(self) -> u32 {
        match self {
            Self::Switch => 0,
            Self::Adapter => 1,
            Self::Pok => 2,
            Self::Terminal => 3,
        }
    }

    /// Whether hosts are plugged into blocks of this kind.
    pub fn has_hosts(self) -> bool {
        matches!(self, Self::Adapter | Self::Terminal)
    }

    /// Whether the block is made of a splitter and a combiner instead of a switch core
    /// (`docs/microarchitecture.md`, section 6).
    pub fn is_pok(self) -> bool {
        matches!(self, Self::Pok | Self::Terminal)
    }
}

/// Which bits of the destination address index a routing table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TableShape {
    /// Lowest destination bit.
    pub lsb: u32,
    /// Index bits; the table has `layers << bits` entries.
    pub bits: u32,
}

/// Destination bits that hold the address of a node: those above the PCIe field. They index the masks of an adapter
/// block that chooses layers, and the candidates of an adaptive block (`docs/microarchitecture.md`, 3.4 and 1.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct NodeShape {
    /// Lowest destination bit.
    pub lsb: u32,
    /// Bits of a node address.
    pub bits: u32,
}

impl NodeShape {
    /// In addresses of this layout; none where blocks know no addresses.
    fn of(layout: &AddressLayout) -> Option<Self> {
        let lsb = layout.fields.first()?.bits;
        let bits = layout.bits() - lsb;
        Some(Self { lsb, bits })
    }

    /// Of the masks of blocks with these parameters and addresses; none where hosts choose layers.
    pub fn of_masks(parameters: &BlockParameters, layout: &AddressLayout) -> Option<Self> {
        Self::of(layout).filter(|_| parameters.chooses_layers())
    }

    /// Number of node addresses.
    pub fn entries(&self) -> u32 {
        1 << self.bits
    }
}

/// What an adapter block that chooses layers knows of them at power-up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LayerChoice {
    /// By node address: bit l for each layer l that leads there.
    pub masks: Vec<u8>,
    /// By layer: the virtual channel on which its packets start.
    pub entry_channels: Vec<u32>,
}

impl LayerChoice {
    /// Nothing is reachable; all layers start on channel 0.
    pub fn none(masks: NodeShape, layers: u32) -> Self {
        Self {
            masks: vec![0; masks.entries() as usize],
            entry_channels: vec![0; layers as usize],
        }
    }
}

/// Splitter and combiner of a block (`docs/microarchitecture.md`, section 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PokShape {
    /// m
    pub branches: u32,
    /// POK_m*: one trunk channel for each branch.
    pub parallel: bool,
    /// F: bits of a local address.
    pub field_bits: u32,
}

impl PokShape {
    /// Local addresses as short as `branches` allow.
    pub fn new(branches: u32, parallel: bool) -> Self {
        Self {
            branches,
            parallel,
            field_bits: branches.next_power_of_two().ilog2().max(1),
        }
    }

    /// T: trunk channels.
    pub fn trunks(&self) -> u32 {
        if self.parallel { self.branches } else { 1 }
    }

    /// The branches that a trunk channel serves: all of them, or with `PARALLEL` the one of its number.
    pub fn branches_of(&self, trunk: usize) -> std::ops::Range<usize> {
        match self.parallel {
            true => trunk..trunk + 1,
            false => 0..self.branches as usize,
        }
    }
}

/// One parameterisation of a block module, shared by many instances.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlockModule {
    pub kind: ModuleKind,
    /// d
    pub network_ports: u32,
    /// M, or trunk channels of a terminal; 0 on blocks without hosts.
    pub pcie_ports: u32,
    /// Of POK and terminal blocks.
    #[serde(rename = "rok", skip_serializing_if = "Option::is_none")]
    pub pok: Option<PokShape>,
    pub tables: Vec<TableShape>,
    /// Of adapter blocks that choose layers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub masks: Option<NodeShape>,
    /// Network ports with a serial cable, bit p for port p: the block stands on a board with link ports.
    #[serde(skip_serializing_if = "has_none")]
    pub serial_ports: u32,
    /// n: virtual channels that a packet may be on, the one it starts on and those that steps lead to.
    pub route_channels: u32,
    /// Pairs of an input and an output of the switch core for which the block has queues; empty on POK blocks.
    pub turns: Turns,
    /// Whether table entries may name an alternate port; false on POK blocks.
    pub alternates: bool,
    pub parameters: BlockParameters,
    /// Checked by the ingress of adapter and terminal blocks; empty on POK blocks.
    pub layout: AddressLayout,
}

fn has_none(ports: &u32) -> bool {
    *ports == 0
}

impl BlockModule {
    /// H: channels on which hosts' packets start.
    pub fn host_channels(&self) -> u32 {
        match self.masks {
            Some(_) => self.parameters.virtual_channels,
            None => self.parameters.host_channels(self.route_channels),
        }
    }

    /// A POK block by itself: branches are ports 0…m−1, trunk channels follow.
    pub fn pok(shape: PokShape, parameters: &BlockParameters) -> Self {
        Self {
            kind: ModuleKind::Pok,
            network_ports: shape.branches + shape.trunks(),
            pcie_ports: 0,
            pok: Some(shape),
            tables: Vec::new(),
            masks: None,
            serial_ports: 0,
            route_channels: 1,
            turns: Turns::default(),
            alternates: false,
            parameters: parameters.clone(),
            layout: AddressLayout { fields: Vec::new() },
        }
    }

    /// A terminal of a switch whose address trains have the given layout.
    pub fn terminal(shape: PokShape, layout: &AddressLayout, parameters: &BlockParameters) -> Self {
        Self {
            kind: ModuleKind::Terminal,
            network_ports: shape.branches,
            pcie_ports: shape.trunks(),
            layout: layout.clone(),
            ..Self::pok(shape, parameters)
        }
    }

    /// What indexes the candidate table of an adaptive block.
    pub fn candidates(&self) -> Option<NodeShape> {
        let is_adaptive = self.parameters.adaptive && !self.kind.is_pok();
        NodeShape::of(&self.layout).filter(|_| is_adaptive)
    }

    /// Network ports that are built, bit p: all of them but those without a turn (`docs/microarchitecture.md`, 1.3).
    pub fn built_ports(&self) -> u32 {
        let network = u32::MAX >> (u32::BITS - self.network_ports);
        match self.kind.is_pok() {
            true => network,
            false => self.turns.built() & network,
        }
    }

    /// Whether packets may go a virtual channel up, as the block's STEP registers say.
    pub fn has_step(&self) -> bool {
        !self.kind.is_pok() && self.route_channels > 1 && self.parameters.virtual_channels > 1
    }
}
