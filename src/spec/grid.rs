//! Networks whose adapter blocks stand on a grid and whose dimensions are all joined alike: torus,
//! KNS, HyperX. One notation, one table, one set of limits.
//!
//! `torus(4x4x4)`: every line of adapter blocks is a ring. `kns(4x4)`: every line hangs on a switch
//! block (k-ary n-direct 1-indirect, the topology that MKNS modernises). `hyperx(4x4)`: every line is
//! a direct mesh (generalised hypercube). A second argument is M, 1 without it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::findings::Findings;
use super::kind::{Kind, Reader, x_list};
use super::legal::{DEFAULT_PORTS, Legal, PORTS, VMS_PER_NODE};
use super::notation::Arguments;
use super::schema::NetworkEntry;
use super::table::Table;
use super::{NetworkKind, PortPlan, validate};
use mkns_diag::Code;

/// Adapter blocks per line of a dimension, whatever the family and d.
const SIZES: Legal = Legal::Range(2, 64);
/// Number of dimensions.
const DIMENSIONS: Legal = Legal::Range(1, 8);
/// Names of the coordinates in an address.
const COORDINATES: [&str; 8] = ["x", "y", "z", "w", "u", "v", "s", "t"];
/// Longest ring on which no set of packets can wait in a circle on one virtual channel: packets
/// turn off after at most two cables, and those of two cables start at every other block.
const RING_WITHOUT_DATELINE: u32 = 4;

/// What joins the adapter blocks of every line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// A ring; two adapter blocks are joined by one cable.
    Torus,
    /// A switch block.
    Kns,
    /// A direct mesh.
    HyperX,
}

/// `torus(K,M)`, `kns(K,M)`, `hyperx(K,M)`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridSpec {
    pub family: Family,
    /// M: compute modules (VMs) per adapter block, 1…8.
    pub vms_per_node: u32,
    /// d: network ports of every block, 4…16.
    pub ports: u32,
    /// Adapter blocks per line of each dimension, 1…8 of them.
    pub sizes: Vec<u32>,
}

/// A torus, KNS or HyperX spelled out.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GridTable {
    kind: Family,
    /// Adapter blocks per line of each dimension.
    #[schemars(length(min = 1, max = 8), inner(range(min = 2, max = 64)))]
    sizes: Vec<u32>,
    /// M: compute modules (VMs) per adapter block, 1 when absent.
    #[schemars(range(min = 1, max = 8))]
    vms_per_node: Option<u32>,
    /// d: network ports of every block; when absent 10 for KNS, otherwise what the sizes need, at
    /// least 4.
    #[schemars(range(min = 4, max = 16))]
    ports: Option<u32>,
}

/// The reader of a family.
macro_rules! reader {
    ($family:expr, $name:literal, $title:literal, $example:literal) => {
        Reader {
            name: $name,
            title: $title,
            form: concat!(
                "write ",
                $title,
                "(K) or ",
                $title,
                "(K,M), for example `",
                $title,
                $example
            ),
            counts: &[1, 2],
            arguments: "1 or 2 arguments, K and M",
            notation: |arguments, findings| notation($family, arguments, findings),
            table: |table, findings| read_table($family, table, findings),
        }
    };
}

pub const TORUS: Reader = reader!(
    Family::Torus,
    "torus",
    "torus",
    "(4x4x4)` or `torus(8x8,2)`"
);
pub const KNS: Reader = reader!(Family::Kns, "kns", "KNS", "(4x4)` or `KNS(8x10,2)`");
pub const HYPERX: Reader = reader!(
    Family::HyperX,
    "hyperx",
    "HyperX",
    "(4x4)` or `HyperX(8x4,2)`"
);

fn notation(family: Family, arguments: &Arguments, findings: &mut Findings) -> Option<NetworkKind> {
    let sizes = arguments.list(0, "K", findings);
    let vms = match arguments.count() {
        1 => Some((1, 0..0)),
        _ => arguments.number(1, "M", findings),
    };
    let (sizes, vms) = (sizes?, vms?);
    if arguments.count() > 1 {
        findings.locate("network.vms_per_node", vms.1);
    }
    for (at, (_, span)) in sizes.iter().enumerate() {
        findings.locate(format!("network.sizes[{at}]"), span.clone());
    }
    let (first, last) = (sizes[0].1.start, sizes[sizes.len() - 1].1.end);
    findings.locate("network.sizes", first..last);
    let sizes = sizes.into_iter().map(|(size, _)| size).collect();
    Some(GridSpec::new(family, vms.0, sizes).into())
}

