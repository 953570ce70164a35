//! What a manager did after links had changed, in words and as data.

use std::fmt;

use serde::Serialize;

use mkns_routing::ServedPairs;

/// One change of routes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RouteChange {
    /// Parts that work no more.
    pub failed: Vec<String>,
    /// Parts that work again.
    pub repaired: Vec<String>,
    /// Registers written.
    pub writes: usize,
    /// Whether hosts had to stop for some of them.
    pub hosts_held: bool,
    /// Why hosts have to stop.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why_held: Option<String>,
    /// Writes that wait until hosts have stopped: nobody could stop them. Until then the blocks hold what they held.
    pub writes_left: usize,
    /// Pairs of hosts that work and have no route now.
    pub pairs_without_route: u64,
    /// The pairs of hosts that routes join now.
    #[serde(skip)]
    pub served: ServedPairs,
}

/// Pairs of hosts that are named one by one.
const NAMED: usize = 8;

impl RouteChange {
    /// The hosts of the first pairs without a route: `0 to 4, 0 to 5, … and 190 more`.
    fn named_pairs(&self) -> String {
        let named = self.served.cut_pairs().take(NAMED);
        let named: Vec<String> = named.map(|(from, to)| format!("{from} to {to}")).collect();
        let text = named.join(", ");
        match self.pairs_without_route - named.len() as u64 {
            0 => text,
            more => format!("{text} and {more} more"),
        }
    }
}

impl fmt::Display for RouteChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (parts, what) in [(&self.failed, "failed"), (&self.repaired, "works again")] {
            if !parts.is_empty() {
                write!(f, "{what}: {}; ", parts.join(", "))?;
            }
        }
        write!(f, "{} registers written", self.writes)?;
        match (self.writes_left, self.hosts_held) {
            (0, false) => f.write_str(" while hosts sent"),
            (0, true) => f.write_str(", some while hosts were held"),
            (left, _) => write!(f, "; {left} are pending until hosts stop"),
        }?;
        match self.pairs_without_route {
            0 => Ok(()),
            pairs => {
                write!(f, "; {pairs} pairs of hosts have no route: ")?;
                f.write_str(&self.named_pairs())
            }
        }
    }
}
