//! Whether a cabling is an image of the plan: the same network with other names, which works without a move.

use serde::Serialize;

use super::renaming::{BlockRenaming, parts};
use super::{Graph, IsomorphismResult, Socket, isomorphism};
use mkns_topology::Network;

/// What a cabling is to the plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case", tag = "is")]
pub enum Image {
    /// Every cable is as planned.
    Plan,
    /// Another network of the same form.
    Automorphic {
        /// Blocks that play another's part or have cables in other ports.
        parts: Vec<BlockRenaming>,
        /// Whether every port keeps its number, so that tables need no change but their place.
        ports_as_planned: bool,
    },
    /// A network of another form: it needs moves.
    Different,
    /// The search for a renaming was given up.
    Undecided,
}

impl Image {
    pub(crate) fn of(network: &Network, planned: &[[Socket; 2]], found: &[[Socket; 2]]) -> Self {
        let [plan, machine] = [planned, found].map(|cables| Graph::new(network, cables));
        match isomorphism(&machine, &plan) {
            IsomorphismResult::Different => Self::Different,
            IsomorphismResult::Undecided => Self::Undecided,
            IsomorphismResult::Same(image) => {
                let parts = parts(network, planned, found, &image);
                if parts.is_empty() {
                    return Self::Plan;
                }
                Self::Automorphic {
                    ports_as_planned: parts.iter().all(|part| part.ports.is_empty()),
                    parts,
                }
            }
        }
    }
}
