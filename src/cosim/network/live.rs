//! Parts that fail for good at given cycles of a run, and what a manager did about it.

use std::fmt;

use serde::Serialize;

use super::fault_plan::Change;
use mkns_manage::{History, InBandReport};
use mkns_routing::Routing;
use mkns_topology::{BlockId, Faults, Network, Part};

/// A part that fails in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlannedFailure {
    pub part: Part,
    /// Counted from the first cycle of traffic.
    pub cycle: u64,
}

/// What happens to the parts of a network in a run.
#[derive(Debug, Clone, Default)]
pub struct LiveFaults {
    pub failures: Vec<PlannedFailure>,
    /// With a manager: the routes that blocks hold in the beginning.
    pub managed: Option<Routing>,
    /// Blocks power up empty, and the manager brings them up and repairs them from this block through the cables.
    pub in_band: Option<BlockId>,
}

/// What was seen of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct LiveReport {
    /// Cycles are counted from the first one of traffic.
    #[serde(flatten)]
    pub history: History,
    /// Cycles after the last repair and an empty network in which every packet had to arrive.
    pub exact_cycles: u64,
    /// Packets sent in them, all of which arrived in order.
    pub exact_packets: u64,
    /// Of a manager over the cables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_band: Option<InBandReport>,
}

impl fmt::Display for LiveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(in_band) = &self.in_band {
            in_band.fmt(f)?;
        }
        self.history.fmt(f)?;
        if !self.history.repairs.is_empty() {
            let (packets, cycles) = (self.exact_packets, self.exact_cycles);
            writeln!(
                f,
                "  then {packets} packets in {cycles} cycles between all hosts still joined: all arrived, those of ordered flows in order"
            )?;
        }
        Ok(())
    }
}

/// The failures of a run as they come due.
#[derive(Debug)]
pub struct PlannedFailures {
    start: u64,
    waiting: Vec<PlannedFailure>,
    /// What has failed, in the order in which it did.
    pub failed: Vec<PlannedFailure>,
    /// The parts of those that have failed.
    faults: Faults,
}

impl PlannedFailures {
    /// Of a run whose traffic starts in cycle `start`.
    pub fn new(failures: &[PlannedFailure], start: u64) -> Self {
        Self {
            start,
            waiting: failures.to_vec(),
            failed: Vec::new(),
            faults: Faults::none(),
        }
    }

    /// More parts fail in this cycle.
    pub fn add(&mut self, parts: Vec<Part>, cycle: u64) {
        let cycle = cycle - self.start;
        let more = parts.into_iter().map(|part| PlannedFailure { part, cycle });
        self.waiting.extend(more);
    }

    /// The cables that go down at the start of a cycle and the hosts that fall silent.
    pub fn step(&mut self, network: &Network, cycle: u64) -> (Vec<Change>, Vec<u32>) {
        let is_due = |failure: &PlannedFailure| self.start + failure.cycle <= cycle;
        let (due, waiting) = self.waiting.drain(..).partition::<Vec<_>, _>(is_due);
        self.waiting = waiting;
        if due.is_empty() {
            return Default::default();
        }
        self.failed.extend(due);
        let parts = self.failed.iter().map(|failure| failure.part);
        let before = std::mem::replace(&mut self.faults, parts.collect());
        let down = self.cables_down(network);
        let fallen = down.filter(|&cable| before.cable_works(network, cable as u32));
        let changes = fallen.map(|cable| Change { cable, up: false });
        let hosts = network.hosts.iter().map(|host| host.host);
        let silent = hosts.filter(|&host| {
            before.host_works(network, host) && !self.faults.host_works(network, host)
        });
        (changes.collect(), silent.collect())
    }

    /// Indices of the cables that are down.
    pub fn cables_down(&self, network: &Network) -> impl Iterator<Item = usize> {
        let cables = 0..network.cables.len();
        cables.filter(|&cable| !self.faults.cable_works(network, cable as u32))
    }
}
