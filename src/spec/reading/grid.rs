//! Reads torus, KNS and HyperX: one notation, one table.

use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::Arguments;
use super::reader::Reader;
use super::table::Table;
use crate::data::{Family, GRID_SIZES, GridSpec, NetworkKind, PORTS, VMS_PER_NODE};
use crate::findings::Findings;

/// A torus, KNS or HyperX spelled out.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct GridTable {
    kind: Family,
    /// Adapter blocks per line of each dimension.
    #[schemars(length(min = 1, max = 8), inner(range(min = 2, max = 64)))]
    sizes: Vec<u32>,
    /// M: hosts per adapter block, 1 when absent.
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
    let sizes = arguments.list_field(0, "K", "sizes", findings);
    let hosts = arguments.hosts(1, findings);
    Some(NetworkKind::Grid(GridSpec::new(family, hosts?, sizes?)))
}

fn read_table(family: Family, table: &mut Table, findings: &mut Findings) -> Option<NetworkKind> {
    let sizes = table.required_numbers("sizes", GRID_SIZES, "`sizes = [4, 4]`", findings);
    let vms_per_node = table.number("vms_per_node", VMS_PER_NODE, findings);
    let ports = table.number("ports", PORTS, findings);
    let mut grid = GridSpec::new(family, vms_per_node.unwrap_or(1), sizes?);
    grid.ports = ports.unwrap_or(grid.ports);
    Some(NetworkKind::Grid(grid))
}

impl From<&GridSpec> for GridTable {
    fn from(spec: &GridSpec) -> Self {
        Self {
            kind: spec.family,
            sizes: spec.sizes.clone(),
            vms_per_node: Some(spec.vms_per_node),
            ports: Some(spec.ports),
        }
    }
}
