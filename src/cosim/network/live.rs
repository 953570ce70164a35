//! Parts that fail for good at given cycles of a run, and what a manager did about it.

use std::fmt;

use serde::Serialize;

use super::fault_plan::Change;
use mkns_design::Plan;
use mkns_manage::History;
use mkns_routing::Routing;
use mkns_topology::{Network, Part};

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
}

impl fmt::Display for LiveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.history.fmt(f)?;
        if !self.history.repairs.is_empty() {
            let (packets, cycles) = (self.exact_packets, self.exact_cycles);
            writeln!(
                f,
                "  then {packets} packets in {cycles} cycles between all hosts still joined: all arrived in order"
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
    failed: Vec<PlannedFailure>,
    /// By cable: whether it has failed.
    down: Vec<bool>,
}

impl PlannedFailures {
    /// Of a run whose traffic starts in cycle `start`.
    pub fn new(plan: &Plan, failures: &[PlannedFailure], start: u64) -> Self {
        Self {
            start,
            waiting: failures.to_vec(),
            failed: Vec::new(),
            down: vec![false; plan.network.cables.len()],
        }
    }

    /// The cables that go down at the start of a cycle and the hosts that fall silent.
    pub fn step(&mut self, network: &Network, cycle: u64) -> (Vec<Change>, Vec<u32>) {
        let (mut changes, mut silent) = (Vec::new(), Vec::new());
        if self.waiting.is_empty() {
            return (changes, silent);
        }
        let is_due = |failure: &PlannedFailure| self.start + failure.cycle <= cycle;
        let (due, waiting) = self.waiting.drain(..).partition::<Vec<_>, _>(is_due);
        self.waiting = waiting;
        for failure in due {
            let terminals = network.terminals.iter();
            let silenced = terminals.filter(|terminal| match failure.part {
                Part::Block(id) => terminal.block == id,
                Part::Terminal(host) => terminal.host == host,
                Part::Cable(_) => false,
            });
            silent.extend(silenced.map(|terminal| terminal.host));
            for (number, cable) in network.cables.iter().enumerate() {
                let falls = match failure.part {
                    Part::Block(id) => cable.a.block == id || cable.b.block == id,
                    Part::Cable(cut) => cut as usize == number,
                    Part::Terminal(_) => false,
                };
                if falls && !std::mem::replace(&mut self.down[number], true) {
                    changes.push(Change {
                        cable: number,
                        up: false,
                    });
                }
            }
            self.failed.push(failure);
        }
        (changes, silent)
    }

    /// Indices of the cables that are down.
    pub fn cables_down(&self) -> impl Iterator<Item = usize> + '_ {
        let cables = self.down.iter().enumerate();
        cables.filter_map(|(cable, down)| down.then_some(cable))
    }

    /// What has failed, in the order in which it did.
    pub fn failed(&self) -> &[PlannedFailure] {
        &self.failed
    }
}
