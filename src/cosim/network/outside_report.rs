//! What a run with hosts outside saw.

use mkns_manage::History;
use mkns_traffic::OutsideTotals;

/// Packets, and what failed.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct OutsideReport {
    /// From the first exchange to the end.
    pub cycles: u64,
    #[serde(flatten)]
    pub totals: OutsideTotals,
    #[serde(flatten)]
    pub history: History,
}
