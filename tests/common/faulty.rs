//! Small blocks with a fault planted in their RTL.

use mkns::design::Plan;
use mkns::rtl::render_sources;
use mkns::spec::{Join, TurnSelect};

use crate::common::rtl_designs::build;
use crate::common::specs;

/// Two hosts per adapter block, four-port blocks of two channels, a host timeout that stalls reach quickly.
pub fn small_plan() -> Plan {
    let mut spec = specs::mkns_with_ports(4, 2, &[2, 3], &[Join::SwitchBlock]);
    spec.block.virtual_channels = 2;
    spec.block.host_timeout = 30;
    spec.block.max_packet_flits = 9;
    // Faults show where there is something that they can break.
    spec.block.turns = TurnSelect::All;
    build(&spec)
}

/// The sources with one replacement, which has to match exactly once.
pub fn planted(plan: &Plan, file: &str, good: &str, bad: &str) -> Vec<(String, String)> {
    let mut sources = render_sources(plan);
    let (_, text) = sources
        .iter_mut()
        .find(|(name, _)| name == file)
        .unwrap_or_else(|| panic!("no file {file}"));
    assert_eq!(text.matches(good).count(), 1, "{file}: `{good}`");
    *text = text.replace(good, bad);
    sources
}

/// A data bit that the crossbar lets through as 0.
pub fn stuck_bit(plan: &Plan) -> Vec<(String, String)> {
    let good = "tx_data <= data;";
    let bad = "tx_data <= data & ~{OUTPUTS{{{DATA_WIDTH-1{1'b0}}, 1'b1}}};";
    planted(plan, "crossbar.v", good, bad)
}