fn read_table(family: Family, table: &mut Table, findings: &mut Findings) -> Option<NetworkKind> {
    let sizes = table.required_numbers("sizes", SIZES, "`sizes = [4, 4]`", findings);
    let vms_per_node = table.number("vms_per_node", VMS_PER_NODE, findings);
    let ports = table.number("ports", PORTS, findings);
    let mut grid = GridSpec::new(family, vms_per_node.unwrap_or(1), sizes?);
    grid.ports = ports.unwrap_or(grid.ports);
    Some(grid.into())
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

    /// Whether packets go one virtual channel up where they cross the wrap-around cable of a ring of
    /// this size.
    pub fn has_dateline(size: u32) -> bool {
        size > RING_WITHOUT_DATELINE
    }

    fn dimension(&self, at: usize, size: u32, findings: &mut Findings) -> bool {
        let field = format!("network.sizes[{at}]");
        let number = at + 1;
        if !SIZES.allows(size) {
            let fact =
                format!("dimension {number} has K{number} = {size}, but {SIZES} are allowed");
            findings.report(&field, Code::OutOfRange, fact, format!("use {SIZES}"));
            return false;
        }
        if self.family == Family::Kns && size > self.ports {
            let ports = self.ports;
            let fact = format!(
                "dimension {number} has K{number} = {size} adapter blocks, but a switch block of d \
                 = {ports} ports joins 2 to {ports}"
            );
            let remedy = format!("use K{number} = {ports} or less and enlarge another dimension");
            findings.report(&field, Code::SwitchBlockTooSmall, fact, remedy);
            return false;
        }
        true
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
        let title = match self.family {
            Family::Torus => TORUS.title,
            Family::Kns => KNS.title,
            Family::HyperX => HYPERX.title,
        };
        let sizes = x_list(&self.sizes);
        match self.vms_per_node {
            1 => format!("{title}({sizes})"),
            vms => format!("{title}({sizes},{vms})"),
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

    /// One more than there are datelines: a packet goes one channel up at each, and never down.
    fn virtual_channels(&self) -> u32 {
        let rings = self.sizes.iter().filter(|&&size| Self::has_dateline(size));
        match self.family {
            Family::Torus => 1 + rings.count() as u32,
            Family::Kns | Family::HyperX => 1,
        }
    }

    fn validate(&self, findings: &mut Findings) {
        let needed = adapter_ports(self.family, &self.sizes);
        let count = self.sizes.len();
        if u32::try_from(count).map_or(true, |count| !DIMENSIONS.allows(count)) {
            let fact = format!("{count} dimensions, but {DIMENSIONS} are allowed");
            let remedy = format!("give {DIMENSIONS} sizes");
            findings.report("network.sizes", Code::OutOfRange, fact, remedy);
            return;
        }
        let sizes = self.sizes.iter().enumerate();
        let sound: Vec<bool> = sizes
            .map(|(at, &size)| self.dimension(at, size, findings))
            .collect();
        if !sound.into_iter().all(|sound| sound) {
            return;
        }
        if needed > self.ports.max(4) || needed > 16 {
            let fact = format!(
                "the {count} dimensions need {needed} ports of an adapter block, but it has d = {}",
                self.ports.min(16)
            );
            let remedy = "use fewer or smaller dimensions, or set `ports` in a TOML file";
            findings.report(
                "network.sizes",
                Code::TooManyDimensions,
                fact,
                remedy.to_owned(),
            );
            return;
        }
        if validate::modules_and_ports(self.vms_per_node, self.ports, findings) {
            validate::address(&self.clone().into(), "network.sizes", findings);
        }
    }

    fn table(&self) -> NetworkEntry {
        NetworkEntry::Grid(GridTable {
            kind: self.family,
            sizes: self.sizes.clone(),
            vms_per_node: Some(self.vms_per_node),
            ports: Some(self.ports),
        })
    }
}
