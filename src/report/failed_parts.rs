//! What failed parts leave of a network: which hosts the routes still join.

use serde::Serialize;

use mkns_design::Plan;

/// What failed parts leave; pairs of hosts are ordered and include those of a host with itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailedParts {
    pub down: Vec<String>,
    /// What all other numbers beside these describe.
    pub others_describe: &'static str,
    pub host_pairs: u64,
    pub joined_pairs: u64,
    pub pairs_without_route: u64,
}

impl FailedParts {
    /// None for a network without failures.
    pub fn of(plan: &Plan) -> Option<Self> {
        let network = &plan.network;
        let pairs_without_route = plan.pairs_without_route();
        let host_pairs = (network.hosts.len() as u64).pow(2);
        (!plan.faults.is_empty()).then(|| Self {
            down: plan.faults.parts().map(|part| part.name(network)).collect(),
            others_describe: "the network without these failures",
            host_pairs,
            joined_pairs: host_pairs - pairs_without_route,
            pairs_without_route,
        })
    }

    /// A clause without a full stop.
    pub fn to_text(&self) -> String {
        format!(
            "down: {}; routes join {} of {} pairs of hosts, {} have no route",
            self.down.join(", "),
            self.joined_pairs,
            self.host_pairs,
            self.pairs_without_route
        )
    }
}
