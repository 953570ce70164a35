//! What `mkns cosim` prints: the runs that were compared, as text and as JSON.

use std::fmt::Write;

use serde::Serialize;

use mkns_cabling::Check;
use mkns_cosim::{BlockSummary, Checked, Failure, NetworkSummary};

/// What was compared, for `--format json`.
#[derive(Debug, Default, Serialize)]
pub struct Outcome {
    pub spec: String,
    pub seed: u64,
    /// The whole network was one model.
    pub flat: bool,
    /// With `--rtl`: files that are not as they would be generated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_rtl: Option<Vec<String>>,
    /// Wiring, tables and parameters of the folder's network are those of the plan.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub wiring: bool,
    /// Ordered pairs of hosts of the network that failed parts leave without a route; nothing is sent between them.
    pub pairs_without_route: u64,
    /// Most flows are unordered: blocks choose among ports.
    #[serde(skip)]
    pub adaptive: bool,
    /// Time of the comparison, without building models.
    pub seconds: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<BlockSummary>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub networks: Vec<NetworkSummary>,
    /// How wrong plugs are repaired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cabling: Option<Check>,
    pub failure: Option<Box<Failure>>,
}

impl Outcome {
    pub fn take(&mut self, checked: Checked) {
        (self.blocks, self.networks) = (checked.blocks, checked.networks);
    }

    /// Whether a run has sent nothing, so that its outputs were equal for want of any.
    pub fn is_idle(&self) -> bool {
        let sent = self.blocks.iter().map(|run| run.packets);
        let received = self.networks.iter().map(|run| run.totals.packets_received);
        let mut packets = sent.chain(received).peekable();
        packets.peek().is_none() || packets.any(|packets| packets == 0)
    }

    pub fn text(&self) -> String {
        let mut text = String::new();
        for run in &self.blocks {
            if let Some(scored) = run.scored {
                let _ = writeln!(
                    text,
                    "{}: {} flits at random clocks, each delivered once and in order; {} link failures lost \
                     {} more; all credits returned (seed {})",
                    run.block, scored.flits, scored.deaths, scored.lost_with_links, run.seed
                );
                continue;
            }
            let _ = writeln!(
                text,
                "{} {}: {} cycles, {} packets, no difference (seed {})",
                run.block,
                run.traffic.name(),
                run.cycles,
                run.packets,
                run.seed
            );
        }
        for run in &self.networks {
            let _ = writeln!(
                text,
                "{} {}: {} blocks{}, {} cycles, every output compared: no difference (seed {})\n  \
                 {} packets of {} flows sent and received{}, {} flits over cables",
                self.spec,
                run.traffic.name(),
                run.blocks,
                if self.flat { " in one model" } else { "" },
                run.cycles,
                run.seed,
                run.totals.packets_received,
                run.totals.flows,
                match self.adaptive {
                    true => ", those of ordered flows in order",
                    false => " in order",
                },
                run.cable_flits
            );
            if self.wiring {
                text += "  the blocks ran in lockstep; wiring, tables and parameters of the network match the plan\n";
            }
            if self.pairs_without_route > 0 {
                let _ = writeln!(
                    text,
                    "  {} pairs of hosts have no route, as failed parts cut them off; no packets are sent between them",
                    self.pairs_without_route
                );
            }
            if let Some(live) = &run.live {
                text += &live.to_string();
            }
            if let Some(serial) = &run.serial {
                text += &serial.to_string();
                let wrong = self.cabling.as_ref().filter(|check| !check.passed);
                text += &wrong.map_or_else(String::new, Check::to_text);
            }
            if let Some(fault_report) = run.fault_report {
                let _ = writeln!(
                    text,
                    "  {} cable failures: {} packets lost, {} marked bad, all accounted for; {} control \
                     operations",
                    fault_report.cable_failures,
                    fault_report.packets_lost,
                    fault_report.packets_bad,
                    fault_report.control_operations
                );
            }
        }
        text
    }
}
