//! Several paths between two hosts: which layers a source may use, and on which channel each begins.
//!
//! A layer is one complete set of tables, named by a packet's header. Sources choose among the layers of a
//! mask, one mask for each destination.

use serde::Serialize;

/// The layers of a network with more than one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PathLayers {
    /// Of each adapter block, in block order: by node address (the destination's bits above the PCIe field)
    /// the layers that lead there, bit l for layer l. 0: none does.
    pub masks: Vec<Vec<u8>>,
    /// By layer: the virtual channel on which its packets start.
    pub entry_channels: Vec<u32>,
}
