//! Parameters of the hardware blocks, shared by all blocks of a network.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::limits::{Limits, MAX_PAYLOAD_BYTES, Number, number};

/// Block parameters with the defaults of `docs/microarchitecture.md`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct BlockParameters {
    /// W: bits of a flit, 64, 128, 256 or 512.
    #[schemars(extend("enum" = [64, 128, 256, 512]))]
    pub flit_bits: u32,
    /// V: virtual channels per link, 1, 2 or 4. When absent as many as the routes need: 1 but for tori with
    /// rings of 5 or more. With more of them hosts' packets are spread.
    #[schemars(extend("enum" = [1, 2, 4]))]
    pub virtual_channels: u32,
    /// C: credits that a sender holds per virtual channel after reset, flits, 4…256: at most D − 2. Must
    /// cover the link round trip.
    #[schemars(range(min = 4, max = 256))]
    pub rx_buffer_flits: u32,
    /// D: flits that one virtual output queue holds, a power of two, 8…1024.
    #[schemars(extend("enum" = [8, 16, 32, 64, 128, 256, 512, 1024]))]
    pub queue_flits: u32,
    /// Memory banks per input, 1 … ports; outputs o with equal o mod banks share one.
    #[schemars(range(min = 1, max = 16))]
    pub banks: u32,
    pub switching: Switching,
    /// Longest legal packet including its header, flits, 1…1024.
    #[schemars(range(min = 1, max = 1024))]
    pub max_packet_flits: u32,
    /// Register stages on every cable, cycles, 1…64.
    #[schemars(range(min = 1, max = 64))]
    pub link_latency: u32,
    /// PW: bits of a PCIe-side stream, 64, 128, 256 or 512; a multiple of `flit_bits` or a divisor.
    #[schemars(extend("enum" = [64, 128, 256, 512]))]
    pub pcie_bits: u32,
    /// Cycles that the host may refuse the beats of a packet before its port drops, 0 = never drop; at most what a
    /// Verilog integer holds.
    #[schemars(range(min = 0, max = 2147483647))]
    pub host_timeout: u32,
    /// Beats of `pcie_bits` that wait for a late host behind XDMA or LitePCIe, a power of two, 1024…65536. Must hold
    /// the longest packet.
    #[schemars(extend("enum" = [1024, 2048, 4096, 8192, 16384, 32768, 65536]))]
    pub host_buffer_beats: u32,
    /// Routing tables (layers) per block, 1…8.
    #[schemars(range(min = 1, max = 8))]
    pub layers: u32,
    /// Who chooses the layer of a host's packet: "mask", the adapter block, by a mask of layers for each
    /// destination; "host", the layer bits that the host wrote. When absent "mask" where the routing engine
    /// fills masks, otherwise "host".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer_select: Option<LayerSelect>,
    /// Which turns blocks contain: "routes", those that the routes of the network may ever use; "all", every pair of two
    /// ports, and alternate ports in table entries, for a machine that will be rewired or routed in another way.
    pub turns: TurnSelect,
    /// AXI4-Lite control port; without it the tables are constants.
    pub control_port: bool,
    /// Event counters readable through the control port.
    pub counters: bool,
    /// Whether blocks choose among shortest paths (`docs/microarchitecture.md`, 1.8). Not part of `[block]`: the routing
    /// engine of the spec decides.
    #[serde(skip)]
    pub adaptive: bool,
    /// Value of all event counters after a reset. Not part of a spec: 0 in every network; tests let them
    /// begin below the overflow.
    #[serde(skip)]
    pub counter_start: u32,
}

/// When a header may leave a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Switching {
    /// As soon as the next buffer has room for one flit.
    Wormhole,
    /// When the next buffer has room for `max_packet_flits` (virtual cut-through).
    Vct,
}

/// Who chooses the layer of a host's packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LayerSelect {
    /// The adapter block, among those of the destination's mask.
    Mask,
    /// The host.
    Host,
}

/// Which turns blocks contain (`docs/microarchitecture.md`, 1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TurnSelect {
    /// Those that the routes of the network may ever use.
    Routes,
    /// Every pair of two ports.
    All,
}

