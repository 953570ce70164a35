//! Several paths between two hosts: which layers a source may use, and on which channel each begins.
//!
//! A layer is one complete set of tables, named by a packet's header. Sources choose among the layers of a
//! mask, one mask for each destination.

use serde::Serialize;

use super::AddressLayout;

/// The layers of a network with more than one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PathLayers {
    /// Of each adapter block, in block order: by node address (the destination's bits above the PCIe field)
    /// the layers that lead there, bit l for layer l. 0: none does.
    pub masks: Vec<Vec<u8>>,
    /// By layer: the virtual channel on which its packets start.
    pub entry_channels: Vec<u32>,
}

impl PathLayers {
    /// The layers that packets from an adapter block to a node address may take.
    pub fn mask(&self, from: usize, node_address: u32) -> u8 {
        self.masks[from][node_address as usize]
    }
}

impl AddressLayout {
    /// The destination's bits above the PCIe field.
    pub fn node_address(&self, address: u32) -> u32 {
        address >> self.fields[0].bits
    }

    /// Number of values of a node address, legal or not.
    pub fn node_addresses(&self) -> usize {
        1 << (self.bits() - self.fields[0].bits)
    }
}
