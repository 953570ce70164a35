//! Reads `slim_fly(q,M)` and its table.

use super::arguments::Arguments;
use super::reader::Reader;
use super::table::Table;
use crate::data::{NetworkKind, ORDERS, SlimFlySpec, VMS_PER_NODE};
use crate::findings::Findings;

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
    let mut spec = of_order(arguments.field(0, "q", "order", findings)?);
    // Without M as many as suit the order.
    if arguments.count() > 1 {
        spec.vms_per_node = arguments.hosts(1, findings)?;
    }
    Some(NetworkKind::SlimFly(spec))
}

fn table(table: &mut Table, findings: &mut Findings) -> Option<NetworkKind> {
    let order = table.required_number("order", ORDERS, findings);
    let vms_per_node = table.number("vms_per_node", VMS_PER_NODE, findings);
    let mut spec = of_order(order?);
    spec.vms_per_node = vms_per_node.unwrap_or(spec.vms_per_node);
    Some(NetworkKind::SlimFly(spec))
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
