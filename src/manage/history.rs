//! What failed in a run and what a manager did about it, cycle by cycle.

use std::fmt;

use serde::Serialize;

use super::RouteChange;

/// Failures and repairs of a run. Cycles are counted from its first one.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct History {
    pub failures: Vec<FailureSeen>,
    pub repairs: Vec<RouteChangeRecord>,
}

/// A part that failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FailureSeen {
    pub part: String,
    pub cycle: u64,
}

/// One change of routes by the manager.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RouteChangeRecord {
    /// Cycle in which the last write was answered.
    pub ended: u64,
    /// Cycles from the failure to that.
    pub cycles: u64,
    #[serde(flatten)]
    pub repair: RouteChange,
}

impl History {
    /// The manager has changed routes up to cycle `ended`.
    pub fn repaired(&mut self, ended: u64, repair: RouteChange) {
        let named = |seen: &&FailureSeen| repair.failed.contains(&seen.part);
        let since = self.failures.iter().filter(named).map(|seen| seen.cycle);
        let cycles = ended - since.min().unwrap_or(ended);
        self.repairs.push(RouteChangeRecord {
            ended,
            cycles,
            repair,
        });
    }
}

impl fmt::Display for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for failure in &self.failures {
            writeln!(f, "  cycle {}: {} fails", failure.cycle, failure.part)?;
        }
        for seen in &self.repairs {
            let (ended, cycles) = (seen.ended, seen.cycles);
            writeln!(
                f,
                "  cycle {ended}, {cycles} after the failure: {}",
                seen.repair
            )?;
        }
        Ok(())
    }
}
