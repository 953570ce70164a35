//! Slim Fly: 2q² adapter blocks of which any two are at most two hops apart, near the best that their ports allow
//! (`docs/design/sources.md`).

use schemars::JsonSchema;
use serde::Serialize;

use super::kind::{Kind, schema_of_kind};
use super::limits::Limits;

/// Prime powers for which the construction is known to give diameter 2.
pub(crate) const ORDERS: Limits = Limits::OneOf(&[3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 25]);

/// A Slim Fly spelled out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "SlimFlyTable", deny_unknown_fields, transform = schema_of_kind("slim_fly"))]
pub struct SlimFlySpec {
    /// q: a prime power.
    #[schemars(extend("enum" = [3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 25]))]
    pub order: u32,
    /// M: hosts per adapter block; half as many as network ports, at most 8, when absent.
    #[schemars(with = "Option<u32>", range(min = 1, max = 8))]
    pub vms_per_node: u32,
}

impl SlimFlySpec {
    /// The network in which half as many hosts as network ports hang on a block, as far as a block has room.
    pub fn new(order: u32) -> Self {
        let mut spec = Self {
            order,
            vms_per_node: 1,
        };
        spec.vms_per_node = spec.degree().div_ceil(2).min(8);
        spec
    }

    /// k': network ports of a block, (3q − δ) / 2 with q = 4w + δ.
    pub fn degree(&self) -> u32 {
        let twice = 3 * self.order;
        match self.order % 4 {
            1 => (twice - 1) / 2,
            3 => twice.div_ceil(2),
            _ => twice / 2,
        }
    }

    /// Number of adapter blocks.
    pub fn nodes(&self) -> u32 {
        2 * self.order * self.order
    }
}

impl Kind for SlimFlySpec {
    fn notation(&self) -> String {
        format!("slim_fly({},{})", self.order, self.vms_per_node)
    }

    fn vms_per_node(&self) -> u32 {
        self.vms_per_node
    }

    fn ports(&self) -> u32 {
        self.degree()
    }

    fn node_fields(&self) -> Vec<(&'static str, u32)> {
        vec![("node", self.nodes())]
    }

    /// Within a group, within a rack, between racks.
    fn cable_dimensions(&self) -> u32 {
        3
    }
}
