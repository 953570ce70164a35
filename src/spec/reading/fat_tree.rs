//! Reads fat trees: the arguments of a notation, and the table of a file.

use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::Arguments;
use super::reader::Reader;
use super::table::Table;
use crate::data::{DOWN, FatTreeSpec, NetworkKind, PORTS, UP, VMS_PER_NODE};
use crate::findings::Findings;

/// A fat tree spelled out.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct FatTreeTable {
    #[schemars(extend("const" = "fat_tree"))]
    kind: String,
    /// Blocks below a switch block of each level, leaves first.
    #[schemars(length(min = 1, max = 8), inner(range(min = 2, max = 16)))]
    down: Vec<u32>,
    /// Switch blocks above a switch block of each level but the last; as many as below when absent.
    #[schemars(length(max = 7), inner(range(min = 1, max = 15)))]
    up: Option<Vec<u32>>,
    /// M: hosts per adapter block, 1 when absent.
    #[schemars(range(min = 1, max = 8))]
    vms_per_node: Option<u32>,
    /// d: ports of a switch block; what the levels need, at least 4, when absent.
    #[schemars(range(min = 4, max = 16))]
    ports: Option<u32>,
}

pub const READER: Reader = Reader {
    name: "fat_tree",
    title: "fat_tree",
    form: "write fat_tree(DOWN), fat_tree(DOWN,M) or fat_tree(DOWN,M,UP), for example \
           `fat_tree(5x5x10)` or `fat_tree(8x10,2,4)`",
    counts: &[1, 2, 3],
    arguments: "1 to 3 arguments, DOWN, M and UP",
    notation,
    table,
};

fn notation(arguments: &Arguments, findings: &mut Findings) -> Option<NetworkKind> {
    let down = arguments.list_field(0, "DOWN", "down", findings);
    let hosts = arguments.hosts(1, findings);
    let up = match arguments.count() {
        3 => Some(arguments.list_field(2, "UP", "up", findings)?),
        _ => None,
    };
    Some(NetworkKind::FatTree(FatTreeSpec::new(hosts?, down?, up)))
}

fn table(table: &mut Table, findings: &mut Findings) -> Option<NetworkKind> {
    let down = table.required_numbers("down", DOWN, "`down = [4, 4]`", findings);
    let up = table.numbers("up", UP, findings);
    let vms_per_node = table.number("vms_per_node", VMS_PER_NODE, findings);
    let ports = table.number("ports", PORTS, findings);
    let mut tree = FatTreeSpec::new(vms_per_node.unwrap_or(1), down?, up);
    tree.ports = ports.unwrap_or(tree.ports);
    Some(NetworkKind::FatTree(tree))
}

impl From<&FatTreeSpec> for FatTreeTable {
    fn from(spec: &FatTreeSpec) -> Self {
        Self {
            kind: "fat_tree".to_owned(),
            down: spec.down.clone(),
            up: Some(spec.up.clone()),
            vms_per_node: Some(spec.vms_per_node),
            ports: Some(spec.ports),
        }
    }
}
