//! Lockstep of one block under random legal traffic.

use mkns_design::{BlockModule, Device};
use serde::Serialize;

use mkns_traffic::Pattern;

use super::lockstep::Group;
use super::mismatch::{Failure, FailureKind};
use super::open_packets::{OnWire, OpenPackets};
use super::stimulus::{BlockStimulus, Restrictions};

/// Cycles without comparison at the start: power-up state is unknown until the first reset edge.
pub const UNKNOWN: u64 = 1;

/// What a run of one block is asked to do.
#[derive(Debug, Clone)]
pub struct BlockRun {
    /// Name in reports.
    pub block: String,
    pub traffic: Pattern,
    pub cycles: u64,
    pub seed: u64,
    /// What the traffic leaves out.
    pub restrictions: Restrictions,
}

/// What a run without a difference did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BlockSummary {
    pub block: String,
    pub traffic: Pattern,
    pub seed: u64,
    /// Cycles compared, including the emptying at the end.
    pub cycles: u64,
    /// Packets that left through network ports.
    pub packets: u64,
    /// Of link ports whose clocks have no ratio that a reference could follow.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub scored: Option<Scored>,
}

/// What came through two link ports, once and in order, with all credits back at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Scored {
    pub flits: u64,
    /// Falls of `link_up`.
    pub deaths: u64,
    /// Flits that went down with a link.
    pub lost_with_links: u64,
}

impl BlockRun {
    /// Runs both devices (one instance each) and compares every output in every cycle. `watch` is
    /// told the cycle now and then.
    pub fn run(
        &self,
        module: &BlockModule,
        rtl: Box<dyn Device>,
        golden: Box<dyn Device>,
        watch: &mut dyn FnMut(u64),
    ) -> Result<BlockSummary, Box<Failure>> {
        let mut group = Group::new(module, 1, rtl, Some(golden));
        let mut stimulus = BlockStimulus::new(module, self.traffic, self.seed);
        stimulus.restrict(&self.restrictions);
        let mut wires = OpenPackets::new(&group.pins);
        let mut cycle = 0;
        while !stimulus.finished() {
            stimulus.drive(cycle, &mut group.inputs);
            group.step(cycle, cycle >= UNKNOWN);
            if let Some(difference) = group.difference {
                let mut failure =
                    wires.divergence(&group, difference, cycle, &self.block, OnWire::note);
                if failure.port.is_empty() {
                    failure.note = format!("control port: {}", stimulus.control_operation());
                }
                return Err(failure);
            }
            if let Some((_, message)) = group.stopped() {
                return Err(self.sentence(FailureKind::Assertion, cycle, message, &group));
            }
            if cycle >= UNKNOWN {
                wires.observe(&group.pins, &group.inputs, &group.actual);
            }
            stimulus
                .observe(cycle, &group.actual)
                .map_err(|note| self.sentence(FailureKind::Contract, cycle, note, &group))?;
            cycle += 1;
            if cycle == self.cycles {
                stimulus.finish();
            }
            if cycle.is_multiple_of(4096) {
                watch(cycle.min(self.cycles));
            }
        }
        Ok(BlockSummary {
            block: self.block.clone(),
            traffic: self.traffic,
            seed: self.seed,
            cycles: cycle,
            packets: stimulus.packets,
            scored: None,
        })
    }

    fn sentence(&self, kind: FailureKind, cycle: u64, note: String, group: &Group) -> Box<Failure> {
        let mut failure = Failure::sentence(kind, &self.block, cycle, note);
        failure.state = group.describe(0);
        failure
    }
}
