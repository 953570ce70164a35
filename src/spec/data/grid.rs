//! Networks whose adapter blocks stand on a grid and whose dimensions are all joined alike: torus,
//! KNS, HyperX. One notation, one table, one set of limits.
//!
//! `torus(4x4x4)`: every line of adapter blocks is a ring. `kns(4x4)`: every line hangs on a switch
//! block (k-ary n-direct 1-indirect, the topology that MKNS modernises). `hyperx(4x4)`: every line is
//! a direct mesh (generalised hypercube). A second argument is M, 1 without it.

use schemars::JsonSchema;
use serde::Serialize;

use super::kind::{Kind, x_list};
use super::limits::{DEFAULT_PORTS, Limits};
use super::ports::PortPlan;

/// Adapter blocks per line of a dimension, whatever the family and d.
pub(crate) const GRID_SIZES: Limits = Limits::Range(2, 64);
/// Number of dimensions.
pub(crate) const GRID_DIMENSIONS: Limits = Limits::Range(1, 8);
/// Names of the coordinates in an address.
const COORDINATES: [&str; 8] = ["x", "y", "z", "w", "u", "v", "s", "t"];
/// Longest ring on which no set of packets can wait in a circle on one virtual channel: packets
/// turn off after at most two cables, and those of two cables start at every other block.
const RING_WITHOUT_DATELINE: u32 = 4;

/// What joins the adapter blocks of every line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// A ring; two adapter blocks are joined by one cable.
    Torus,
    /// A switch block.
    Kns,
    /// A direct mesh.
    HyperX,
}

impl Family {
    /// The name as people print it; the notation takes any letter case.
    pub(crate) const fn title(self) -> &'static str {
        match self {
            Self::Torus => "torus",
            Self::Kns => "KNS",
            Self::HyperX => "HyperX",
        }
    }
}

/// `torus(K,M)`, `kns(K,M)`, `hyperx(K,M)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GridSpec {
    pub family: Family,
    /// M: hosts per adapter block, 1…8.
    pub vms_per_node: u32,
    /// d: network ports of every block, 4…16.
    pub ports: u32,
    /// Adapter blocks per line of each dimension, 1…8 of them.
    pub sizes: Vec<u32>,
}

impl GridSpec {
    /// The network with the default number of ports.
    pub fn new(family: Family, vms_per_node: u32, sizes: Vec<u32>) -> Self {
        let ports = match family {
            Family::Kns => DEFAULT_PORTS,
            Family::Torus | Family::HyperX => adapter_ports(family, &sizes).max(4),
        };
        Self {
            family,
            vms_per_node,
            ports,
            sizes,
        }
    }

    /// Ports of an adapter block for every dimension, from 1 upward: K−1 for a mesh, 1 for a switch
    /// block, 2 for a ring (towards higher coordinates, then towards lower ones).
    pub fn port_plan(&self) -> PortPlan {
        let mut next = 1;
        let ports_of = |&size: &u32| {
            let first = next;
            next += line_ports(self.family, size);
            (first..next).collect()
        };
        PortPlan {
            dimensions: self.sizes.iter().map(ports_of).collect(),
        }
    }

    /// Ports of an adapter block that the dimensions need.
    pub(crate) fn needed_ports(&self) -> u32 {
        adapter_ports(self.family, &self.sizes)
    }

    /// Rings on which packets go one virtual channel up; they never come down again.
    pub(crate) fn datelines(&self) -> u32 {
        let rings = self.sizes.iter().filter(|&&size| Self::has_dateline(size));
        rings.count() as u32
    }

    /// Whether packets go one virtual channel up where they cross the wrap-around cable of a ring of
    /// this size.
    pub fn has_dateline(size: u32) -> bool {
        size > RING_WITHOUT_DATELINE
    }
}

/// Ports of an adapter block for a line of `size`.
fn line_ports(family: Family, size: u32) -> u32 {
    match family {
        Family::Torus => 2,
        Family::Kns => 1,
        Family::HyperX => size.saturating_sub(1),
    }
}

/// Ports of an adapter block for all dimensions.
fn adapter_ports(family: Family, sizes: &[u32]) -> u32 {
    let ports = sizes.iter().map(|&size| line_ports(family, size));
    ports.fold(0, u32::saturating_add)
}

impl Kind for GridSpec {
    fn notation(&self) -> String {
        let title = self.family.title();
        let sizes = x_list(&self.sizes);
        match self.vms_per_node {
            1 => format!("{title}({sizes})"),
            hosts => format!("{title}({sizes},{hosts})"),
        }
    }

    fn vms_per_node(&self) -> u32 {
        self.vms_per_node
    }

    fn ports(&self) -> u32 {
        self.ports
    }

    fn default_ports(&self) -> u32 {
        Self::new(self.family, self.vms_per_node, self.sizes.clone()).ports
    }

    fn node_fields(&self) -> Vec<(&'static str, u32)> {
        COORDINATES
            .into_iter()
            .zip(self.sizes.iter().copied())
            .collect()
    }
}
