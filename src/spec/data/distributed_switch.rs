//! Distributed full switches: `multi_ring(m)`, `hypercube(m)` and `block_design(N,m,sigma)`, each
//! extended by cascades and with serial or parallel POK units at the terminals.
//!
//! Two more arguments may follow: k, the number of cascades (1 without it), and P, 0 for serial and 1 for
//! parallel POK units (0 without it). Source: Karavay & Podlazov (docs/reference/distributed-switch.md).

use schemars::JsonSchema;
use serde::Serialize;

use super::kind::Kind;
use super::limits::{Limits, bits_for};
use mkns_block_design::Parameters;

/// m: ports of a spine switch.
pub(crate) const SPINE_PORTS: Limits = Limits::Range(2, 16);
/// k: cascades of POK units.
pub(crate) const CASCADES: Limits = Limits::Range(1, 6);
/// N of a block design: what m up to 16 and σ = 1 can reach.
pub(crate) const ELEMENTS: Limits = Limits::Range(2, 241);
/// σ of a block design.
pub(crate) const SIGMA: Limits = Limits::Range(1, 16);
/// What the wiring follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Wiring {
    /// 2-D full multi-ring of N = m² terminals.
    MultiRing,
    /// 2-D generalised m-ary hypercube of N = m² terminals.
    Hypercube,
    /// Symmetric block design B(N, m, σ).
    BlockDesign { elements: u32, sigma: u32 },
}

/// How the POK of a terminal joins its m channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pok {
    /// POK_m: one port at a time.
    Serial,
    /// POK_m*: all ports in parallel and independent.
    Parallel,
}

/// A distributed full switch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DistributedSwitchSpec {
    pub wiring: Wiring,
    /// m: ports of a spine switch and branches of a POK, 2…16.
    pub ports: u32,
    /// k: cascades of POK units, 1…6.
    pub cascades: u32,
    #[serde(rename = "rok")]
    pub pok: Pok,
}

impl DistributedSwitchSpec {
    /// N: switches that a cascade joins, terminals of one cascade.
    pub fn copies(&self) -> u32 {
        match self.wiring {
            Wiring::MultiRing | Wiring::Hypercube => self.ports * self.ports,
            Wiring::BlockDesign { elements, .. } => elements,
        }
    }

    /// Bits of a local address.
    pub fn local_address_bits(&self) -> u32 {
        bits_for(self.ports)
    }

    /// Channels between a terminal and its POK: 1, or m where that is parallel.
    pub fn trunks(&self) -> u32 {
        match self.pok {
            Pok::Serial => 1,
            Pok::Parallel => self.ports,
        }
    }

    /// The design's parameters; `None` for digraphs.
    pub fn design(&self) -> Option<Parameters> {
        match self.wiring {
            Wiring::BlockDesign { elements, sigma } => {
                Some(Parameters::new(elements, self.ports, sigma))
            }
            Wiring::MultiRing | Wiring::Hypercube => None,
        }
    }

    /// The name of the kind.
    pub(crate) fn name(&self) -> &'static str {
        match self.wiring {
            Wiring::MultiRing => "multi_ring",
            Wiring::Hypercube => "hypercube",
            Wiring::BlockDesign { .. } => "block_design",
        }
    }
}

impl Kind for DistributedSwitchSpec {
    fn notation(&self) -> String {
        let mut arguments = match self.wiring {
            Wiring::MultiRing | Wiring::Hypercube => vec![self.ports],
            Wiring::BlockDesign { elements, sigma } => vec![elements, self.ports, sigma],
        };
        match (self.cascades, self.pok) {
            (1, Pok::Serial) => {}
            (k, Pok::Serial) => arguments.push(k),
            (k, Pok::Parallel) => arguments.extend([k, 1]),
        }
        let arguments: Vec<String> = arguments.iter().map(u32::to_string).collect();
        format!("{}({})", self.name(), arguments.join(","))
    }

    fn vms_per_node(&self) -> u32 {
        self.trunks()
    }

    /// m, or the least m that can be: a wrong one has its own message and is not to blame for others.
    fn ports(&self) -> u32 {
        self.ports.max(2)
    }

    /// The address train: no field tells a PCIe port.
    fn node_fields(&self) -> Vec<(&'static str, u32)> {
        let names = [
            "local1", "local2", "local3", "local4", "local5", "local6", "local7",
        ];
        let fields = names.into_iter().take(self.cascades as usize + 1);
        fields.map(|name| (name, self.ports)).collect()
    }
}
