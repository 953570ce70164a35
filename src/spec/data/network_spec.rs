//! A whole spec: network, routing engine, blocks.

use serde::Serialize;

use super::{ADAPTIVE, BlockParameters, EngineClaims, NetworkKind, SerialLink};

/// What a spec says of its routes, as far as it says something.
#[derive(Debug, Clone, Default)]
pub struct RoutingChoice {
    /// Name of the routing engine, or [`ADAPTIVE`].
    pub engine: Option<String>,
    /// Name of the engine of the escape.
    pub escape: Option<String>,
}

impl RoutingChoice {
    pub fn is_adaptive(&self) -> bool {
        self.engine.as_deref() == Some(ADAPTIVE)
    }

    /// The engine that fills the tables, where the spec names it.
    pub fn of_tables(&self) -> Option<&str> {
        match self.is_adaptive() {
            true => self.escape.as_deref(),
            false => self.engine.as_deref(),
        }
    }

    /// The engine that fills the tables where the spec names none.
    pub fn default_of_tables(&self, kind: &NetworkKind) -> &'static EngineClaims {
        match self.is_adaptive() {
            true => EngineClaims::of_escape(kind),
            false => EngineClaims::of(kind),
        }
    }
}

/// A validated network: what to wire, and the parameters of the blocks it is built from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NetworkSpec {
    /// Name of the design and of its output folder: lower-case letters, digits and `_`,
    /// `mkns_2_4_2_1` for `MKNS(2,4,2,1)` unless the TOML file gives another.
    pub name: String,
    pub kind: NetworkKind,
    /// Name of the routing engine.
    pub routing: String,
    /// Of adaptive routing, the engine of the escape.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub escape: Option<String>,
    pub block: BlockParameters,
    /// Serial links, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<SerialLink>,
}

impl NetworkSpec {
    /// Whether boards have management units, which pass messages over the serial links.
    pub fn is_managed_in_band(&self) -> bool {
        self.link.as_ref().is_some_and(SerialLink::is_managed)
    }

    /// The canonical notation, `MKNS(2,8x4,2,0)`. It says neither d nor block parameters.
    pub fn notation(&self) -> String {
        self.kind.notation()
    }

    /// The engine that fills the routing tables, with its claims: with adaptive routing that of the escape.
    pub fn engine(&self) -> &'static EngineClaims {
        let name = self.escape.as_deref().unwrap_or(&self.routing);
        EngineClaims::named(name).expect("validation refuses unknown engines")
    }

    /// Whether the engine is the one that the network has when the spec names none.
    pub fn has_default_engine(&self) -> bool {
        self.routing == EngineClaims::of(&self.kind).name
    }

    /// n: virtual channels without which routes could deadlock. Blocks have 1, 2 or 4.
    pub fn route_channels(&self) -> u32 {
        let engine = self.engine();
        match engine.takes_what_is_there {
            // Paths around failed parts may need more than those of the whole network.
            true => self.block.table_channels(),
            false => (engine.channels)(&self.kind),
        }
    }
}
