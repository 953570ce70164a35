//! The build plan: which hardware modules, with which parameters, instantiated where.
//!
//! Holds no Verilog and no behaviour.

use std::io::BufWriter;

use serde::Serialize;
use sha2::{Digest, Sha256};

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

/// The blocks that packets go to first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlocksBetween {
    /// Addresses of all blocks with hosts.
    pub addresses: Vec<u32>,
    /// Bits of an address. Above them, a destination has the number of its block.
    pub address_bits: u32,
    /// Channels of the paths to that block; the paths from it have as many of their own.
    pub channels: u32,
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
    /// In a simulation whose packets go over random blocks.
    #[serde(skip)]
    pub blocks_between: Option<BlocksBetween>,
    /// Indexed by [`BlockId`].
    pub instances: Vec<BlockInstance>,
}

impl Plan {
    /// Hosts of the whole network, of which the plan may have some blocks only.
    pub fn hosts(&self) -> u32 {
        // Trains have no field for the terminal.
        match self.spec.kind.has_trains() {
            true => self.network.hosts.len() as u32,
            false => self.layout.hosts(),
        }
    }

    /// The content key, equal where the same hardware is built: SHA-256 of the plan's JSON form, as 64 hexadecimal
    /// digits. Field order is fixed by the types and no map is involved, so the form is canonical.
    pub fn key(&self) -> String {
        let mut buffer = BufWriter::with_capacity(1 << 16, Sha256::new());
        serde_json::to_writer(&mut buffer, self).expect("a plan has string keys only");
        let hasher = buffer.into_inner().expect("hashing does not fail");
        format!("{:x}", hasher.finalize())
    }
}
