//! Parameters of the hardware blocks, shared by all blocks of a network.

use serde::{Deserialize, Serialize};

/// Block parameters with the defaults of `docs/microarchitecture.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BlockParameters {
    /// W: bits of a flit, 64, 128, 256 or 512.
    pub flit_bits: u32,
    /// V: virtual channels per link, 1, 2 or 4.
    pub virtual_channels: u32,
    /// C: credits that a sender holds per virtual channel after reset, flits, 4…256. Must cover the
    /// link round trip.
    pub rx_buffer_flits: u32,
    /// D: flits that one virtual output queue holds, a power of two, 8…1024, at least C + 4.
    pub queue_flits: u32,
    /// Memory banks per input, 1 … ports; outputs o with equal o mod banks share one.
    pub banks: u32,
    pub switching: Switching,
    /// Longest legal packet including its header, flits, 1…1024.
    pub max_packet_flits: u32,
    /// Register stages on every cable, cycles, 1…64.
    pub link_latency: u32,
    /// PW: bits of a PCIe-side stream, 64, 128, 256 or 512; a multiple of `flit_bits` or a divisor.
    pub pcie_bits: u32,
    /// Cycles that the host may refuse the beat at the head before its port drops, 0 = never drop.
    pub host_timeout: u32,
    /// Routing tables (layers) per block, 1…8.
    pub layers: u32,
    /// Register the received flit before the route lookup (one cycle more latency).
    pub register_route: bool,
    /// Register the memory output before the crossbar (one cycle more latency).
    pub register_read: bool,
    /// AXI4-Lite control port; without it the tables are read-only.
    pub control_port: bool,
    /// Event counters readable through the control port.
    pub counters: bool,
}

/// When a header may leave a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Switching {
    /// As soon as the next buffer has room for one flit.
    Wormhole,
    /// When the next buffer has room for `max_packet_flits` (virtual cut-through).
    Vct,
}

impl Default for BlockParameters {
    fn default() -> Self {
        Self {
            flit_bits: 64,
            virtual_channels: 2,
            rx_buffer_flits: 16,
            queue_flits: 32,
            banks: 2,
            switching: Switching::Wormhole,
            max_packet_flits: 33,
            link_latency: 1,
            pcie_bits: 64,
            host_timeout: 1024,
            layers: 1,
            register_route: false,
            register_read: false,
            control_port: true,
            counters: true,
        }
    }
}
