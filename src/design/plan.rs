//! The build plan: which hardware modules, with which parameters, instantiated where.
//!
//! The one source of names, widths and order of ports for `rtl`, `golden` and `cosim`. Holds no
//! Verilog and no behaviour.

use serde::Serialize;

use crate::routing::{AddressLayout, BlockTables};
use crate::spec::{BlockParameters, NetworkSpec};
use crate::topology::{BlockId, Network};

/// The two kinds of block modules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModuleKind {
    Switch,
    Adapter,
}

/// Which bits of the destination address index a routing table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TableShape {
    /// Lowest destination bit.
    pub lsb: u32,
    /// Index bits; the table has `layers << bits` entries.
    pub bits: u32,
}

/// One parameterisation of `switch_block` or `adapter_block`, shared by many instances.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlockModule {
    pub kind: ModuleKind,
    /// d
    pub network_ports: u32,
    /// M; 0 on switch blocks.
    pub pcie_ports: u32,
    pub tables: Vec<TableShape>,
    pub parameters: BlockParameters,
    /// Checked by the ingress of adapter blocks.
    pub layout: AddressLayout,
}

/// One block of the network.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlockInstance {
    pub block: BlockId,
    /// Index into [`Plan::modules`].
    pub module: usize,
    /// Own destination address with PCIe field 0; 0 on switch blocks.
    pub node_address: u32,
    pub tables: BlockTables,
}

/// Everything that will be built, tool-neutral.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Plan {
    pub spec: NetworkSpec,
    pub network: Network,
    pub layout: AddressLayout,
    pub modules: Vec<BlockModule>,
    /// Indexed by [`BlockId`].
    pub instances: Vec<BlockInstance>,
}
