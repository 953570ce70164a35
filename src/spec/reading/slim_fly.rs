//! Reads `slim_fly(q,M)` and its table.

use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::Arguments;
use super::reader::Reader;
use super::table::Table;
use crate::data::{NetworkKind, ORDERS, SlimFlySpec, VMS_PER_NODE};
use crate::findings::Findings;

/// A Slim Fly spelled out.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
pub struct SlimFlyTable {
    #[schemars(extend("const" = "slim_fly"))]
    kind: String,
    /// q: a prime power.
    #[schemars(extend("enum" = [3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 25]))]
    order: u32,
    /// M: hosts per adapter block; half as many as network ports, at most 8, when absent.
    #[schemars(range(min = 1, max = 8))]
    vms_per_node: Option<u32>,
}

pub const READER: Reader = Reader {
    name: "slim_fly",
    title: "slim_fly",
    form: "write slim_fly(q) or slim_fly(q,M), for example `slim_fly(5,4)`",
    counts: &[1, 2],
    arguments: "1 or 2 arguments, q and M",
    notation,
    table,
};

fn notation(arguments: &Arguments, findings: &mut Findings) -> Option<NetworkKind> {
    let (order, span) = arguments.number(0, "q", findings)?;
    findings.locate("network.order", span);
    let mut spec = of_order(order);
    if arguments.count() > 1 {
        let (hosts, span) = arguments.number(1, "M", findings)?;
        findings.locate("network.vms_per_node", span);
        spec.vms_per_node = hosts;
    }
    Some(spec.into())
}

fn table(table: &mut Table, findings: &mut Findings) -> Option<NetworkKind> {
    let order = table.required_number("order", ORDERS, findings);
    let vms_per_node = table.number("vms_per_node", VMS_PER_NODE, findings);
    let mut spec = of_order(order?);
    spec.vms_per_node = vms_per_node.unwrap_or(spec.vms_per_node);
    Some(spec.into())
}

/// Orders that validation refuses may be too large to compute with.
fn of_order(order: u32) -> SlimFlySpec {
    match ORDERS.allows(order) {
        true => SlimFlySpec::new(order),
        false => SlimFlySpec {
            order,
            vms_per_node: 1,
        },
    }
}

impl From<&SlimFlySpec> for SlimFlyTable {
    fn from(spec: &SlimFlySpec) -> Self {
        Self {
            kind: "slim_fly".to_owned(),
            order: spec.order,
            vms_per_node: Some(spec.vms_per_node),
        }
    }
}
