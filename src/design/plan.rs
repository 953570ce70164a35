//! The build plan: which hardware modules, with which parameters, instantiated where.
//!
//! Holds no Verilog and no behaviour.

use serde::Serialize;

use mkns_contract::{BlockModule, LayerChoice};
use mkns_routing::{AddressLayout, BlockTables, ServedPairs};
use mkns_spec::NetworkSpec;
use mkns_topology::{BlockId, Faults, Network};

/// One block of the network.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BlockInstance {
    pub block: BlockId,
    /// Index into [`Plan::modules`].
    pub module: usize,
    /// Own destination address with PCIe field 0, number of a terminal; 0 on other blocks.
    pub node_address: u32,
    pub tables: BlockTables,
    /// Of adapter blocks that choose layers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer_choice: Option<LayerChoice>,
}

/// Everything that will be built, tool-neutral.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Plan {
    pub spec: NetworkSpec,
    pub network: Network,
    /// Parts of it that have failed from the start.
    #[serde(skip_serializing_if = "Faults::is_empty")]
    pub faults: Faults,
    /// The file that the routes are from, where they are not those of the spec's engine.
    #[serde(skip)]
    pub routes_from: Option<String>,
    pub layout: AddressLayout,
    /// The pairs of hosts that routes join; none where they join all.
    #[serde(skip)]
    pub served: Option<ServedPairs>,
    pub modules: Vec<BlockModule>,
    /// Indexed by [`BlockId`].
    pub instances: Vec<BlockInstance>,
}

impl Plan {
    /// Hosts of the whole network, of which the plan may have some blocks only.
    pub fn hosts(&self) -> u32 {
        // Trains have no field for the terminal.
        match self.spec.kind.has_trains() {
            true => self.network.terminals.len() as u32,
            false => self.layout.terminals(),
        }
    }
}
