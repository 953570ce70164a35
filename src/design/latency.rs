//! Zero-load latency, from the stage counts of `docs/microarchitecture.md`.

use serde::Serialize;

use mkns_spec::{BlockParameters, NetworkSpec, SerialLink};

/// Cycles from the tlast beat of a header-only packet to the core's rx pin (section 3.1).
const INGRESS: u32 = 3;
/// Cycles from the core's tx pin to the host (section 3.2).
const EGRESS: u32 = 2;
/// Cycles more each way when beats and flits differ in width (section 3.3).
const CONVERSION: u32 = 1;
/// Cycles from rx pin to tx pin of a switch core (section 1).
const CORE: u32 = 5;
/// Cycles more in an adaptive block, but for packets on channel A that commit or go to a host (section 1.8).
const CHOICE: u32 = 1;

/// Cycles more into a block that chooses layers (section 3.4).
const LAYER_CHOICE: u32 = 1;

/// Cycles through a splitter or a combiner (section 6).
const POK: u32 = 2;

/// Cycles that a flit takes through an empty network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ZeroLoadLatency {
    /// Through one block, rx pin to tx pin; in adaptive blocks that of an ordered packet.
    pub block: u32,
    /// Along one cable.
    pub cable: u32,
    /// Along a serial one, its link ports included, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub serial_cable: Option<u32>,
    /// From a host into its adapter block's core, and from a core to the host.
    pub ingress: u32,
    pub egress: u32,
}

impl ZeroLoadLatency {
    pub fn new(parameters: &BlockParameters) -> Self {
        let conversion = CONVERSION * u32::from(parameters.pcie_bits != parameters.flit_bits);
        Self {
            block: CORE + CHOICE * u32::from(parameters.adaptive),
            cable: parameters.link_latency,
            serial_cable: None,
            ingress: INGRESS + conversion + LAYER_CHOICE * u32::from(parameters.chooses_layers()),
            egress: EGRESS + conversion,
        }
    }

    /// That of a network, whose cables may be serial.
    pub fn of(spec: &NetworkSpec) -> Self {
        Self {
            serial_cable: spec.link.as_ref().map(SerialLink::latency),
            ..Self::new(&spec.block)
        }
    }

    /// Cycles from the cycle in which the host's header-only packet is taken to the cycle in which
    /// the other host sees it, over a path of `cables` (and one block more).
    /// In adaptive blocks, that of an ordered packet: one that always commits takes a cycle less in every block but the
    /// first (section 1.8).
    pub fn host_to_host(&self, cables: u32) -> u32 {
        self.ingress + (cables + 1) * self.block + cables * self.cable + self.egress
    }

    /// Additional cycles of a packet of this many flits: its last beat is taken and shown later than its header, as many cycles
    /// later as the narrower of flits and beats needs.
    pub fn behind_header(parameters: &BlockParameters, flits: u32) -> u32 {
        let beats_of_flit = (parameters.flit_bits / parameters.pcie_bits).max(1);
        2 * (flits - 1) * beats_of_flit
    }

    /// As [`Self::host_to_host`] where `serial` of the cables are.
    pub fn host_to_host_over(&self, cables: u32, serial: u32) -> u32 {
        let longer = self.serial_cable.unwrap_or(self.cable) - self.cable;
        self.host_to_host(cables) + serial * longer
    }

    /// Cycles of a header-only packet from any terminal of a distributed switch to any: k splitters, the spine switch and k
    /// combiners, a cable between each two.
    pub fn terminal_to_terminal(&self, cascades: u32) -> u32 {
        let units = 2 * cascades;
        self.ingress + units * (POK + self.cable) + self.block + self.egress
    }
}