impl Default for BlockParameters {
    fn default() -> Self {
        Self {
            flit_bits: 64,
            virtual_channels: 1,
            rx_buffer_flits: 62,
            queue_flits: 64,
            banks: 2,
            switching: Switching::Wormhole,
            max_packet_flits: 33,
            link_latency: 1,
            pcie_bits: 64,
            host_timeout: 1024,
            host_buffer_beats: 1024,
            layers: 1,
            layer_select: None,
            turns: TurnSelect::Routes,
            control_port: true,
            counters: true,
            adaptive: false,
            counter_start: 0,
        }
    }
}

impl BlockParameters {
    /// Whether adapter blocks choose the layers of hosts' packets (`docs/microarchitecture.md`, 3.4).
    pub fn chooses_layers(&self) -> bool {
        self.layer_select == Some(LayerSelect::Mask)
    }

    /// Legal values of the layer bits that a host writes: layers, or hints of any value where blocks choose.
    pub fn host_layers(&self) -> u32 {
        match self.chooses_layers() {
            true => 8,
            false => self.layers,
        }
    }

    /// Virtual channels that routes may use: all but the adaptive one.
    pub fn table_channels(&self) -> u32 {
        self.virtual_channels - u32::from(self.adaptive)
    }

    /// H: channels on which hosts' packets start where routes need `route_channels`: so far apart that steps
    /// never lead from one to another (`docs/microarchitecture.md`, 3.1).
    pub fn host_channels(&self, route_channels: u32) -> u32 {
        if self.adaptive {
            return 1;
        }
        (self.virtual_channels / route_channels).max(1)
    }

    /// Bytes of the longest payload of a packet.
    pub fn longest_payload(&self) -> u32 {
        let flits = self.max_packet_flits.saturating_sub(1);
        let payload = flits.saturating_mul(self.flit_bits / 8);
        payload.min(MAX_PAYLOAD_BYTES)
    }

    /// Beats of `pcie_bits` of the longest packet: its header and its payload.
    pub fn longest_host_packet(&self) -> u32 {
        1 + self.longest_payload().div_ceil(self.pcie_bits / 8)
    }

    /// Cycles from the use of a credit until it can be used again when nothing blocks: both ways over the cable
    /// and nine stages of the two blocks, ten of adaptive ones. `rx_buffer_flits` below this leaves the link idle
    /// between flits.
    pub fn round_trip(&self) -> u32 {
        2 * self.link_latency + 9 + u32::from(self.adaptive)
    }

    /// E: credits per virtual channel of an adapter block's outputs to hosts. A host takes a flit in every
    /// cycle or holds everybody up, so more room would not help; cut-through packets have to fit.
    pub fn host_buffer_flits(&self) -> u32 {
        match self.switching {
            Switching::Wormhole => self.rx_buffer_flits.min(16),
            Switching::Vct => self.rx_buffer_flits,
        }
    }
}

/// A boolean of the `[block]` table.
pub(crate) struct Flag {
    pub name: &'static str,
    pub set: fn(&mut BlockParameters, bool),
}

/// Makes a [`Flag`] whose key is the name of the struct field.
macro_rules! flag {
    ($name:ident) => {
        Flag {
            name: stringify!($name),
            set: |block, value| block.$name = value,
        }
    };
}

const WIDTHS: Limits = Limits::OneOf(&[64, 128, 256, 512]);

/// The whole numbers of `[block]`.
pub(crate) const NUMBERS: [Number<BlockParameters>; 11] = [
    number!(flit_bits, WIDTHS),
    number!(virtual_channels, Limits::OneOf(&[1, 2, 4])),
    number!(rx_buffer_flits, Limits::Range(4, 256)),
    number!(queue_flits, Limits::PowerOfTwo(8, 1024)),
    number!(banks, Limits::Range(1, 16)),
    number!(max_packet_flits, Limits::Range(1, 1024)),
    number!(link_latency, Limits::Range(1, 64)),
    number!(pcie_bits, WIDTHS),
    number!(host_timeout, Limits::Range(0, i32::MAX as u32)),
    number!(host_buffer_beats, Limits::PowerOfTwo(1024, 65536)),
    number!(layers, Limits::Range(1, 8)),
];

/// The booleans of `[block]`.
pub(crate) const FLAGS: [Flag; 2] = [flag!(control_port), flag!(counters)];

/// The keys of the fields that are neither number nor boolean.
pub(crate) const SWITCHING: &str = "switching";
pub(crate) const LAYER_SELECT: &str = "layer_select";
pub(crate) const TURNS: &str = "turns";
